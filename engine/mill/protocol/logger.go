package protocol

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// logger writes the engine's output. While the option LogFile names a file, it
// copies commands and output there.
type logger struct {
	out  io.Writer
	mu   sync.Mutex
	path string
	file *os.File
}

// open begins to log to path, or ends logging if path is empty.
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

// command logs a command.
func (l *logger) command(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		fmt.Fprintf(l.file, "> %s\n", line)
	}
}

// Write writes and logs a line of output.
func (l *logger) Write(line []byte) (int, error) {
	l.mu.Lock()
	if l.file != nil {
		fmt.Fprintf(l.file, "< %s", line)
	}
	l.mu.Unlock()
	return l.out.Write(line)
}
