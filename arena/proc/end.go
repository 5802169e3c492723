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
