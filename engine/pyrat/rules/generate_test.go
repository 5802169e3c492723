package rules

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"thera/engine/gametest"
)

func generated(t testing.TB, name string, seed uint64) *Position {
	t.Helper()
	plan, _ := Preset(name)
	p, err := plan.Generate(seed, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A seed gives the same maze on every machine and in every version.
// testdata/mazes.txt has one maze per line, by preset and seed, and a hash of a
// hundred more of each preset.
func TestSeedsKeepTheirMazes(t *testing.T) {
	b := &strings.Builder{}
	for _, preset := range presets {
		for _, seed := range []uint64{0, 1, 1<<64 - 1} {
			if preset.Width > 21 && seed > 0 {
				continue // long lines; the hash covers them
			}
			fmt.Fprintf(b, "%s %d %s\n", preset.name, seed, generated(t, preset.name, seed))
		}
		hash := sha256.New()
		for seed := range uint64(100) {
			fmt.Fprintln(hash, generated(t, preset.name, seed<<32+seed))
		}
		fmt.Fprintf(b, "%s hash %x\n", preset.name, hash.Sum(nil))
	}
	const path = "testdata/mazes.txt"
	if gametest.Update(t) {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Error("a seed's maze has changed: seeds of stored runs would give other games")
	}
}

// TestMazesAreAsPromised checks the connection, symmetry, counts and starts of
// many mazes.
func TestMazesAreAsPromised(t *testing.T) {
	for _, preset := range presets {
		walls, muds, passages := 0, 0, 0
		for seed := range uint64(20) {
			p := generated(t, preset.name, seed)
			m, last := p.board.Maze, Cell(p.board.Cells()-1)
			if m.Width != preset.Width || m.Height != preset.Height || int(p.board.MaxTurns) != preset.MaxTurns {
				t.Fatalf("%s: %d x %d, %d turns", preset.name, m.Width, m.Height, p.board.MaxTurns)
			}
			if p.state.At != [2]Cell{0, last} || int(p.state.Left) != preset.Cheese || p.cheese.Has(0) || p.cheese.Has(int(last)) {
				t.Fatalf("%s: players %v, %d cheese", preset.name, p.state.At, int(p.state.Left))
			}
			for cell, in := range m.reachable(0) {
				if !in {
					t.Fatalf("%s, seed %d: %s is cut off", preset.name, seed, m.CellName(Cell(cell)))
				}
			}
			for _, w := range m.muds {
				if w.mud < 2 || w.mud > 3 {
					t.Fatalf("%s: mud %d", preset.name, w.mud)
				}
			}
			passages += (m.Width-1)*m.Height + (m.Height-1)*m.Width
			walls += len(m.walls)
			muds += len(m.muds)
			if !preset.Symmetric {
				continue
			}
			for c := range Cell(m.Cells()) {
				if p.cheese.Has(int(c)) != p.cheese.Has(int(last-c)) {
					t.Fatalf("%s: cheese at %s has no image", preset.name, m.CellName(c))
				}
				for move := range Move(NumMoves) {
					to, mud := m.Next(c, move)
					image, imageMud := m.Next(last-c, move.Opposite())
					if move != Stay && ((to < 0) != (image < 0) || mud != imageMud) {
						t.Fatalf("%s: %s %s has no image", preset.name, m.CellName(c), move)
					}
				}
			}
		}
		t.Logf("%-10s walls %.3f of all passages, mud %.3f of the open ones", preset.name,
			float64(walls)/float64(passages), float64(muds)/float64(passages-walls))
		if open := preset.Walls == 0; (walls == 0) != open || (muds == 0) != open {
			t.Errorf("%s: %d walls, %d mud", preset.name, walls, muds)
		}
	}
}
