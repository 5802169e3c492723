package santorini

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
)

func TestFiftyThreeGods(t *testing.T) {
	if godCount != 53 {
		t.Errorf("%d gods, want 53", godCount)
	}
	names := map[string]bool{}
	for g := range godCount {
		p := gods[g]
		if names[p.name] || p.text == "" || p.turns == nil || p.workers < 2 || p.workers > 3 {
			t.Errorf("%s: incomplete or twice", p.name)
		}
		names[p.name] = true
		if (p.read == nil) != (p.show == nil) {
			t.Errorf("%s keeps something that cannot be read or written", p.name)
		}
	}
}

// allowedPairs are all match-ups that are played, in both orders.
func allowedPairs() []matchup {
	var pairs []matchup
	for a := range godCount {
		for b := range godCount {
			if banned(matchup{a, b}) == nil {
				pairs = append(pairs, matchup{a, b})
			}
		}
	}
	return pairs
}

// TestLongEveryPairPlays: random games of all pairs from an empty board. Every
// state is read back equal, the wins alone are the wins among all turns, and
// a side to move always has a turn or loses.
func TestLongEveryPairPlays(t *testing.T) {
	pairs := allowedPairs()
	if len(pairs) != 53*53-29 {
		t.Errorf("%d pairs are allowed, want %d", len(pairs), 53*53-29)
	}
	r := rand.New(rand.NewPCG(7, 8))
	begin, games, states := time.Now(), 1, 0
	if os.Getenv("THERA_LONG") != "1" {
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		pairs = pairs[:200]
	} else {
		games = 4
	}
	f, wins := newFrame(), newFrame()
	for _, m := range pairs {
		for range games {
			p, _ := startOf(m, true)
			for p.winner == 0 {
				states++
				holdState(t, &p)
				f.generate(&p)
				wins.winning(&p)
				holdWins(t, &p, f, wins)
				if len(f.moves) == 0 {
					break
				}
				p = f.child(&p, f.moves[r.IntN(len(f.moves))])
			}
			if t.Failed() {
				t.Fatalf("in %s against %s", m[0], m[1])
			}
		}
	}
	t.Logf("%d positions of %d pairs in %v", states, len(pairs), time.Since(begin).Round(time.Millisecond))
}

func holdState(t *testing.T, p *state) {
	t.Helper()
	for _, f := range []form{formV1, formV2} {
		text := p.text(f)
		if back, _, err := parse(text); err != nil || back != *p {
			t.Errorf("%s is not read back: %v", text, err)
		}
	}
}

// holdWins: the same winning states, in any order, and first in f.
func holdWins(t *testing.T, p *state, f, wins *frame) {
	t.Helper()
	want := map[state]bool{}
	for i, m := range f.moves {
		q := f.child(p, m)
		if m.wins() != (q.winner == p.mover+1) || !m.wins() && q.winner != 0 {
			t.Errorf("%s: a turn to %s says win %v", p.text(formV2), q.text(formV2), m.wins())
		}
		if m.wins() {
			want[q] = true
			if i != len(want)-1 {
				t.Errorf("%s: win %d comes as turn %d", p.text(formV2), len(want), i)
			}
		}
	}
	for _, m := range wins.moves {
		q := wins.child(p, m)
		if !want[q] {
			t.Errorf("%s: %s is no win", p.text(formV2), q.text(formV2))
		}
		delete(want, q)
	}
	for q := range want {
		t.Errorf("%s: the win %s is missed", p.text(formV2), q.text(formV2))
	}
}

