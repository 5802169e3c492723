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

func (w *scanner) space() {
	for w.at < len(w.text) {
		switch w.text[w.at] {
		case ' ', '\t', '\r', '\n':
			w.at++
		default:
			return
		}
	}
}

// take skips spaces and consumes c if it is next.
func (w *scanner) take(c byte) bool {
	w.space()
	if w.at < len(w.text) && w.text[w.at] == c {
		w.at++
		return true
	}
	return false
}

// peek is the next byte that is not a space, 0 at the end.
func (w *scanner) peek() byte {
	w.space()
	if w.at == len(w.text) {
		return 0
	}
	return w.text[w.at]
}

// end reports whether only spaces are left and nothing failed.
func (w *scanner) end() bool {
	w.space()
	return !w.bad && w.at == len(w.text)
}

func (w *scanner) fail() { w.bad = true }

// plain reads a string of printable ASCII without escapes, and returns it without
// the quotes. Any other string is unusual.
func (w *scanner) plain() []byte {
	if !w.take('"') {
		w.fail()
		return nil
	}
	start := w.at
	for ; w.at < len(w.text); w.at++ {
		switch c := w.text[w.at]; {
		case c == '"':
			w.at++
			return w.text[start : w.at-1]
		case c == '\\' || c < ' ' || c >= 0x7f:
			w.fail()
			return nil
		}
	}
	w.fail()
	return nil
}

// whole reads an integer of at most 15 digits, which a float64 also holds exactly.
// Fractions and exponents are unusual.
func (w *scanner) whole() int64 {
	w.space()
	text := w.number()
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || len(bytes.TrimPrefix(text, []byte{'-'})) > 15 {
		w.fail()
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// number reads any number.
func (w *scanner) number() []byte {
	start := w.at
	for w.at < len(w.text) && (isDigit(w.text[w.at]) || bytes.IndexByte([]byte("+-.eE"), w.text[w.at]) >= 0) {
		w.at++
	}
	if !json.Valid(w.text[start:w.at]) {
		w.fail()
	}
	return w.text[start:w.at]
}

// skip skips any value and returns its text.
func (w *scanner) skip(depth int) []byte {
	c := w.peek()
	start := w.at
	switch {
	case depth > maxNesting:
		w.fail()
	case c == '"':
		w.plain()
	case c == '{':
		w.object(func([]byte) { w.skip(depth + 1) })
	case c == '[':
		w.array(func() { w.skip(depth + 1) })
	case c == '-' || isDigit(c):
		w.number()
	case c == 't':
		w.word("true")
	case c == 'f':
		w.word("false")
	case c == 'n':
		w.word("null")
	default:
		w.fail()
	}
	if w.bad {
		return nil
	}
	return w.text[start:w.at]
}

func (w *scanner) word(word string) {
	if len(w.text)-w.at < len(word) || string(w.text[w.at:w.at+len(word)]) != word {
		w.fail()
		return
	}
	w.at += len(word)
}

// object calls member at the value of each key. Keys other than lower case words are
// unusual: encoding/json folds case.
func (w *scanner) object(member func(key []byte)) {
	if !w.take('{') {
		w.fail()
		return
	}
	if w.take('}') {
		return
	}
	for !w.bad {
		key := w.plain()
		for _, c := range key {
			if (c < 'a' || c > 'z') && c != '_' && !isDigit(c) {
				w.fail()
			}
		}
		if w.bad || !w.take(':') {
			w.fail()
			return
		}
		member(key)
		if w.take('}') {
			return
		}
		if !w.take(',') {
			w.fail()
		}
	}
}

// array calls item at each element.
func (w *scanner) array(item func()) {
	if !w.take('[') {
		w.fail()
		return
	}
	if w.take(']') {
		return
	}
	for !w.bad {
		item()
		if w.take(']') {
			return
		}
		if !w.take(',') {
			w.fail()
		}
	}
}
