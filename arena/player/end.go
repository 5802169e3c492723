package player

import (
	"context"
	"fmt"

	"thera/engine/game"
)

// Quit asks the engine to exit in its dialect's words, waits a little and
// kills what is left. Ignoring the request is no fault. Quit reports whether
// the engine exited by itself.
func (p *Player) Quit() bool {
	if p.proc == nil {
		return true
	}
	byItself := false
	if bye := p.dialect.Bye(); bye != "" && p.conn.Fault() == nil {
		p.conn.Arm(Limits{Hard: p.bye, Kind: game.FaultTimeout})
		_ = p.conn.Send([]byte(bye))
		if p.conn.Flush(context.Background()) == nil {
			p.proc.AwaitEnd(p.bye, nil)
			_, byItself = p.proc.Exited()
		}
	}
	p.Kill()
	return byItself
}

// Kill ends the engine and everything it started.
func (p *Player) Kill() {
	if p.proc == nil {
		return
	}
	p.conn.Release()
	_ = p.proc.Close() // only the kernel can keep a process from being killed
	p.stderr = p.proc.Stderr()
	p.proc, p.session = nil, nil
}

// Ended is how a process ended between two questions, "" if it runs or faulted.
func (p *Player) Ended() string {
	if p.proc == nil || p.conn.Fault() != nil {
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
		return p.stderr
	}
	return p.proc.Stderr()
}

// overMemory is the fault of an engine that exceeded its memory limit. The
// kernel never lets it exceed the limit; sampling sees what was above it.
func (p *Player) overMemory() *game.Fault {
	had, by := p.proc.OverMemory(), ""
	if had <= p.spec.Memory {
		by = ", ended by the kernel"
	}
	return &game.Fault{Kind: game.FaultMemory, Detail: fmt.Sprintf("%d MiB resident, %d MiB allowed%s", had>>20, p.spec.Memory>>20, by)}
}
