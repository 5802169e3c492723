package rules

import (
	"fmt"

	"thera/engine/game"
)

// Legal says whether seat may make m.
func (w *Generator) Legal(b Board, seat game.Seat, m Move) bool {
	if b.Active(seat)>>m.Start()&1 == 0 {
		return false
	}
	found := w.Ends(b, m.Start(), seat, 0)
	if !m.Replaces() {
		return found.Empty>>m.End()&1 != 0
	}
	drops := b.DropZone(seat)&^b.Occupied() | 1<<m.Start()
	return found.Pieces>>m.End()&1 != 0 && drops>>m.Drop()&1 != 0
}

// Explain names the rule that an illegal move breaks.
func (w *Generator) Explain(b Board, seat game.Seat, m Move) string {
	start, end := m.Start(), m.End()
	switch {
	case b.At(start) == 0:
		return fmt.Sprintf("no piece on %d", start)
	case b.Active(seat)>>start&1 == 0:
		return fmt.Sprintf("%d is not on the active line of player %d (row %d)", start, seat, b.ActiveRow(seat))
	}
	found := w.Ends(b, start, seat, 0)
	switch {
	case end >= Squares && GoalSet(seat)>>end&1 == 0:
		return fmt.Sprintf("%d is the mover's own goal", end)
	case (found.Empty|found.Pieces)>>end&1 == 0:
		return fmt.Sprintf("%d cannot be reached from %d by %d steps and bounces, no edge twice", end, start, b.At(start))
	case !m.Replaces():
		return fmt.Sprintf("%d holds a piece: it is bounced off or replaced, and a replaced piece is dropped", end)
	case found.Pieces>>end&1 == 0:
		return fmt.Sprintf("nothing stands on %d, so nothing is dropped", end)
	case m.Drop() == end:
		return fmt.Sprintf("drop on %d, where the moved piece stands", end)
	case b.Occupied()>>m.Drop()&1 != 0 && m.Drop() != start:
		return fmt.Sprintf("drop on %d, which is not empty", m.Drop())
	}
	return fmt.Sprintf("drop on %d, behind the active line of player %d (row %d)", m.Drop(), seat.Other(), b.ActiveRow(seat.Other()))
}
