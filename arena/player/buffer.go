package player

import (
	"bytes"
	"fmt"
	"io"

	"thera/engine/game"
)

// Sizes of the buffer.
const (
	leastRead = 2 << 10
	firstSize = 8 << 10
	mostKept  = 256 << 10 // an empty buffer that is longer is given back
)

// room makes room for n bytes. The error is the flood of a line without an end.
func (c *Conn) room(n int) error {
	if c.from == c.to {
		c.from, c.to, c.scanned = 0, 0, 0
		if len(c.buf) > mostKept {
			c.buf = make([]byte, firstSize)
		}
	}
	if len(c.buf)-c.to >= n {
		return nil
	}
	held, into := c.to-c.from, c.buf
	if held > c.caps.line {
		return c.longLine()
	}
	if held+n > len(c.buf) {
		into = make([]byte, max(held+n, min(2*len(c.buf), c.caps.line+pipeSize)))
	}
	c.to = copy(into, c.buf[c.from:c.to])
	c.scanned -= c.from
	c.from, c.buf = 0, into
	return nil
}

func (c *Conn) longLine() error {
	return c.fail(game.FaultFlood, "a line over %d bytes", c.caps.line)
}

// fill accounts for the result of a read.
func (c *Conn) fill(n int, err error) error {
	c.to += n
	c.bytes += n
	switch {
	case err == io.EOF:
		c.ended = true
	case err != nil:
		return fmt.Errorf("reading an engine's output: %w", err)
	case c.bytes > c.caps.bytes:
		return c.fail(game.FaultFlood, "over %d bytes a move", c.caps.bytes)
	}
	return nil
}

// tryRead reads what has come, with room for n bytes.
func (c *Conn) tryRead(n int) (there bool, err error) {
	if err := c.room(n); err != nil {
		return false, err
	}
	n, there, err = c.pipe.TryRead(c.buf[c.to:])
	return there, c.fill(n, err)
}

// take returns the next buffered line that is not blank, without its line end
// and without NULs around it. After the end of output, an unfinished line
// counts.
func (c *Conn) take() ([]byte, bool, error) {
	for {
		var line []byte
		at := bytes.IndexByte(c.buf[c.scanned:c.to], '\n')
		switch {
		case at >= 0:
			line = c.buf[c.from : c.scanned+at]
			c.from = c.scanned + at + 1
		case c.ended && c.from < c.to:
			line = c.buf[c.from:c.to]
			c.from, c.cut = c.to, true
		default:
			c.scanned = c.to
			return nil, false, nil
		}
		c.scanned = c.from
		c.lines++
		switch {
		case len(line) > c.caps.line:
			return nil, false, c.longLine()
		case c.lines > mostLines:
			return nil, false, c.fail(game.FaultFlood, "over %d lines a move", mostLines)
		}
		if line = c.trim(line); len(line) > 0 {
			c.said = true
			c.record('<', line)
			return line, true, nil
		}
	}
}

// trim drops trailing carriage returns, leading and trailing NULs, and the
// byte order mark that some runtimes write before their first line.
func (c *Conn) trim(line []byte) []byte {
	if c.first && len(line) > 0 {
		c.first = false
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	for len(line) > 0 && (line[len(line)-1] == '\r' || line[len(line)-1] == 0) {
		line = line[:len(line)-1]
	}
	for len(line) > 0 && line[0] == 0 {
		line = line[1:]
	}
	return line
}
