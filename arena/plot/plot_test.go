package plot

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/rating"
	"thera/arena/report"
	"thera/arena/tournament"
	"thera/engine/game"
	"thera/engine/gametest"
)

// gods are the games of a run of two engines with gods, of which the later ones in
// the list are the stronger ones. The last pair of gods met only once.
func gods(t *testing.T, format string, rounds int, names ...string) *arena.Summary {
	t.Helper()
	var games []arena.Game
	pair := 0
	add := func(x, y, times int) {
		for i := range times {
			for leg := range 2 {
				f := arena.Game{
					Job: arena.Job{
						ID: fmt.Sprintf("g%05d", len(games)), Pairing: [2]string{"new", "old & <b>"}, Pair: pair, Leg: leg, Round: pair + 1, Index: 2*pair + leg,
					},
					Source: arena.Natural, Outcome: game.Outcome{Winner: game.First, Reason: "end"}, Turns: 20 + (i+x*y)%9, StartHash: uint64(pair), Roles: [2]string{names[x], names[y]},
				}
				if (i*7+x+2*y+leg)%10 < 5+2*(y-x) { // the first seat wins, but often the stronger god
					f.Outcome.Winner = game.Second
				}
				*f.Side(0) = arena.Effort{Moves: 10, Wall: time.Duration(10+i%7) * time.Millisecond}
				*f.Side(1) = arena.Effort{Moves: 10, Wall: time.Duration(40+i%5) * time.Millisecond}
				games = append(games, f)
			}
			pair++
		}
	}
	for x := range names {
		for y := range names {
			switch {
			case x == len(names)-1 && y == len(names)-2:
			case x == len(names)-2 && y == len(names)-1:
				add(x, y, 1)
			default:
				add(x, y, rounds)
			}
		}
	}
	plan := &arena.Plan{
		Name: "gods & <co>", Engines: []arena.EngineSpec{{Name: "new"}, {Name: "old & <b>"}}, Limit: arena.Limit{Move: time.Second},
		Format: arena.Format{Name: format, Rounds: pair, Pairs: true}, SPRT: arena.SPRT{Elo0: -40, Elo1: 40, Alpha: 0.01, Beta: 0.01, Model: "normalized"},
	}
	info := arena.RunInfo{Name: plan.Name, Game: "santorini", State: "finished", Games: len(games), Plan: *plan}
	sum, err := tournament.Summarize(plan, info, tournament.Stored(games), nil)
	gametest.OK(t, err)
	return sum
}

