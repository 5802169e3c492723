package proc

import (
	"io"
	"sync"
)

// tail keeps the last bytes written to it.
type tail struct {
	mu    sync.Mutex
	buf   []byte // grows up to stderrTail, then a ring
	at    int
	total int64
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	t.total += int64(n)
	if n >= stderrTail {
		p = p[n-stderrTail:]
	}
	if room := stderrTail - len(t.buf); room > 0 {
		k := min(room, len(p))
		t.buf = append(t.buf, p[:k]...)
		p = p[k:]
	}
	for len(p) > 0 {
		k := copy(t.buf[t.at:], p)
		p = p[k:]
		t.at = (t.at + k) % stderrTail
	}
	return n, nil
}

// String returns the bytes kept, oldest first.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.buf) < stderrTail {
		return string(t.buf)
	}
	return string(t.buf[t.at:]) + string(t.buf[:t.at])
}

// Total is the number of bytes ever written.
func (t *tail) Total() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total
}

// drain copies r until it ends.
func (t *tail) drain(r io.Reader) {
	buf := make([]byte, 4<<10)
	for {
		n, err := r.Read(buf)
		_, _ = t.Write(buf[:n])
		if err != nil {
			return
		}
	}
}
