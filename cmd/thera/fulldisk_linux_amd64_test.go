package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"thera/engine/gametest"
)

// diskFiles are what each program of this test finds: a match of two engines that are scripts.
var diskFiles = map[string]string{
	"m.yaml": `game: pyrat
rules: {max_turns: 3, preprocessing: 1m, postprocessing: 0s}
openings: {maze: {preset: tiny, mud: 0}}
engines:
  - {name: a, sandbox: off, command: ./bot.sh}
  - {name: b, sandbox: off, command: ./bot.sh}
tournament: {rounds: 1}
limit: {move: 20s}
`,
	"bot.sh": `#!/bin/sh
while read word rest; do
	case $word in
	pyrat) echo id name bot; echo pyratready ;;
	startpreprocessing) echo preprocessingdone ;;
	isready) echo readyok ;;
	go) echo move UP ;;
	esac
done
`,
}

// written are programs that write, and the files that each writes. Older files stand there, unless
// the program needs a place where none is.
var written = []struct {
	args  string
	files []string
	empty bool
}{
	{
		"run m.yaml --db results/r.db --events e.jsonl --log l.txt",
		[]string{"results/r.db", "results/.gitignore", "e.jsonl", "l.txt", "stdout"},
		true,
	},
	{"import r.jsonl --db i.db", []string{"i.db"}, true},
	{"init --engine python --game pyrat", []string{"pyrat.py", "stdout"}, true},
	{"export --db results/r.db --format csv", []string{"stdout"}, false},
	{"export --db results/r.db -o x.jsonl", []string{"x.jsonl"}, false},
	{"export --db results/r.db --format csv -o x.csv", []string{"x.csv"}, false},
	{"export --db results/r.db --format pgn -o x.pgn", []string{"x.pgn"}, false},
	{"export --db results/r.db --format html -o x.html", []string{"x.html"}, false},
	{"export --db results/r.db --format pyrat -o own", []string{"own/*"}, false},
	{"export --db results/r.db --format html --each pages", []string{"pages/*"}, false},
	{"results --db results/r.db --svg x.svg", []string{"x.svg"}, false},
}

// growing are the files that a program writes while it goes on. All others are whole or not there.
var growing = regexp.MustCompile(`\.db$|^(e.jsonl|l.txt|stdout)$`)

// trial is one program that runs on a disk with a fault.
type trial struct {
	program     int // of written
	first, last int // calls that fail
	errno       unix.Errno
}

// whole is what a program writes where nothing fails.
type whole struct {
	calls []string
	files map[string]string
}

// A disk is full, or fails, at any call that changes a file: the program says so, with the file and
// status 1, or nothing is lost. When there is room again, the same command does all that was left.
func TestLongDisk(t *testing.T) {
	gametest.Sequential(t)
	t.Parallel()
	dir := t.TempDir()
	for name, text := range diskFiles {
		gametest.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777))
	}
	for _, args := range []string{"run m.yaml --db results/r.db", "export --db results/r.db -o r.jsonl"} {
		if status, said := on(t, &disk{dir: dir}, args); status != 0 {
			t.Fatalf("thera %s: %d\n%s", args, status, said)
		}
	}
	undisturbed := make([]whole, len(written))
	var trials []trial
	for i, p := range written {
		d := &disk{dir: fresh(t, dir, i, nil)}
		if status, said := on(t, d, p.args); status != 0 {
			t.Fatalf("thera %s: %d\n%s", p.args, status, said)
		}
		undisturbed[i] = whole{d.calls, d.read(t, i)}
		for n := range len(d.calls) {
			for _, errno := range []unix.Errno{unix.ENOSPC, unix.EIO} {
				trials = append(trials, trial{i, n + 1, n + 1, errno}, trial{i, n + 1, 1 << 30, errno})
			}
		}
		t.Logf("thera %s: %d calls", p.args, len(d.calls))
	}
	if seed := uint64(34); !gametest.Long(t) {
		swap := func(i, j int) { trials[i], trials[j] = trials[j], trials[i] }
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(trials), swap)
		trials = trials[:20]
	}
	failed, found := 0, 0
	for _, x := range trials {
		p, want := written[x.program], undisturbed[x.program]
		d := &disk{dir: fresh(t, dir, x.program, want.files), first: x.first, last: x.last, errno: x.errno}
		status, said := on(t, d, p.args)
		failed += len(d.failed)
		problems := d.problems(t, x, want, status, said)
		if status != 0 {
			found++
			problems = append(problems, d.again(t, x, want)...)
		}
		if len(problems) > 0 {
			t.Errorf("thera %s: %v at %d to %d %q\nstatus %d: %s\n%s",
				p.args, x.errno, x.first, x.last, d.failed, status, said, strings.Join(problems, "\n"))
		}
		gametest.OK(t, os.RemoveAll(d.dir))
	}
	t.Logf("%d trials, %d calls failed, %d programs said so", len(trials), failed, found)
}

