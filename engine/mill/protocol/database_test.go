package protocol

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"thera/engine/gametest"
	"thera/engine/mill/player/tables"
)

func commands(t *testing.T, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := (Player{}).Serve(context.Background(), nil, strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// tableFolder is a folder with the table of three men against three.
func tableFolder(t *testing.T) string {
	t.Helper()
	folder, made := t.TempDir(), tables.New(true)
	if _, err := made.Solve(context.Background(), 3, 3); err != nil {
		t.Fatal(err)
	}
	if _, err := made.Save(folder, 3, 3); err != nil {
		t.Fatal(err)
	}
	return folder
}

// wonEnding is a win in 21 turns.
const wonEnding = "O@OO***@/*@******/******** w m s 3 0 3 0 0 0 0 0 0 0 0 0 50"

// With tables the engine knows at depth 1 what no search of that depth finds.
func TestUsePerfectDatabase(t *testing.T) {
	gametest.Sequential(t)
	folder := tableFolder(t)
	setup := []string{"setoption name SkillLevel value 30", "setoption name Hash value 1", "setoption name DeveloperMode value false", "setoption name Endings value false", "position fen " + wonEnding}
	use := []string{"setoption name PerfectDatabasePath value " + folder, "setoption name UsePerfectDatabase value true"}
	if got := commands(t, append(setup, "go depth 1")...); !strings.Contains(got, "score cp") {
		t.Errorf("without tables: %s", got)
	}
	if got := commands(t, append(append(setup, use...), "go depth 1")...); !strings.Contains(got, "score mate ") {
		t.Errorf("with tables: %s", got)
	}
	if got := commands(t, append(setup, "setoption name Endings value true", "go depth 1")...); !strings.Contains(got, "score mate ") {
		t.Errorf("with the tables that are part of the engine: %s", got)
	}
	alias := []string{use[0], "setoption name PerfectDatabase value true"}
	if got := commands(t, append(append(setup, alias...), "go depth 1")...); !strings.Contains(got, "score mate ") {
		t.Errorf("with tables under the other name: %s", got)
	}
	if got := commands(t, append(setup, "debug on", "setoption name PerfectDatabasePath value "+t.TempDir(), use[1], "isready")...); !strings.Contains(got, "info string endgame tables: no table") {
		t.Errorf("without files: %s", got)
	}
}
