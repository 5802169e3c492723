package player

import (
	"bytes"

	"thera/engine/game"
)

// room makes room for a read and returns its size. It returns 0 if a line
// without an end has reached the cap.
func (c *Conn) room() int {
	if c.from == c.to {
		c.from, c.to, c.scanned = 0, 0, 0
		if len(c.buf) > 256<<10 {
			c.buf = make([]byte, 8<<10)
		}
	}
	if free := len(c.buf) - c.to; free >= 2<<10 || free > 0 && c.from == 0 && len(c.buf) > c.caps.line {
		return free
	}
	switch {
	case c.from >= len(c.buf)/2:
		c.move(c.buf)
	case c.to-c.from > c.caps.line:
		return 0
	default:
		c.move(make([]byte, min(2*len(c.buf), c.caps.line+64<<10)))
	}
	return len(c.buf) - c.to
}

// reserve makes room for n bytes at once.
func (c *Conn) reserve(n int) {
	if len(c.buf)-c.to < n {
		c.move(make([]byte, c.to-c.from+n))
	}
}

// move moves what is read and not returned to the beginning of a buffer, which may be this one.
func (c *Conn) move(into []byte) {
	c.to = copy(into, c.buf[c.from:c.to])
	c.scanned -= c.from
	c.from, c.buf = 0, into
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
			if c.to-c.from > c.caps.line {
				return nil, false, c.fail(game.FaultFlood, "a line over %d bytes", c.caps.line)
			}
			return nil, false, nil
		}
		c.scanned = c.from
		c.said += len(line) + 1
		if len(line) > c.caps.line {
			return nil, false, c.fail(game.FaultFlood, "a line over %d bytes", c.caps.line)
		}
		if c.lines++; c.lines > c.caps.lines {
			return nil, false, c.fail(game.FaultFlood, "over %d lines a move", c.caps.lines)
		}
		if line = c.trim(line); len(line) > 0 {
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
