package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"thera/arena/sandbox"
	"thera/cmd/faultkit/hopper"
	"thera/engine/gametest"
	"thera/engine/pyrat/protocol/tcp/tcptest"
)

// TestMain makes thera and the fake engines available as commands in stories.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // of three thousand short processes, most need no collection
	sandbox.Main()
	gametest.Parallel(6)
	testscript.Main(m, map[string]func(){
		"thera":      main,
		"mute":       func() { fakeEngine(mute) },
		"crasher":    func() { fakeEngine(crash) },
		"cheat":      func() { fakeEngine(cheat) },
		"dead":       func() { os.Exit(3) },
		"gated":      gated,
		"older":      older,
		"garbler":    func() { fakeEngine(garbler) },
		"tardy":      tardy,
		"otherready": otherReady,
		"slowhex":    slowHex,
		"gtphex":     gtpHex,
		"muttering":  muttering,

		"my-engine":  func() { serveOwn("santorini", os.Stdin) },
		"rival":      func() { serveOwn("santorini", os.Stdin) },
		"engine-new": func() { serveOwn("santorini", os.Stdin) },
		"engine-old": weaker,
		"helios":     func() { serveOwn("gyges", os.Stdin) },
		"toy":        toy,
		"tunable":    tunable,
		"moody":      moody,
		"brittle":    brittle,
		"stolen":     stolen,
		"natsd":      natsd,
		"natsmember": natsmember,
		"instant":    instant,
		"pyratbot":   pyratBot,
		"tcpbot":     tcptest.Main,
		"unknowing":  unknowing,

		"newgod":         func() { newGod(hopper.FaultNone) },
		"newgod-climb":   func() { newGod(hopper.FaultClimb) },
		"newgod-dies":    func() { newGod(hopper.FaultDies) },
		"newgod-lot":     func() { newGod(hopper.FaultUnplaced) },
		"newgod-indices": func() { newGod(hopper.FaultIndices) },

		"attacker":     attacker,
		"thief":        thief,
		"unprivileged": unprivileged,
	})
}

// TestStories runs the user stories, one for each file.
func TestStories(t *testing.T) {
	t.Parallel()
	stories := testscript.Params{Dir: filepath.Join("testdata", "script")}
	if gametest.Race {
		for _, name := range raced {
			stories.Files = append(stories.Files, filepath.Join(stories.Dir, name+".txtar"))
		}
		stories.Dir = ""
	}
	testscript.Run(t, storyParams(t, stories))
}

// ownAddress is an address at which a server can be started again and again: its port is none that
// the system gives to those who ask for any.
func ownAddress(t testing.TB) string {
	t.Helper()
	for range 100 {
		at := fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))
		if l, err := net.Listen("tcp", at); err == nil {
			_ = l.Close()
			return at
		}
	}
	t.Fatal("no port is free")
	return ""
}

// TestHole runs the stories of faults that were found from outside: each
// failed before its fault was mended.
func TestHole(t *testing.T) {
	if gametest.Race {
		t.Skip("the race detector sees the stories of TestStories")
	}
	t.Parallel()
	testscript.Run(t, storyParams(t, testscript.Params{Dir: filepath.Join("testdata", "hole")}))
}

// raced are the stories that the race detector sees: all that goroutines do to
// each other happens in them.
var raced = []string{"central_games", "engine", "events", "faults", "gone", "interrupt", "resume", "twice"}

// storyParams fills in the parameters that all stories share.
func storyParams(t *testing.T, p testscript.Params) testscript.Params {
	t.Helper()
	configs, err := filepath.Abs(filepath.Join("..", "..", "configs"))
	gametest.OK(t, err)
	p.RequireExplicitExec = true
	p.UpdateScripts = gametest.Update(t)
	p.Condition = func(cond string) (bool, error) {
		if cond == "ci" { // where a missing program is an error
			return os.Getenv("CI") == "true", nil
		}
		if cond == "boxed" { // where the sandbox holds all that it promises
			_, err := sandboxReport(string(sandbox.Require))
			return err == nil, nil
		}
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	p.Setup = func(env *testscript.Env) error {
		env.Setenv("CONFIGS", configs)
		env.Setenv("OWN", ownAddress(t))
		// Testscript's own HOME is outside the folder of the story.
		env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
		env.Setenv("XDG_CONFIG_HOME", "")
		env.Setenv("XDG_CACHE_HOME", "")
		env.Values[visitorKey{}] = &visitor{}
		return nil
	}
	p.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"waitfor": waitFor, "dumpgames": dumpGames, "exits": exits, "flip": flip, "pick": pick, "checked": checked, "fits": fits, "examples": examples,
		"readpgn": readPGN, "visit": visit, "leave": leave, "get": get, "getjson": getJSON,
	}
	return p
}
