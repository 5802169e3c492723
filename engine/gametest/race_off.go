//go:build !race

package gametest

// Race reports whether the race detector is on.
const Race = false
