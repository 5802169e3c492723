package arena

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"thera/engine/game"
)

// Finished is what formats and tables keep of a record.
func (r *Record) Finished() Finished {
	f := Finished{
		ID: r.ID, Pairing: r.Pairing, Round: r.Round, Pair: r.Pair, Leg: r.Leg, Index: r.Index,
		Status: cmp.Or(r.Status, StatusCounted), Attempt: r.Attempt, Winner: r.Winner(), Source: r.Source, Reason: r.Outcome.Reason, Blamed: -1,
		Plies: len(r.Moves), Roles: r.Roles,
		Opening: OpeningHash(r.Start), Sameness: r.Sameness(),
		Warnings: r.Warnings, Seconds: r.Seconds, By: r.By,
	}
	for i := range r.Pairing {
		seat := r.Seat(i)
		if r.Blamed == seat && (r.Source == Faulted && !r.Both() || r.Source == Stalled) {
			f.Blamed = i
		}
		f.Points[i] = r.Outcome.Points[seat.Index()]
		f.Sides[i] = r.effort(seat)
	}
	return f
}

// Both reports whether both engines were at fault. Such a game is void of points.
func (f *Finished) Both() bool { return f.Source == Faulted && f.Winner < 0 }

// Turned is the same game with its pairing named the other way round.
func (f *Finished) Turned() *Finished {
	t := *f
	t.Pairing[0], t.Pairing[1] = f.Pairing[1], f.Pairing[0]
	t.Points[0], t.Points[1] = f.Points[1], f.Points[0]
	t.Sides[0], t.Sides[1] = f.Sides[1], f.Sides[0]
	t.Leg, t.Winner, t.Blamed = 1-f.Leg, Turned(f.Winner), Turned(f.Blamed)
	return &t
}

// effort is what the engine in seat spent and did wrong.
func (r *Record) effort(seat game.Seat) Effort {
	e := Effort{Idle: r.Idle[seat.Index()]}
	if r.Source == Faulted && (r.Blamed == seat || r.Both()) {
		e.Failed = 1
	}
	for _, p := range r.Plies {
		if p.Seat != seat {
			continue
		}
		e.Moves++
		e.Wall += p.Wall
		e.CPU += p.CPU
		e.Nodes += p.Nodes
		if p.Depth > 0 {
			e.Depth += int64(p.Depth)
			e.Depths++
		}
	}
	return e
}

// OpeningHash is the hash of a start position's text (FNV-1a, stable).
func OpeningHash(start string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(start))
	return h.Sum64()
}

// Sameness is the hash of start, moves and result, whoever sat where: equal for
// games that add no information, as the two of a pair whose engines play the same
// moves. The detail of a fault (such as milliseconds used) is not part of it.
func (r *Record) Sameness() uint64 {
	h := fnv.New64a()
	var kind game.FaultKind
	if r.Fault != nil {
		kind = r.Fault.Kind
	}
	for _, word := range [...]string{
		r.Start, string(rune('0' + r.Outcome.Winner)), string(r.Source), string(kind),
	} {
		h.Write([]byte(word))
		h.Write([]byte{0})
	}
	for _, move := range r.Moves {
		h.Write([]byte(move))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// End is how tables count the end of a game: the reason, for faults their kind alone where
// the detail differs from game to game.
func (f *Finished) End() string {
	if f.Source != Faulted {
		return f.Reason
	}
	if f.Both() {
		return "both at fault"
	}
	kind, _, _ := strings.Cut(f.Reason, ": ")
	switch game.FaultKind(kind) {
	case game.FaultCrashed, game.FaultExited: // the detail is the signal or the status
		return f.Reason
	}
	return kind
}

// GameWarningKind is how tables count a warning: what stands before its colon, with the
// name of the engine if it begins with one of engines.
func GameWarningKind(text string, engines ...string) string {
	kind, rest, _ := strings.Cut(text, ": ")
	if slices.Contains(engines, kind) && rest != "" {
		what, _, _ := strings.Cut(rest, ":")
		kind += ": " + what
	}
	if runes := []rune(kind); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return kind
}
