package protocol

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// scanner reads JSON in place, without allocation, for the one kind of line that
// every move waits for. It accepts only what encoding/json accepts, and it sets bad
// at anything unusual, so that the caller uses encoding/json instead. FuzzAnswer
// compares the two.
type scanner struct {
	text []byte
	at   int
	bad  bool
}

// maxNesting is far more than a line of the protocol needs.
const maxNesting = 64

// next is the next byte that is not a space, 0 at the end.
func (w *scanner) next() byte {
	for ; w.at < len(w.text); w.at++ {
		switch c := w.text[w.at]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// take consumes c, which must be next.
func (w *scanner) take(c byte) {
	if w.next() != c {
		w.bad = true
		return
	}
	w.at++
}

// plain reads a string of printable ASCII without escapes, and returns it without
// the quotes. Any other string is unusual.
func (w *scanner) plain() []byte {
	w.take('"')
	start := w.at
	for ; w.at < len(w.text) && !w.bad; w.at++ {
		switch c := w.text[w.at]; {
		case c == '"':
			w.at++
			return w.text[start : w.at-1]
		case c == '\\' || c < ' ' || c >= 0x7f:
			w.bad = true
		}
	}
	w.bad = true
	return nil
}

// whole reads an integer of at most 15 digits, which a float64 also holds exactly.
// Fractions and exponents are unusual.
func (w *scanner) whole() int64 {
	text := w.value(0)
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || len(bytes.TrimPrefix(text, []byte{'-'})) > 15 {
		w.bad = true
	}
	return n
}

// value reads any value and returns its text.
func (w *scanner) value(depth int) []byte {
	c := w.next()
	start := w.at
	switch {
	case depth > maxNesting:
		w.bad = true
	case c == '"':
		w.plain()
	case c == '{':
		w.object(func([]byte) { w.value(depth + 1) })
	case c == '[':
		w.list('[', ']', func() { w.value(depth + 1) })
	default: // a number or a word
		for w.at < len(w.text) && bytes.IndexByte([]byte(" \t\r\n,]}"), w.text[w.at]) < 0 {
			w.at++
		}
		if !json.Valid(w.text[start:w.at]) {
			w.bad = true
		}
	}
	return w.text[start:w.at]
}

// object calls member at the value of each key. Keys other than lower case words are
// unusual: encoding/json folds case.
func (w *scanner) object(member func(key []byte)) {
	w.list('{', '}', func() {
		key := w.plain()
		for _, c := range key {
			if (c < 'a' || c > 'z') && c != '_' && (c < '0' || c > '9') {
				w.bad = true
			}
		}
		if w.take(':'); !w.bad {
			member(key)
		}
	})
}

// list calls item at each part of an object or an array.
func (w *scanner) list(open, shut byte, item func()) {
	w.take(open)
	for first := true; !w.bad; first = false {
		switch {
		case w.next() == shut:
			w.at++
			return
		case !first:
			w.take(',')
		}
		item()
	}
}
