package tournament

import (
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// account has what is known of an engine besides its results.
//
// An engine that was at fault and never made a move is dead. Its games count for nobody. Only the
// end of the run shows whether it is dead, so its games are counted, but not shown.
type account struct {
	games, faults int
	moves         int64
	game, reason  string // of its first fault

	voids, spared int // its void pairs that are known to have spared an engine a loss; those that spared it one
}

func (a *account) dead() bool { return a.moves == 0 && a.faults > 0 }

// deadAfter is the number of games after which an engine leaves if all of them ended by its fault
// before its first move. Games that its opponent's fault ended before it was asked are ignored.
const deadAfter = 3

// enter enters the games of a pair. If the pair is in job order, engines that must leave after a
// fault leave.
func (f *figures) enter(s *series) {
	for _, game := range s.games {
		if game == nil {
			continue
		}
		for side, engine := range [2]int{s.A, s.B} {
			one, effort := &f.engines[engine], game.Side(side)
			one.games += btoi(side == 0 || s.A != s.B)
			one.moves += effort.Moves
			if one.faults += effort.Failed; one.game == "" && effort.Failed > 0 {
				one.game, one.reason = game.ID, game.End()
			}
		}
		for side, engine := range [2]int{s.A, s.B} {
			if f.before == nil && game.Side(side).Failed > 0 {
				f.director.leaves(engine, game)
			}
		}
	}
}

// leaves drops an engine that must leave after a fault.
func (d *Director) leaves(engine int, game *arena.Game) {
	one, spec := &d.figures.engines[engine], &d.plan.Engines[engine]
	drop := arena.Drop{Engine: spec.Name, Faults: one.faults, Pairs: d.figures.pairs, Game: game.ID}
	switch {
	case d.left[engine]:
		return
	case one.moves == 0 && one.faults >= deadAfter:
		drop.Dead = true
		drop.Text = fmt.Sprintf("%s never made a move: its first %d games ended by its own fault (%s)", spec.Name, deadAfter, game.Outcome.Reason)
	case spec.OnFault == arena.FaultDrop && one.faults == 1 && spec.MaxFault <= 1:
		drop.Text = spec.Name + " left the run after a fault"
	case spec.OnFault == arena.FaultDrop && one.faults >= spec.MaxFault:
		drop.Text = fmt.Sprintf("%s left the run after %d faults", spec.Name, one.faults)
	default:
		return
	}
	d.left[engine] = true
	d.drops, d.news = append(d.drops, drop), append(d.news, drop.Text)
}

// tooFew returns the stop of a run in which too few engines are left, nil if there are enough.
func (d *Director) tooFew() *arena.Stop {
	in := 0
	for _, left := range d.left {
		in += btoi(!left)
	}
	if in >= min(2, len(d.left)) {
		return nil
	}
	if last := d.drops[len(d.drops)-1]; last.Dead {
		return &arena.Stop{Kind: arena.StopDead, Engine: last.Engine, Game: last.Game, Text: last.Text}
	}
	return d.without("too few engines are left")
}

// without returns the stop of a run that cannot go on without the engines that left.
func (d *Director) without(why string) *arena.Stop {
	last := d.drops[len(d.drops)-1]
	return &arena.Stop{Kind: arena.StopLeft, Engine: last.Engine, Game: last.Game, Text: last.Text + ": " + why}
}

// living reports whether none of the engines is dead, as far as is known.
func (f *figures) living(engines ...int) bool {
	return !slices.ContainsFunc(engines, func(i int) bool { return f.engines[i].dead() })
}

// dead describes the dead engines.
func (f *figures) dead() (out []arena.Dead) {
	for i := range f.engines {
		if a := &f.engines[i]; a.dead() {
			name, count := f.director.name(i), games(a.games)+" count"
			if a.games == 1 {
				count = "game counts"
			}
			text := fmt.Sprintf("%s never made a move: %s (%s), and its %s for nobody", name, arena.Plural(a.faults, "fault"), a.reason, count)
			out = append(out, arena.Dead{Engine: name, Games: a.games, Faults: a.faults, Reason: a.reason, Game: a.game, Text: text})
		}
	}
	return out
}

// A run with many void pairs proves nothing, because the machine decided who had time to think and
// which games count. A run whose void pairs spared one engine its losses proves nothing either. Both
// are counted over all starts of a run. No test and no error bar ends such a run. It goes on until
// it is rated or all games are played.
const (
	voidsLeast = 3       // fewer prove nothing
	voidShare  = 20      // one in voidShare attempts is too many
	oneSided   = 0.01    // probability that fair voids look one-sided
	mostVoids  = 1 << 16 // of a pair; an import that claims more is not believed

	// TooMany is the share of void pairs that TooManyVoids finds.
	TooMany = 100 / voidShare // %
)

// TooManyVoids reports whether so many of all attempts at pairs were void that a run with them proves nothing.
func TooManyVoids(void, all int) bool { return void >= voidsLeast && voidShare*void >= all }

// void is a void attempt at a pair.
type void struct {
	games  int
	spared int  // who was spared a loss, if that is known: 0 is a, 1 is b, -1 nobody
	over   bool // one of its games was over
}

// take notes a game of the attempt. The engine that lost the first game of the pair is spared,
// otherwise the one that was late.
func (v *void) take(game *arena.Game) {
	v.games++
	switch {
	case game.Source != arena.Stalled:
		v.over, v.spared = true, arena.Turned(game.Winner())
	case !v.over:
		v.spared = game.Guilty()
	}
}

// void counts the void attempts at a pair.
func (f *figures) void(s *series) {
	f.voided.Pairs += len(s.voids)
	for _, v := range s.voids {
		f.voided.Games += v.games
		if v.spared >= 0 && s.A != s.B {
			f.engines[s.A].voids++
			f.engines[s.B].voids++
			f.engines[[2]int{s.A, s.B}[v.spared]].spared++
		}
	}
}

// doubt returns why the run is unrated, nil if it is rated.
func (f *figures) doubt() *arena.Doubt {
	void := f.voided.Pairs
	if void < voidsLeast {
		return nil
	}
	if all := f.pairs + void; TooManyVoids(void, all) {
		return &arena.Doubt{Kind: arena.DoubtBusy, Void: void, Pairs: all, Text: fmt.Sprintf(
			"%d of %d pairs were void because the machine stalled: the run is unrated until less than %d %% are", void, all, TooMany)}
	}
	for i := range f.engines {
		name, k, n := f.director.name(i), f.engines[i].spared, f.engines[i].voids
		if rating.Heads(k, n) <= oneSided/float64(len(f.engines)) {
			return &arena.Doubt{Kind: arena.DoubtOneSided, Engine: name, Void: k, Pairs: n, Text: fmt.Sprintf(
				"%d of %d void pairs were void where %s had lost or was late, which is no accident: the run is unrated while voids fall on the losses of one engine",
				k, n, name)}
		}
	}
	return nil
}
