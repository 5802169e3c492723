package mill

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

func commands(t *testing.T, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := New().Serve(context.Background(), nil, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// With tables the engine knows at depth 1 what no search of that depth sees,
// and plays every won ending to its end in the number of turns they promise.
func TestUsePerfectDatabase(t *testing.T) {
	folder := t.TempDir()
	tables := mustSolve(t)
	for _, n := range [][2]int{{3, 3}, {4, 3}} {
		if _, err := tables.Save(folder, n[0], n[1]); err != nil {
			t.Fatal(err)
		}
	}
	s := tables.spaces[3][3]
	var p *Position
	for i, v := range s.values {
		if men, other, ok := s.position(i); ok && v.turns() == 21 {
			p = newPosition(Position{state: state{men: [2]uint32{men, other}}, rules: &defaultRules})
			break
		}
	}
	setup := []string{"setoption name SkillLevel value 30", "setoption name Hash value 1", "setoption name DeveloperMode value false", "position fen " + p.String()}
	use := []string{"setoption name PerfectDatabasePath value " + folder, "setoption name UsePerfectDatabase value true"}
	if got := commands(t, append(setup, "go depth 1")...); !strings.Contains(got, "score cp") {
		t.Errorf("without tables: %s", got)
	}
	if got := commands(t, append(append(setup, use...), "go depth 1")...); !strings.Contains(got, "score mate ") {
		t.Errorf("with tables: %s", got)
	}
	alias := []string{use[0], "setoption name PerfectDatabase value true"}
	if got := commands(t, append(append(setup, alias...), "go depth 1")...); !strings.Contains(got, "score mate ") {
		t.Errorf("with tables under the other name: %s", got)
	}
	if got := commands(t, append(setup, "debug on", "setoption name PerfectDatabasePath value "+t.TempDir(), use[1], "isready")...); !strings.Contains(got, "info string endgame tables: no table") {
		t.Errorf("without files: %s", got)
	}
	playOut(t, p, tables, 21)
}

// playOut plays both sides by the tables.
func playOut(t *testing.T, p *Position, tables *Tables, turns int) {
	t.Helper()
	pl := newPlayer()
	pl.tables = tables
	set := defaultSettings()
	set.skill, set.database, set.hash = fullStrength, true, 1
	winner := p.turn.seat()
	taken := 0
	for ; taken <= turns+4; taken++ {
		if outcome, over := p.Outcome(); over {
			if outcome.Winner != winner {
				t.Errorf("ended with %+v, want %d to win", outcome, winner)
			}
			return
		}
		mover := p.turn
		for mover == p.turn && !p.over() {
			p = p.next(pl.think(context.Background(), p, &set, &goal{depth: 1}, nil).Move)
		}
	}
	t.Errorf("not won after %d turns: %s", taken, p)
}