// All plots, as files to be looked at.
func TestPlots(t *testing.T) {
	sum := gods(t, "sprt", 12, "artemis", "mortal", "pan", "zeus")
	for _, name := range Names() {
		text, err := Draw(sum, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		gametest.Golden(t, filepath.Join("testdata", strings.ReplaceAll(name, ",", "-")+".svg"), []byte(text))
		check(t, name, text)
	}
	if n := len(All(sum)); n != len(Names()) {
		t.Errorf("%d plots of %d", n, len(Names()))
	}
	sum.Course.LLR[len(sum.Course.LLR)-1].LLR = 3 * sum.Test.Upper // the last pair
	text, err := Draw(sum, "llr")
	gametest.OK(t, err)
	check(t, "llr over its bound", text)
	text, err = History(versions())
	gametest.OK(t, err)
	gametest.Golden(t, filepath.Join("testdata", "history.svg"), []byte(text))
	check(t, "history", text)
	scored := func(x float64) *float64 { return &x }
	for i, text := range Game([2]string{"a<b>", "b"}, []Move{{1, 0, scored(20), 5}, {2, 1, scored(-15), 500}, {3, 0, nil, 0}, {4, 1, scored(30000), 1}}, func(ply int) string { return fmt.Sprintf("?ply=%d", ply) }) {
		gametest.Golden(t, filepath.Join("testdata", fmt.Sprintf("game%d.svg", i)), []byte(text))
		check(t, "game", text)
		if n := strings.Count(text, `href="?ply=`); n != 4 {
			t.Errorf("%d links to plies", n)
		}
	}
}

// versions are far from 0, one of them is biased and one has no rating.
func versions() *report.Group {
	row := func(name string, elo, half float64, biased bool) report.Version {
		lo, hi := elo-half, elo+half
		return report.Version{
			Biased: biased, EngineRow: arena.EngineRow{Name: name, Score: arena.Score{
				Games: 7, WDL: rating.WDL{Wins: 7}, Strength: rating.Strength{Elo: &elo, EloLo: &lo, EloHi: &hi},
			}},
		}
	}
	return &report.Group{Game: "nim", Limit: "nodes 5", Versions: []report.Version{
		row("old<b>", 2000, 20, false), row("middle", 2050, 30, true), row("new", 1990, 10, false), {EngineRow: arena.EngineRow{Name: "unrated"}},
	}}
}

// check proves that a picture is safe and that nothing of it is outside its
// edges.
func check(t *testing.T, name, text string) {
	t.Helper()
	width, height := 0.0, 0.0
	for _, start := range gametest.SVG(t, name, text) {
		at := map[string]string{}
		for _, a := range start.Attr {
			at[a.Name.Local] = a.Value
		}
		num := func(key string) float64 { v, _ := strconv.ParseFloat(at[key], 64); return v }
		switch start.Name.Local {
		case "svg":
			width, height = num("width"), num("height")
		case "rect":
			if num("x") < 0 || num("y") < 0 || num("x")+num("width") > width+.1 || num("y")+num("height") > height+.1 {
				t.Errorf("%s: a rectangle is cut off: %v", name, start.Attr)
			}
		case "text", "circle":
			if x, y := num("x")+num("cx"), num("y")+num("cy"); x < 0 || x > width || y < 0 || y > height {
				t.Errorf("%s: a %s is cut off: %v", name, start.Name.Local, start.Attr)
			}
		}
	}
}

var cell = regexp.MustCompile(`data-row="(\w+)" data-col="(\w+)"><title>[^<]* in (\d+) games</title><rect [^>]*fill="(#\w+)" fill-opacity="([0-9.]+)"`)

// The heat map's scale diverges at 50 %, and a cell of two games is paler than one
// with the same score of many.
func TestHeatMapShowsCertainty(t *testing.T) {
	sum := gods(t, "round-robin", 30, "artemis", "mortal", "pan", "zeus")
	text, err := Draw(sum, "roles")
	gametest.OK(t, err)
	found := cell.FindAllStringSubmatch(text, -1)
	if len(found) != 16 {
		t.Fatalf("%d cells", len(found))
	}
	opacity := map[string]float64{}
	for _, f := range found {
		opacity[f[1]+" "+f[2]], _ = strconv.ParseFloat(f[5], 64)
		for _, c := range sum.Figures.Matrix {
			if c.Row == f[1] && c.Col == f[2] && (*c.Score > .5 && f[4] != highColour || *c.Score < .5 && f[4] != lowColour) {
				t.Errorf("%s - %s: score %.2f has the colour %s", c.Row, c.Col, *c.Score, f[4])
			}
		}
	}
	if few, many := opacity["pan zeus"], opacity["artemis zeus"]; few >= many/2 {
		t.Errorf("a cell of two games has opacity %.3f, one of many %.3f", few, many)
	}
}

// A run without figures has no plots, and says so.
func TestNothingToDraw(t *testing.T) {
	sum := &arena.Summary{Run: arena.RunInfo{Name: "x"}}
	for _, name := range Names() {
		if _, err := Draw(sum, name); !errors.Is(err, ErrNothing) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Draw(sum, "nix"); err == nil || !strings.Contains(err.Error(), "known: ratings, llr, score") {
		t.Errorf("%v", err)
	}
	if _, err := History(&report.Group{}); !errors.Is(err, ErrNothing) {
		t.Errorf("no versions: %v", err)
	}
	if len(All(sum)) != 0 {
		t.Error("plots of nothing")
	}
}

// A long name is cut by its width, and its tooltip is the whole one.
func TestLongNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("W", 24), strings.Repeat("界", 12) + "界", strings.Repeat("i", 40)} {
		sum := gods(t, "sprt", 2, "pan", name)
		sum.Figures.Engines[0].Name, sum.Run.Plan.Engines[0].Name = name, name
		plots := Game([2]string{name, name}, []Move{{Ply: 1}}, nil)
		for _, of := range []string{"ratings", "roles"} {
			text, err := Draw(sum, of)
			gametest.OK(t, err)
			plots = append(plots, text)
		}
		for _, text := range plots {
			if !strings.Contains(text, "<title>"+name) || strings.Contains(text, ">"+name+"</text>") {
				t.Errorf("%s is not cut, or has no tooltip:\n%s", name, text)
			}
			for _, shown := range regexp.MustCompile(`>([^<]*…[^<]*)</text>`).FindAllStringSubmatch(text, -1) {
				if n := len([]rune(shown[1])); n > 25 || name[0] != 'i' && n > 16 {
					t.Errorf("%s has %d characters", shown[1], n)
				}
			}
		}
	}
}

// Every engine is in the plot of ratings, also one without a rating, and one wide error bar
// does not squash all others.
func TestRatingsShowAllEngines(t *testing.T) {
	sum := &arena.Summary{Run: arena.RunInfo{Name: "x"}}
	for i := range 12 {
		row := arena.EngineRow{Name: fmt.Sprintf("engine-%02d", i), Score: arena.Score{Games: 22}}
		elo := float64(100 - 20*i)
		lo, hi := elo-60, elo+60
		switch i {
		case 10: // lost all games
			row.EloHi = &lo
		case 11:
		case 9:
			lo = -4000
			fallthrough
		default:
			row.Elo, row.EloLo, row.EloHi = &elo, &lo, &hi
		}
		sum.Figures.Engines = append(sum.Figures.Engines, row)
	}
	text, err := Draw(sum, "ratings")
	gametest.OK(t, err)
	check(t, "ratings", text)
	for i := range sum.Figures.Engines {
		if name := sum.Figures.Engines[i].Name; !strings.Contains(text, ">"+name+"</text>") {
			t.Errorf("%s is missing", name)
		}
	}
	if n := strings.Count(text, ">no rating</text>"); n != 1 {
		t.Errorf("%d engines have no rating, want 1", n)
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, found := range regexp.MustCompile(`<circle cx="([0-9.]+)"`).FindAllStringSubmatch(text, -1) {
		x, _ := strconv.ParseFloat(found[1], 64)
		least, most = min(least, x), max(most, x)
	}
	if most-least < usualWidth/4 {
		t.Errorf("the estimates are between %g and %g of %g", least, most, usualWidth)
	}
}

// Labels of scores fit beside a graph, whatever the unit of an engine.
func TestSigned(t *testing.T) {
	for v, want := range map[float64]string{1: "+1", -100: "-100", 1000: "+1k", 10_000: "+10k", -100_000: "-100k", 1e18: "+1E", -1e20: "-100E"} {
		if got := signed(v); got != want || len(got) > 5 {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}
