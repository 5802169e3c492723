package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes thera and the fake engines commands of the stories.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"thera":   main,
		"mute":    func() { fakeEngine(mute) },
		"crasher": func() { fakeEngine(crash) },
		"cheat":   func() { fakeEngine(cheat) },
		"dead":    func() { os.Exit(3) },
	})
}

// TestStories plays what users do, one file each.
func TestStories(t *testing.T) {
	configs, err := filepath.Abs(filepath.Join("..", "..", "configs"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("THERA_UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("CONFIGS", configs)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"waitfor":   waitFor,
			"dumpgames": dumpGames,
		},
	})
}
