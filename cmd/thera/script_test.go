package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

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
			"waitfor": waitFor,
		},
	})
}

// waitFor waits until a file that another process writes holds a text:
// waitfor FILE REGEXP.
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitfor FILE REGEXP")
	}
	want := regexp.MustCompile(args[1])
	name := ts.MkAbs(args[0])
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	end := time.After(30 * time.Second)
	for {
		if text, err := os.ReadFile(name); err == nil && want.Match(text) {
			return
		}
		select {
		case <-tick.C:
		case <-end:
			ts.Fatalf("%s never held %s", args[0], args[1])
		}
	}
}
