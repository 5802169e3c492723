package mill

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// logger is the engine's output, copied with its input to a file while the
// LogFile option names one.
type logger struct {
	out  io.Writer
	mu   sync.Mutex
	path string
	file *os.File
}

// open begins to log to path, or ends logging where it is empty.
func (l *logger) open(path string, explain func(string, ...any)) {
	l.mu.Lock()
	if path == l.path {
		l.mu.Unlock()
		return
	}
	l.closeLocked()
	l.path = path
	var err error
	if path != "" {
		l.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	}
	l.mu.Unlock()
	if err != nil {
		explain("log file: %v", err)
	}
}

func (l *logger) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeLocked()
}

func (l *logger) closeLocked() {
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}

// heard logs a command.
func (l *logger) heard(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		fmt.Fprintf(l.file, "> %s\n", line)
	}
}

// Write writes a line of output, and logs it.
func (l *logger) Write(line []byte) (int, error) {
	l.mu.Lock()
	if l.file != nil {
		fmt.Fprintf(l.file, "< %s", line)
	}
	l.mu.Unlock()
	return l.out.Write(line)
}
