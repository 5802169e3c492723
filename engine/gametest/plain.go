package gametest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// PlainEngines wraps the tests of a package whose engines are its test program. Under
// the race detector these engines are the same program without it, which the environment
// variable names: with it a program starts slowly and needs much memory. It is the arena
// that is proved to have no races.
func PlainEngines(tests interface{ Run() int }, variable string) interface{ Run() int } {
	return plain{tests, variable}
}

type plain struct {
	tests    interface{ Run() int }
	variable string
}

func (p plain) Run() int {
	if !Race {
		return p.tests.Run()
	}
	dir, err := os.MkdirTemp("", "engine")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "engine.test")
	build := exec.Command("go", "test", "-c", "-race=false", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the engine without the race detector: %v\n%s", err, out)
		return 1
	}
	os.Setenv(p.variable, program)
	return p.tests.Run()
}
