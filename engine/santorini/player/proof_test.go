package player_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"thera/engine/gametest"
	"thera/engine/santorini/internal/slow"
	"thera/engine/santorini/player"
	"thera/engine/search"
)

// prover proves wins and losses with the slow model.
type prover struct {
	nexts  map[string][]string
	budget int // lists of turns it may still ask for; below 0 it gave up
}

func newProver(budget int) *prover {
	return &prover{nexts: map[string][]string{}, budget: budget}
}

func (p *prover) next(text string) []string {
	list, ok := p.nexts[text]
	if !ok {
		p.budget--
		list = slow.Next(text)
		p.nexts[text] = list
	}
	return list
}

// wins reports whether the mover wins in at most depth plies.
func (p *prover) wins(text string, depth int) bool {
	if depth < 1 || p.budget < 0 {
		return false
	}
	for _, next := range p.next(text) {
		if strings.Contains(next, "#") {
			return true
		}
	}
	if depth >= 2 {
		for _, next := range p.next(text) {
			if p.loses(next, depth-1) {
				return true
			}
		}
	}
	return false
}

// loses reports whether the mover loses in at most depth plies. A blocked mover has
// lost already.
func (p *prover) loses(text string, depth int) bool {
	list := p.next(text)
	for _, next := range list {
		if strings.Contains(next, "#") {
			return false
		}
	}
	for _, next := range list {
		if !p.wins(next, depth-1) {
			return false
		}
	}
	return p.budget >= 0
}

// outcome is 1 or -1 with the exact number of plies, 0 if neither side wins
// within depth.
func (p *prover) outcome(text string, depth int) (sign, plies int) {
	for d := range depth + 1 {
		switch {
		case p.wins(text, d):
			return 1, d
		case p.loses(text, d):
			return -1, d
		}
	}
	return 0, 0
}

type provenPosition struct {
	text        string
	sign, plies int
}

const provenFile = "testdata/proven.tsv"

func readProven(t testing.TB) []provenPosition {
	t.Helper()
	file, err := os.Open(provenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []provenPosition
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var p provenPosition
		if _, err := fmt.Sscanf(lines.Text(), "%d\t%d\t%s", &p.sign, &p.plies, &p.text); err != nil {
			t.Fatalf("%s: %q: %v", provenFile, lines.Text(), err)
		}
		list = append(list, p)
	}
	return list
}

// TestLongProvenPositions proves the rows of testdata/proven.tsv with the slow model,
// in the long form all of them.
func TestLongProvenPositions(t *testing.T) {
	list := readProven(t)
	if len(list) != 200 {
		t.Fatalf("%d proven positions", len(list))
	}
	step := 12
	if gametest.Long(t) {
		step = 1
	}
	begin, proved, kinds := time.Now(), 0, map[int]int{}
	for i := 0; i < len(list); i += step {
		p := newProver(1 << 30)
		if sign, plies := p.outcome(list[i].text, list[i].plies); sign != list[i].sign || plies != list[i].plies {
			t.Errorf("%s: the model says %d in %d, the file %d in %d", list[i].text, sign, plies, list[i].sign, list[i].plies)
		}
		proved++
		kinds[list[i].sign*list[i].plies]++
	}
	t.Logf("%d proven by the model in %v: %v", proved, time.Since(begin).Round(time.Millisecond), kinds)
}

// TestPlayerSolves checks that the player proves each of them at the depth that it
// needs, with the exact number of plies, and plays a turn that keeps it. Pruning by a net may
// overlook one or two, which three plies more must prove.
func TestPlayerSolves(t *testing.T) {
	var nodes, worst int64
	deeper := 0
	for i, p := range readProven(t) {
		score, next, n, err := player.Think(p.text, player.Limits{Depth: p.plies})
		if sign, _ := search.Proven(score); sign != p.sign && err == nil {
			deeper++
			score, next, n, err = player.Think(p.text, player.Limits{Depth: p.plies + 3})
		}
		if err != nil {
			t.Fatal(err)
		}
		if sign, plies := search.Proven(score); sign != p.sign || plies != p.plies {
			t.Errorf("%s: the player says %d in %d, proven is %d in %d", p.text, sign, plies, p.sign, p.plies)
		}
		if p.plies == 3 && i%4 == 0 {
			if sign, plies := newProver(20000).outcome(next, 2); sign != -p.sign || plies != 2 {
				t.Errorf("%s: %s is %d in %d", p.text, next, sign, plies)
			}
		}
		nodes, worst = nodes+n, max(worst, n)
	}
	t.Logf("200 positions, %d nodes, at most %d; %d needed more plies", nodes, worst, deeper)
	if deeper > 2 {
		t.Errorf("%d positions needed more plies", deeper)
	}
}
