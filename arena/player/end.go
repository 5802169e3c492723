package player

import (
	"context"
	"fmt"

	"thera/arena/conn"
	"thera/engine/game"
)

// Quit asks the engine to end in its dialect's words, waits a little, and ends
// whatever is left. Deafness to it is no fault. It reports whether the engine
// ended by itself.
func (p *Player) Quit() bool {
	if p.proc == nil {
		return true
	}
	byItself := false
	if bye := p.dialect.Bye(); bye != "" && p.conn.Fault() == nil {
		p.conn.Arm(conn.Limits{Hard: p.bye, Kind: game.FaultTimeout})
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
	_ = p.proc.Close() // a process that cannot be killed is the kernel's
	p.stderr = p.proc.Stderr()
	p.proc, p.session = nil, nil
}

// Stderr is the last of what the engine, also a dead one, wrote there.
func (p *Player) Stderr() string {
	if p.proc == nil {
		return p.stderr
	}
	return p.proc.Stderr()
}

// overMemory is the fault of an engine that grew over its limit. The kernel
// lets nobody over it, the looks at what is resident see what was over.
func (p *Player) overMemory() *game.Fault {
	had, by := p.proc.OverMemory(), ""
	if had <= p.spec.Memory {
		by = ", ended by the kernel"
	}
	return &game.Fault{Kind: game.FaultMemory, Detail: fmt.Sprintf("%d MiB resident, %d MiB allowed%s", had>>20, p.spec.Memory>>20, by)}
}