// TestStatesThatCannotBe: each god's fault is named with its field.
func TestStatesThatCannotBe(t *testing.T) {
	const some, at = "1000000000003000000000400/1/", ":B3,D3/mortal:C4,C2"
	for _, tt := range []struct{ god, want string }{
		{"athena[1]" + at, "player 1: state of athena: [1], want [^] or no brackets"},
		{"nike[x]" + at, "state of nike: [x], want [^]"},
		{"achilles[y]" + at, "state of achilles: [y], want [x]"},
		{"theseus[]" + at, "state of theseus: [], want [x]"},
		{"jason[^]" + at, "state of jason"},
		{"bellerophon[xx]" + at, "state of bellerophon"},
		{"polyphemus[0]" + at, "state of polyphemus"},
		{"morpheus[-1]" + at, "state of morpheus: [-1], want how many"},
		{"morpheus[100]" + at, "state of morpheus: [100], want how many builds are banked, 0 to 99"},
		{"morpheus[03]" + at, "state of morpheus: [03]"},
		{"aeolus[north]" + at, "state of aeolus: [north], want a direction"},
		{"europa[F1]" + at, "state of europa: [F1], want a square"},
		{"europa[B3]" + at, "state of europa: the token is on B3, where a worker stands"},
		{"europa[C4]" + at, "state of europa: the token is on C4, where a worker stands"},
		{"europa[C1]" + at, "state of europa: the token is on C1, which is a dome"},
		{"selene[A1]" + at, "state of selene: the female worker is on A1, where none of the workers is"},
		{"hippolyta[C4]" + at, "state of hippolyta: the female worker is on C4"},
		{"clio[2|B5]" + at, "state of clio: a coin on B5, which is the ground"},
		{"clio[2|C1]" + at, "state of clio: a coin on C1, which is a dome"},
		{"clio[3|A5]" + at, "state of clio: [3|A5]: 3 coins left and 1 placed, she has 3"},
		{"clio[4|]" + at, "state of clio: [4|], want the coins left"},
		{"clio[2]" + at, "state of clio: [2], want the coins left"},
		{"clio[1|A5,A5]" + at, "two coins on A5"},
		{"clio[1|A5,]" + at, `coin "" is not a square`},
		{"jason:B3,D3,E1/mortal:C4,C2", "state of jason: three workers, but the power is not used"},
		{"graeae:B3,D3,E1,D1/mortal:C4,C2", "workers: 4, but graeae has 3"},
		{"hydra:B5,C5,D5,E5,A4,B4,D4,E4,A3,B3,D3,E3/mortal:C4,C2", "workers: 12, but hydra has 11"},
		{"mortal:B3,D3,E1/mortal:C4,C2", "workers: 3, but mortal has 2"},
		{"pan:B3,D3/hades:C4,C2", "gods: hades and pan do not meet: "},
		{"ares:B3,D3/ares:C4,C2", "gods: ares and ares do not meet: "},
	} {
		_, _, err := parse(some + tt.god)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.god, err, tt.want)
		}
	}
}

func TestMatchups(t *testing.T) {
	for _, tt := range []struct {
		gods   GodOpenings
		starts int
		faults []string
	}{
		{GodOpenings{Matchups: "all"}, 1, nil},
		{GodOpenings{List: []string{"mortal", "pan"}}, 4, nil},
		{GodOpenings{List: []string{"mortal", "pan", "hades"}}, 7, nil},
		{GodOpenings{List: []string{"mortal", "pan", "ares"}, Matchups: "mirror"}, 2, nil},
		{GodOpenings{Matchups: "list", Pairs: []string{"pan-mortal", "mortal-pan"}}, 2, nil},
		{GodOpenings{List: []string{"mortal", "pan", "artemis"}, Exclude: []string{"pan", "mortal-artemis"}}, 2, nil},
		{GodOpenings{Exclude: []string{"mortal-mortal"}}, 53*53 - 30, nil},
		{GodOpenings{List: []string{"mortal", "morta", "mortal"}}, 0, []string{
			`openings.gods.list[1]: unknown god "morta"`, "openings.gods.list[2]: mortal stands twice",
		}},
		{GodOpenings{Matchups: "list", Pairs: []string{"pan-hades", "pan", "pan-x"}}, 0, []string{
			"openings.gods.pairs[0]: hades and pan do not meet", `openings.gods.pairs[1]: "pan", want two gods`,
			`openings.gods.pairs[2]: unknown god "x"`,
		}},
		{GodOpenings{Matchups: "list"}, 0, []string{"openings.gods.pairs: empty"}},
		{GodOpenings{Matchups: "some", Start: "late"}, 0, []string{`openings.gods.matchups: "some"`, `openings.gods.start: "late"`}},
		{GodOpenings{List: []string{"pan"}, Exclude: []string{"pan"}}, 0, []string{"openings.gods.matchups: no match-up is left"}},
	} {
		g, problems := New().With(nil, &Openings{Gods: tt.gods})
		if len(problems) != len(tt.faults) {
			t.Errorf("%+v: problems %v, want %v", tt.gods, problems, tt.faults)
			continue
		}
		for i, want := range tt.faults {
			if !strings.HasPrefix(problems[i].Error(), want) {
				t.Errorf("%+v: problem %v, want %q", tt.gods, problems[i], want)
			}
		}
		if problems == nil && g.Starts() != tt.starts {
			t.Errorf("%+v: %d starts, want %d", tt.gods, g.Starts(), tt.starts)
		}
	}
	for _, i := range []int{-1, 1} {
		if _, err := New().Start(i, 0); err == nil {
			t.Errorf("start %d exists", i)
		}
	}
}

