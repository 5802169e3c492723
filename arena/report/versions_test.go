package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/tournament"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// one is a run of two engines with so many pairs, all won by the first seat.
type one struct {
	name           string
	a, b           arena.EngineSpec
	nodes          int64
	pairs, opening int // openings begin with this number
	shape          func(*arena.Plan)
}

func (o one) add(t *testing.T, h *Versions) {
	t.Helper()
	g, _ := nim.New().With(nim.New().Settings())
	plan := &arena.Plan{
		Name: o.name, Game: g, Engines: []arena.EngineSpec{o.a, o.b}, Limit: arena.Limit{Nodes: o.nodes}, Seed: uint64(len(o.name)),
		Format: arena.Format{Name: "round-robin", Rounds: o.pairs, Pairs: true},
	}
	plan.Openings.RandomPlies = 4
	arena.SetDefaults(&plan.Openings)
	if o.shape != nil {
		o.shape(plan)
	}
	var done []arena.Game
	for pair := range o.pairs {
		for leg := range 2 {
			f := arena.Game{
				Job: arena.Job{
					ID: fmt.Sprint(o.name, pair, leg), Pairing: [2]string{o.a.Name, o.b.Name}, Round: pair + 1, Pair: pair, Leg: leg, Index: 2*pair + leg,
				},
				Outcome: game.Outcome{Winner: game.First}, Source: arena.Natural, StartHash: uint64(o.opening + pair),
			}
			done = append(done, f)
		}
	}
	done = append(done, arena.Game{
		Job: arena.Job{ID: "half", Pairing: [2]string{o.a.Name, o.b.Name}, Pair: o.pairs}, Outcome: game.Outcome{Winner: game.First}, StartHash: 999,
	})
	plan.Format.Rounds++
	gametest.OK(t, h.Add(plan, arena.RunInfo{Name: o.name, Started: time.Unix(int64(len(o.name)), 0)}, tournament.Stored(done)))
}

func engine(name, binary string) arena.EngineSpec {
	return arena.EngineSpec{Name: name, Binary: binary, Command: []string{"/" + name + "/engine"}}
}

func TestGroupsAndVersions(t *testing.T) {
	h := NewVersions()
	old, new1 := engine("old", "1111111111"), engine("new", "2222222222")
	new2, copied := engine("new", "3333333333"), engine("copy", "1111111111")
	one{name: "abcde", a: old, b: new1, nodes: 6, pairs: 3}.add(t, h) // another limit
	one{name: "a", a: old, b: new1, nodes: 5, pairs: 10}.add(t, h)
	one{name: "ab", a: new2, b: copied, nodes: 5, pairs: 4, opening: 50}.add(t, h)  // another binary called new, another name of old
	one{name: "abc", a: old, b: new1, nodes: 5, pairs: 6, opening: 7}.add(t, h)     // 3 openings were there: the same games
	one{name: "abcd", a: old, b: copied, nodes: 5, pairs: 2, opening: 70}.add(t, h) // against itself
	one{name: "abcdef", a: old, b: new1, nodes: 5, pairs: 9, opening: 80, shape: func(p *arena.Plan) { p.Trial = true }}.add(t, h)
	groups, err := h.Groups(map[string]float64{"copy": 5})
	gametest.OK(t, err)
	if len(groups) != 2 || h.Trials != 1 {
		t.Fatalf("%d groups, %d trials", len(groups), h.Trials)
	}
	g := groups[0]
	var names []string
	for _, v := range g.Versions {
		names = append(names, v.Name)
	}
	if want := []string{"copy", "new 22222222", "new 33333333"}; !slices.Equal(names, want) {
		t.Errorf("versions %q, want %q", names, want)
	}
	if !slices.Equal(g.Versions[0].Engines, []string{"old", "copy"}) {
		t.Errorf("the first version is called %q", g.Versions[0].Engines)
	}
	if want := 2 * (10 + 4 + 3); g.Games != want || !strings.Contains(strings.Join(g.Warnings, "\n"), "4 games of a version against itself") || !strings.Contains(g.Warnings[0], "6 games from an opening") {
		t.Errorf("%d games count, want %d: %q", g.Games, want, g.Warnings)
	}
	if groups[1].Games != 6 {
		t.Errorf("under the other limit %d games", groups[1].Games)
	}
	copied1 := &g.Versions[0] // 26 games against one binary called new, 8 against the other
	if *copied1.Elo != 5 || copied1.Opponents != 2 || copied1.Biased || g.Versions[1].Opponents != 1 {
		t.Errorf("%+v, %+v", *copied1, g.Versions[1])
	}
	if _, err := h.Groups(map[string]float64{"nosuch": 5}); err == nil {
		t.Error("an unknown version was anchored")
	}
}

// Games of a test that decided are counted as such; surplus ones are not counted at
// all.
func TestStoppedTests(t *testing.T) {
	h := NewVersions()
	one{name: "a", a: engine("new", "1"), b: engine("old", "2"), nodes: 5, pairs: 40, shape: func(p *arena.Plan) {
		p.Format.Name = "sprt"
		p.SPRT = arena.SPRT{Elo0: 100, Elo1: 300, Alpha: .05, Beta: .05, Model: "logistic"} // pairs are even
	}}.add(t, h)
	groups, err := h.Groups(nil)
	gametest.OK(t, err)
	v := groups[0].Versions[0]
	if n := groups[0].Games; v.Stopped != n || !v.Biased || n == 0 || n >= 80 {
		t.Errorf("%d games of stopped tests, %d games", v.Stopped, n)
	}
}