// fresh is a folder for a program, in which older files stand where it writes whole ones.
func fresh(t *testing.T, from string, program int, older map[string]string) string {
	t.Helper()
	dir, err := os.MkdirTemp(from, "on")
	gametest.OK(t, err)
	put := func(name string, text []byte) {
		name = filepath.Join(dir, name)
		gametest.OK(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, text, 0o777)))
	}
	for _, name := range []string{"m.yaml", "bot.sh", "r.jsonl", "results/r.db"} {
		if text, err := os.ReadFile(filepath.Join(from, name)); err == nil && (name != "results/r.db" || program > 0) {
			put(name, text)
		}
	}
	for name := range older {
		if !written[program].empty {
			put(name, []byte("old"))
		}
	}
	return dir
}

// on runs thera in the folder of a disk. Its stdout is a file there.
func on(t *testing.T, d *disk, args string) (status int, said string) {
	t.Helper()
	out, err := os.Create(filepath.Join(d.dir, "stdout"))
	gametest.OK(t, err)
	defer out.Close()
	var errOut bytes.Buffer
	cmd := exec.Command("thera", strings.Fields(args)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = d.dir, out, &errOut
	err = d.during(t, cmd.Run)
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), errOut.String()
}

// figure is what differs from start to start.
var figure = regexp.MustCompile(` *[0-9]+(\.[0-9]+)?`)

// temporary are files that will replace others.
var temporary = regexp.MustCompile(`\.[0-9]+$`)

// read is what a program has written, without what differs from start to start.
func (d *disk) read(t *testing.T, program int) map[string]string {
	t.Helper()
	is := map[string]string{}
	for _, pattern := range written[program].files {
		names, err := filepath.Glob(filepath.Join(d.dir, pattern))
		gametest.OK(t, err)
		for _, path := range names {
			text, err := os.ReadFile(path)
			gametest.OK(t, err)
			name := strings.TrimPrefix(path, d.dir+"/")
			if temporary.MatchString(name) {
				continue
			}
			lines := strings.SplitAfter(string(text), "\n")
			switch {
			case strings.HasSuffix(name, ".db"):
				if lines, err = gamesIn(context.Background(), path); err != nil {
					lines = []string{err.Error()}
				}
			case name == "l.txt":
				slices.Sort(lines)
			case name == "e.jsonl":
				lines = slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, `"progress"`) })
				for i := range lines {
					lines[i], _, _ = strings.Cut(lines[i], ",")
				}
			case program == 0:
				lines = []string{figure.ReplaceAllString(string(text), "#")}
			}
			is[name] = strings.Join(lines, "")
		}
	}
	return is
}

// reasons are what a program says of a disk that is full or fails.
var reasons = regexp.MustCompile(`no space left on device|the disk is full|the disk fails|input/output error`)

// stem is what a message calls a file that stands beside another one, or will replace it.
var stem = regexp.MustCompile(`^(own|results|[a-z/]+(\.[a-z]+)?)`)

// given are files that are there before, and those beside a database.
var given = regexp.MustCompile(`^(m\.yaml|bot\.sh|r\.jsonl|stdout|[a-z/]+\.db(-(wal|shm|journal|runs))?)$`)

// problems are what is wrong after a trial.
func (d *disk) problems(t *testing.T, x trial, want whole, status int, said string) (list []string) {
	t.Helper()
	is := d.read(t, x.program)
	names := func(file string) bool { return strings.Contains(said, stem.FindString(file)) }
	switch {
	case status == 0:
		if diff := diff(is, want.files); diff != "" {
			list = append(list, "status 0, and not the same: "+diff)
		}
	case status != exitFindings:
		list = append(list, "expected status 1")
	case !reasons.MatchString(said):
		list = append(list, "no reason")
	case !slices.ContainsFunc(d.failed, names):
		list = append(list, fmt.Sprintf("no file: %q", d.failed))
	}
	if strings.Contains(said, "goroutine ") {
		list = append(list, "a panic")
	}
	for name, text := range is {
		stays := strings.Contains(said, "remove "+name)
		if !growing.MatchString(name) && text != "old" && text != want.files[name] && !stays {
			list = append(list, fmt.Sprintf("%s is neither old nor new: %.60q", name, text))
		}
	}
	if x.first == x.last {
		_ = filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
			name := strings.TrimPrefix(path, d.dir+"/")
			if _, known := want.files[name]; err == nil && !e.IsDir() && !known && !given.MatchString(name) {
				list = append(list, "left behind: "+name)
			}
			return err
		})
	}
	return list
}

// again are what is wrong if the program runs once more, where nothing fails. Of a run its games are
// compared: the events and the log have what was left of it.
func (d *disk) again(t *testing.T, x trial, want whole) []string {
	t.Helper()
	d.last = 0
	_ = os.Remove(filepath.Join(d.dir, "pyrat.py")) // init replaces no file
	status, said := on(t, d, written[x.program].args)
	is := d.read(t, x.program)
	if x.program == 0 {
		is["e.jsonl"], is["l.txt"] = want.files["e.jsonl"], want.files["l.txt"]
		if x.last > x.first { // the new folder could not be removed either
			is["results/.gitignore"] = want.files["results/.gitignore"]
		}
	}
	if diff := diff(is, want.files); status != 0 || diff != "" {
		return []string{fmt.Sprintf("once more: status %d, %s\n%s", status, diff, said)}
	}
	return nil
}

// diff names the first file that differs.
func diff(is, want map[string]string) string {
	for name, text := range want {
		if is[name] != text {
			return fmt.Sprintf("%s: %.300q, want %.300q", name, is[name], text)
		}
	}
	return ""
}
