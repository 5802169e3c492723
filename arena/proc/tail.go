package proc

import "sync"

// tail keeps the last bytes written to it.
type tail struct {
	mu    sync.Mutex
	buf   []byte // at most three times stderrTail
	total int64
}

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total += int64(len(p))
	t.buf = append(t.buf, p[max(0, len(p)-stderrTail):]...)
	if len(t.buf) >= 2*stderrTail {
		t.buf = append(t.buf[:0], t.last()...)
	}
	return len(p), nil
}

func (t *tail) last() []byte { return t.buf[max(0, len(t.buf)-stderrTail):] }

// String returns the bytes kept, oldest first.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last())
}

// Total is the number of bytes ever written.
func (t *tail) Total() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.total
}