func TestIllegalNamesTheRule(t *testing.T) {
	const start = "0000000000000000000000000/1/mortal:11,13/mortal:7,17"
	pos, err := New().Parse(start)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ move, rule string }{
		{"0000000000000000000000000/2/mortal:11,13/mortal:7,17", "passing is not allowed"},
		{"1000000000000000000000000/1/mortal:5,13/mortal:7,17", "side to move: 1, but player 2 moves next"},
		{"1000000000000000000000000/2/mortal#:5,13/mortal:7,17", "winner: player 1 is marked"},
		{"1000000000000000000000000/2/mortal:5,14/mortal:7,17", "more than one worker has moved"},
		{"1000000000000000000000000/2/mortal:0,13/mortal:7,17", "too far"},
		{"2000000000000000000000000/2/mortal:5,13/mortal:7,17", "A5 is 2 high and was 0"},
		{"1000000000000000000000000/2/mortal:5,13/mortal:7,16", "player 2's workers have moved"},
		{"1000000000000000000000000/2/pan:5,13/mortal:7,17", "the gods have changed"},
		{"1000000000000000000000000/2/mortal:11,13/mortal:7,17", "no worker has moved"},
		{"nonsense", "not a position"},
		{"", "not a position"},
	} {
		_, err := pos.Play(game.By(game.First, tt.move))
		var illegal *game.Illegal
		if !errors.As(err, &illegal) || !strings.Contains(illegal.Rule, tt.rule) {
			t.Errorf("%s: %v, want %q", tt.move, err, tt.rule)
			continue
		}
		if illegal.Near != "" {
			if _, err := pos.Play(game.By(game.First, illegal.Near)); err != nil {
				t.Errorf("%s: nearest state is not legal: %v", tt.move, err)
			}
		}
	}
}

// TestAlmanac: every god has a position in which its power shows.
func TestAlmanac(t *testing.T) {
	for _, role := range New().Roles() {
		g, _ := godNamed(role.Name)
		if back, err := New().Parse(role.Example.String()); err != nil || back.String() != role.Example.String() {
			t.Errorf("%s: example %s: %v", role.Name, role.Example, err)
			continue
		}
		if (role.State != "") != (gods[g].read != nil) {
			t.Errorf("%s: state %q", role.Name, role.State)
		}
		switch {
		case gods[g].limit != nil:
			var n [4]int
			_, err := fmt.Sscanf(role.Note, "mortal has %d turns here and %d of them win, against mortal %d and %d", &n[0], &n[1], &n[2], &n[3])
			if err != nil || n[0] == n[2] && n[1] == n[3] {
				t.Errorf("%s limits nobody: %s", role.Name, role.Note)
			}
		case g != mortal && gods[g].limit == nil && role.After == nil:
			t.Errorf("%s: no example shows the power", role.Name)
		}
	}
}
