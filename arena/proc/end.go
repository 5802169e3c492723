package proc

import "time"

// Exited reports whether and how the process ended.
func (p *Process) Exited() (Exit, bool) {
	select {
	case <-p.exited:
		return p.exit, true
	default:
		return Exit{}, false
	}
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.exited }

// AwaitEnd waits for the process to exit, at most for patience and until
// cancelled is closed.
func (p *Process) AwaitEnd(patience time.Duration, cancelled <-chan struct{}) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C:
	case <-cancelled:
	}
}

// RunDelay is the time that the process's live threads have waited for a core,
// all together. It is 0 if the system does not count it.
func (p *Process) RunDelay() (sum time.Duration) {
	for _, t := range p.Threads() {
		sum += t.Waited
	}
	return sum
}

// Stderr is the end of the process's stderr output, at most 64 KiB.
func (p *Process) Stderr() string { return p.tail.String() }

// StderrBytes is the number of bytes that the process wrote to stderr.
func (p *Process) StderrBytes() int64 { return p.tail.Total() }
