// Package slow is the rules of Santorini a second time, written from the text
// of the rules on plain arrays and strings, without any thought of speed. Tests
// compare the fast rules with it.
//
// It shares nothing with the package it tests and must not import it: it reads
// and writes form v2 of the position text by itself. Its input is trusted.
//
// Next plays all gods; each has one function in a gods*.go file. Faulty plays them with one of
// the deliberate Faults.
package slow
