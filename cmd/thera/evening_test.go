package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"thera/engine/gametest"
)

// shownBracket is the bracket of a page: rounds of matches of two names, the winner's with a star.
const shownBracket = `[...document.querySelectorAll(".bracket section")].map((round) =>
	[...round.querySelectorAll(".match")].map((match) => [...match.querySelectorAll(".side")].map((side) =>
		side.querySelector(".who").textContent + (side.classList.contains("won") ? "*" : ""))))`

// hexBoard reports whether a drawing is that of a game that was won, with its stones.
const hexBoard = `((board) => board && board.getBoundingClientRect().width > 100 &&
	board.querySelectorAll("circle").length > 7 && board.textContent.includes("wins: connected"))`

// A Hex evening of eight: a Swiss gives the seeds of a knockout. Its bracket is that of its games on
// the live page and in the exported file, and both show the games on boards.
func browseEvening(t *testing.T, b *browser) {
	dir := t.TempDir()
	db := filepath.Join(dir, "evening.db")
	nodes := map[string]int{"Ada": 200, "Bea": 100, "Cem": 50, "Dan": 25, "Eva": 20, "Fay": 10, "Gus": 5, "Hal": 2}
	plan := func(name, format string, seeds []string) string {
		match := "game: hex\nrules: {size: 5}\nopenings: {first_moves: [fair], order: random}\nengines:\n"
		for _, engine := range seeds {
			match += fmt.Sprintf("  - {name: %s, builtin: true, sandbox: off, limit: {nodes: %d}}\n", engine, nodes[engine])
		}
		file := filepath.Join(dir, name+".yaml")
		match += "tournament: {" + format + "}\nlimit: {nodes: 200}\n"
		gametest.OK(t, os.WriteFile(file, []byte(match), 0o600))
		return file
	}
	run := func(args ...string) string {
		t.Helper()
		command := exec.Command("thera", append(args, "--db", db)...)
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		return string(out)
	}
	standings := func() (names []string) {
		t.Helper()
		table := run("results", "--table", "standings", "--format", "csv")
		rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		if err != nil || len(rows) != 9 {
			t.Fatalf("standings: %v, %v", rows, err)
		}
		for _, row := range rows[1:] {
			names = append(names, row[1])
		}
		return names
	}
	run("run", plan("swiss", "format: swiss, rounds: 3", slices.Sorted(maps.Keys(nodes))))
	seeds := standings()
	program := start(t, dir, "run", plan("final", "format: knockout", seeds), "--serve=127.0.0.1:0", "--db", db)
	program.await(t, "its page stays up at")
	want := played(t, run("games", "--json"), seeds)
	if first := standings()[0]; !slices.Contains(want[2][0], first+"*") {
		t.Errorf("%s is first, and the final was %v", first, want[2])
	}
	file := filepath.Join(dir, "evening.html")
	run("export", "--format", "html", "-o", file)
	for _, page := range []struct{ name, address, board string }{
		{"the live page", program.address + "run/2", "#board svg"},
		{"the exported page", "file://" + file, "details[open] [data-part=board] svg"},
	} {
		b.open(page.address, "Bracket")
		b.do(chromedp.EmulateViewport(1440, 900))
		if got := value[[][][]string](b, shownBracket); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s has the bracket %v, expected %v", page.name, got, want)
		}
		const above = `document.querySelector(".bracket").getBoundingClientRect().bottom <= innerHeight`
		for _, expression := range []string{above, verdictFirst} {
			if !value[bool](b, expression) {
				t.Errorf("%s: not %s", page.name, expression)
			}
		}
		b.fits(page.name)
		if strings.HasPrefix(page.address, "file:") {
			b.click("details.replay summary")
		} else {
			b.click(".bracket section:last-child a.match")
			b.click(`td a[href^="/game/"]`)
		}
		b.until(hexBoard + `(document.querySelector("` + page.board + `"))`)
	}
	b.fits("a game of the exported page")
}

// played is the bracket by the stored games of a knockout: who met in each round, and who has more
// wins, of a tie the higher seed.
func played(t *testing.T, lines string, seeds []string) (rounds [][][]string) {
	t.Helper()
	wins := map[string]int{}
	for line := range strings.Lines(lines) {
		var game struct {
			First, Second string
			Round         int
			Winner        int // 1 is First; no game of Hex is a draw
		}
		gametest.OK(t, json.Unmarshal([]byte(line), &game))
		for len(rounds) < game.Round {
			rounds = append(rounds, nil)
		}
		match := []string{game.First, game.Second}
		slices.SortFunc(match, func(a, b string) int { return slices.Index(seeds, a) - slices.Index(seeds, b) })
		round := &rounds[game.Round-1]
		if !slices.ContainsFunc(*round, func(m []string) bool { return slices.Equal(m, match) }) {
			*round = append(*round, match)
		}
		wins[fmt.Sprint(game.Round, []string{game.First, game.Second}[game.Winner-1])]++
	}
	for i, round := range rounds {
		for _, match := range round {
			won := 0
			if wins[fmt.Sprint(i+1, match[1])] > wins[fmt.Sprint(i+1, match[0])] {
				won = 1
			}
			match[won] += "*"
		}
	}
	return rounds
}
