package player

import (
	"context"

	"thera/engine/game"
)

// Quit asks the engine to exit in its dialect's words, waits a little and
// kills what is left. Ignoring the request is no fault.
func (p *Player) Quit() {
	if p.session == nil {
		p.Kill()
		return
	}
	if bye := p.dialect.Bye(); bye != "" && p.conn.Fault() == nil {
		p.conn.Arm(Limits{Hard: p.bye, Kind: game.FaultTimeout})
		_ = p.conn.Send([]byte(bye))
		if p.conn.Flush(context.Background()) == nil {
			p.proc.AwaitEnd(p.bye, nil)
		}
	}
	p.Kill()
}

// Kill ends the engine and everything it started.
func (p *Player) Kill() {
	if p.proc == nil {
		return
	}
	p.conn.release()
	_ = p.proc.Close() // only the kernel can keep a process from being killed
	p.session = nil
}

// Ended is how a process ended between two questions, "" if it runs or faulted.
func (p *Player) Ended() string {
	if p.session == nil || p.conn.Fault() != nil {
		return ""
	}
	if exit, over := p.proc.Exited(); over {
		return exit.String()
	}
	return ""
}

// Stderr is the end of the engine's stderr output, also after its death.
func (p *Player) Stderr() string {
	if p.proc == nil {
		return ""
	}
	return p.proc.Stderr()
}
