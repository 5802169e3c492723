// Package pyrat is PyRat: a rat and a python gather cheese in a maze with
// walls and mud, moving at the same time.
//
// It holds the rules, a maze generator, both sides of the text protocol, the
// .pyrat replay format, a drawing and the built-in player. It refuses to read
// the wire's clock: what is late is the arena's business, what late answers
// mean is decided here.
package pyrat
