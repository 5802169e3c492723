package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"thera/arena/files"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// versioned is a player with a version.
type versioned struct {
	*nim.Game
	version *game.Version
}

func (v versioned) Version() game.Version { return *v.version }

// A built-in player is its version: another program that has the same player goes on
// with a run, and one that has another player does not.
func TestPlayerIsAVersion(t *testing.T) {
	host := testHost(t)
	version := game.Version{Signature: 1}
	host.Players = func(string) game.Player { return versioned{nim.New(), &version} }
	was := parse(t, host, pair)

	host.Self = filepath.Join(t.TempDir(), "thera")
	gametest.OK(t, os.WriteFile(host.Self, []byte("a newer program"), 0o700))
	is := parse(t, host, pair)
	if d := was.Differences(is); len(d) > 0 {
		t.Errorf("the same player in another program: %q", d)
	}
	if was.Identity([2]string{"a", "b"}) != is.Identity([2]string{"a", "b"}) {
		t.Error("the games of the same player have other identities")
	}
	if err := files.Unchanged("a", is.Engines[0].Hashed); err != nil {
		t.Error(err)
	}
	gametest.OK(t, os.WriteFile(host.Self, []byte("built again"), 0o700))
	if err := files.Unchanged("a", is.Engines[0].Hashed); (err == nil) != (runtime.GOOS == "linux") {
		t.Errorf("the program changed while the run is played: %v", err)
	}
	version.Revision++
	if d := strings.Join(was.Differences(parse(t, host, pair)), "\n"); !strings.Contains(d, "engines.a.binary: was ") {
		t.Errorf("another player: %q", d)
	}
}
