package tcp

import (
	"slices"

	"thera/engine/protocol"
)

// hear takes what the bot said. What is about another position than its own is stale.
func (a *adapter) hear(m message) {
	answers := slices.Contains(a.awaited, m.kind)
	if answers {
		a.awaited = nil
	}
	q := a.asked
	current := q != nil && q.sent && !q.late && m.turn == q.turn && m.hash == a.hash && m.player == a.seat
	switch m.kind {
	case identify:
		if answers {
			a.introduce(m)
		}
	case ready, syncOK, resync:
		if answers {
			a.hash = m.hash
		}
	case action, provisional:
		if current && (m.kind == action || q.stopped) {
			a.answer(m.move)
		} else if current {
			q.best = m.move
		}
	case info:
		if m.text != "" && m.player == a.seat && m.hash == a.hash && (current || a.preparing) {
			a.out.Printf("info %s", m.text)
		}
	}
}

// introduce says who the bot is and which options it has. One that cannot be said as a line is
// left out.
func (a *adapter) introduce(m message) {
	a.out.Printf("id name %s", m.name)
	if m.author != "" {
		a.out.Printf("id author %s", m.author)
	}
	for _, o := range m.options {
		text := o.String()
		if back, err := protocol.ParseOption(text); err == nil && back.String() == text && back.Name == o.Name {
			a.out.Printf("%s", text)
		} else {
			a.out.Printf("info string an option that cannot be said in a line: %q", o.Name)
		}
	}
	a.out.Printf("pyratready")
}
