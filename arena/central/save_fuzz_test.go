//go:build unix

package central

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/player"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// No text in a save file makes central panic, and a game that was read is the
// same when it is saved again.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"version":1,"game":"nim","start":"6 1","moves":["2","1"],"position":"3 1"}`))
	f.Add([]byte(`{"version":1,"game":"nim","start":"6 1","moves":["2","9"]}`))
	f.Add([]byte(`{"version":1,"game":"nim","rules":["a=b"],"start":"6 1","moves":null}`))
	f.Add([]byte("\xff{}"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		c := &Central{Game: nim.New(6), Out: &bytes.Buffer{}}
		path, again := filepath.Join(dir, "in.save"), filepath.Join(dir, "out.save")
		gametest.OK(t, os.WriteFile(path, text, 0o644))
		history, err := c.load(path)
		if err != nil {
			return
		}
		c.match = match.New(c.Game, [2]*player.Player{}, [2]arena.Limit{}, arena.Adjudication{}, history, &arena.Game{}, match.Options{})
		gametest.OK(t, os.RemoveAll(again))
		gametest.OK(t, c.save(again))
		back, err := c.load(again)
		if err != nil || back.Ply != history.Ply || back.Position.String() != history.Position.String() {
			t.Errorf("%q comes back as %v, %v", text, back, err)
		}
	})
}
