package faultkit

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// Target is an environment variable that says what attacks are aimed at: the arena's
// process, a file of the arena, and a folder. Without it they are aimed at the parent
// process, results/thera.db and the working folder.
const Target = "THERA_TEST_TARGET"

const attackWord = "attack"

// target is what Target says.
type target struct {
	arena      int
	db, folder string
}

func aim() target {
	t := target{os.Getppid(), filepath.Join("results", "thera.db"), "."}
	_, _ = fmt.Sscan(os.Getenv(Target), &t.arena, &t.db, &t.folder)
	return t
}

// attacks are what an engine may try against others in a game; the tests of package sandbox have more. An error says what was in
// its way. killarena kills the arena where nothing is.
var attacks = map[string]func(t target) error{
	"killrival": func(t target) error { return t.signal(unix.SIGKILL) },
	"stoprival": func(t target) error { return t.signal(unix.SIGSTOP) },
	"renicerival": func(t target) error {
		return t.each(func(pid int) error { return unix.Setpriority(unix.PRIO_PROCESS, pid, 19) })
	},
	"writerival": func(t target) error { return t.each(writeMove) },
	"rivalenv": func(t target) error {
		return t.each(func(pid int) error { return read(fmt.Sprintf("/proc/%d/environ", pid)) })
	},
	"killarena":  func(t target) error { return unix.Kill(t.arena, unix.SIGKILL) },
	"readdb":     func(t target) error { return read(t.db) },
	"deletedb":   func(t target) error { return os.Remove(t.db) },
	"fillfolder": func(t target) error { return fill(t.folder, 300) },
	"filltmp":    func(target) error { return fill(os.TempDir(), 300) },
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
	try := attacks[name]
	if try == nil {
		fmt.Fprintf(os.Stderr, "no attack %q\n", name)
		return
	}
	if err := try(aim()); err != nil {
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

func (t target) signal(sig unix.Signal) error {
	return t.each(func(pid int) error { return unix.Kill(pid, sig) })
}

// writeMove answers in the opponent's place.
func writeMove(pid int) error {
	out, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/1", pid), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer out.Close()
	_, err = out.WriteString("move 1 1\n")
	return err
}

func read(path string) error {
	_, err := os.ReadFile(path)
	return err
}

// fill writes up to most MiB to a file.
func fill(folder string, most int) error {
	file, err := os.CreateTemp(folder, "fill")
	if err != nil {
		return err
	}
	defer file.Close()
	block := make([]byte, 1<<20)
	for i := range most {
		if _, err := file.Write(block); err != nil {
			return fmt.Errorf("after %d MiB: %w", i, err)
		}
	}
	return nil
}
