package faultkit

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// Target is an environment variable that says what attacks are aimed at: the arena's
// process and a file of the arena.
const Target = "THERA_TEST_TARGET"

// target is what Target says.
type target struct {
	arena int
	db    string
}

// attacks are what an engine may try against others in a game; the tests of package sandbox have more. An error says what was in
// its way. killarena kills the arena where nothing is.
var attacks = map[string]func(t target) error{
	"killrival": func(t target) error {
		return t.each(func(pid int) error { return unix.Kill(pid, unix.SIGKILL) })
	},
	"renicerival": func(t target) error {
		return t.each(func(pid int) error { return unix.Setpriority(unix.PRIO_PROCESS, pid, 19) })
	},
	"rivalenv": func(t target) error {
		return t.each(func(pid int) error { return read(fmt.Sprintf("/proc/%d/environ", pid)) })
	},
	"killarena": func(t target) error { return unix.Kill(t.arena, unix.SIGKILL) },
	"readdb":    func(t target) error { return read(t.db) },
	"deletedb":  func(t target) error { return os.Remove(t.db) },
	"cpus": func(target) error {
		var all unix.CPUSet
		for cpu := range 1024 {
			all.Set(cpu)
		}
		return unix.SchedSetaffinity(0, &all)
	},
	"environment": func(target) error { // succeeds if there is a secret
		for _, v := range os.Environ() {
			if strings.Contains(v, "SECRET") {
				return nil
			}
		}
		return errors.New("nothing secret in it")
	},
}

// Attacks are the names of all attacks, sorted.
func Attacks() []string { return slices.Sorted(maps.Keys(attacks)) }

// attack tries the next of these at each question, and says on stderr what came
// of it.
func (e *Engine) attack(names []string) {
	if e.tried >= len(names) {
		return
	}
	name := names[e.tried]
	e.tried++
	var t target
	_, err := fmt.Sscan(os.Getenv(Target), &t.arena, &t.db)
	if err == nil {
		err = attacks[name](t)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s failed: %v\n", name, err)
	} else {
		fmt.Fprintf(os.Stderr, "%s did it\n", name)
	}
}

// each tries something with every other engine: inits are between them and the arena.
func (t target) each(try func(pid int) error) error {
	found := errors.New("no opponent in sight")
	for _, pid := range sandbox.Numbered("/proc") {
		if pid == os.Getpid() {
			continue
		}
		if init := parent(pid); init == os.Getppid() || parent(init) != t.arena {
			continue
		}
		if found = try(pid); found == nil {
			return nil
		}
	}
	return found
}

func parent(pid int) int {
	words := append(sandbox.Stat(pid), nil, nil)
	n, _ := strconv.Atoi(string(words[1]))
	return n
}

func read(path string) error {
	_, err := os.ReadFile(path)
	return err
}
