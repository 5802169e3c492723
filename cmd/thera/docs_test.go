package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena/config"
	"thera/arena/sandbox"
	"thera/engine/gametest"
)

// The documents: README.md and the pages of docs, by paths relative to this folder.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	return append(pages, filepath.Join("..", "..", "README.md"))
}

// TestDocuments runs the fenced blocks of the documents. The word after the fence says what a block is:
//
//	sh               commands, all of which succeed
//	console          lines "$ COMMAND", each followed by what it prints
//	session COMMAND  lines that a program is sent (>), and its answers (<)
//	yaml FILE        a file that the blocks after it find
//
// The blocks of a page run one after the other in one folder, which has nothing but configs at first, with the
// engines NEW and OLD for configs/new-god.yaml. Times, speeds and commits may differ. A block that cannot be run
// here has "norun: WHY" after its first word; its commands are parsed. One with "boxed" needs a whole sandbox. Blocks
// in other languages are not run.
// THERA_UPDATE=1 writes what is printed today into the pages.
func TestDocuments(t *testing.T) {
	gametest.Sequential(t) // thera is another process
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		const text = "no python3: the documents, whose engines are in Python, are not run (install python3)"
		if os.Getenv("CI") == "true" {
			t.Fatal(text)
		}
		t.Skip(text)
	}
	for _, name := range documents(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			gametest.OK(t, err)
			page := strings.SplitAfter(string(text), "\n")
			d := newDocument(t)
			var out []string
			for i := 0; i < len(page); i++ {
				out = append(out, page[i])
				info, found := strings.CutPrefix(strings.TrimSpace(page[i]), "```")
				if !found {
					continue
				}
				indent := page[i][:strings.Index(page[i], "```")]
				n := slices.IndexFunc(page[i+1:], func(line string) bool { return strings.TrimSpace(line) == "```" })
				if n < 0 {
					t.Fatalf("line %d: a block has no end", i+1)
				}
				var block []string
				for _, line := range page[i+1 : i+1+n] {
					block = append(block, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), indent))
				}
				got := d.run(t, i+1, info, block)
				if diff := cmp.Diff(masked(block), masked(got)); diff == "" {
					got = block // what was there, with its times
				} else if !gametest.Update(t) {
					t.Errorf("line %d (THERA_UPDATE=1 writes what is printed today; -want +got):\n%s", i+1, diff)
				}
				for _, line := range got {
					if line != "" {
						line = indent + line
					}
					out = append(out, line+"\n")
				}
				out = append(out, page[i+1+n])
				i += n + 1
			}
			if now := strings.Join(out, ""); gametest.Update(t) && now != string(text) {
				gametest.OK(t, os.WriteFile(name, []byte(now), 0o666))
			}
		})
	}
}

// document is the folder in which the blocks of a page run.
type document struct {
	dir string
	env []string
}

func newDocument(t *testing.T) document {
	t.Helper()
	d := document{dir: t.TempDir()}
	gametest.OK(t, os.CopyFS(filepath.Join(d.dir, "configs"), os.DirFS(filepath.Join("..", "..", "configs"))))
	home := t.TempDir()
	const author = "[user]\nname = you\nemail = you@example.com\n[init]\ndefaultBranch = main\n"
	gametest.OK(t, os.WriteFile(filepath.Join(home, "gitconfig"), []byte(author), 0o600))
	d.env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "THERA_CACHE="+filepath.Join(home, "cache"), "THERA_DB=",
		"GIT_CONFIG_GLOBAL="+filepath.Join(home, "gitconfig"), "COLUMNS=", "THERA_UPDATE=",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z", // the openings of thera test are by commits
		"NEW=newgod", "OLD=newgod-climb")
	return d
}

// run returns the lines of a block as they are today.
func (d document) run(t *testing.T, at int, info string, block []string) []string {
	t.Helper()
	kind, rest, _ := strings.Cut(info, " ")
	why, left := strings.CutPrefix(rest, "norun:")
	if rest == "boxed" {
		if _, err := sandboxReport(string(sandbox.Require)); err != nil {
			t.Logf("line %d: not run: %v", at, err)
			return block
		}
	}
	switch {
	case kind == "":
		t.Errorf("line %d: a block without a language", at)
	case left && strings.TrimSpace(why) == "":
		t.Errorf("line %d: norun without a reason", at)
	case left || rest == "" && kind == "yaml":
		parses(t, strings.Join(block, "\n"))
	case kind == "yaml":
		gametest.OK(t, os.WriteFile(filepath.Join(d.dir, rest), []byte(strings.Join(block, "\n")+"\n"), 0o600))
	case kind == "sh":
		d.command(t, at, "set -e\n"+strings.Join(block, "\n"))
	case kind == "console":
		var now []string
		for i, line := range block {
			command, found := strings.CutPrefix(line, "$ ")
			if i == 0 && !found {
				t.Errorf("line %d: a console begins with a command", at)
			}
			if found {
				printed := strings.TrimRight(d.command(t, at+1+i, command), "\n")
				if now = append(now, line); printed != "" {
					for _, line := range strings.Split(printed, "\n") {
						now = append(now, strings.TrimRight(line, " "))
					}
				}
			}
		}
		return now
	case kind == "session":
		return d.session(t, at, rest, block)
	}
	return block
}

// command is what a command of the shell prints.
func (d document) command(t *testing.T, at int, command string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-o", "pipefail", "-c", command)
	var errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stderr = d.dir, d.env, &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("line %d: %s: %v\n%s%s", at, command, err, out, errs.String())
	}
	return string(out)
}

// session sends a program the lines with > at once, and puts its answers where the page has answers.
func (d document) session(t *testing.T, at int, command string, block []string) []string {
	t.Helper()
	words, err := config.SplitWords(command)
	if err != nil || len(words) == 0 {
		t.Fatalf("line %d: %q: %v", at, command, err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(d.dir, words[0]), words[1:]...)
	cmd.Dir, cmd.Env = d.dir, d.env
	in, err := cmd.StdinPipe()
	gametest.OK(t, err)
	out, err := cmd.StdoutPipe()
	gametest.OK(t, err)
	gametest.OK(t, cmd.Start())
	answers := bufio.NewReader(out)
	var now []string
	for _, line := range block {
		sent, found := strings.CutPrefix(line, ">")
		switch {
		case found:
			now = append(now, line)
			_, err = io.WriteString(in, strings.TrimPrefix(sent, " ")+"\n")
		case !strings.HasPrefix(line, "<"): // it would be waited for
			t.Fatalf("line %d: %q is neither sent (>) nor an answer (<)", at, line)
		default:
			var got string
			got, err = answers.ReadString('\n') // an engine that says less ends the test by its time
			now = append(now, "< "+strings.TrimSuffix(got, "\n"))
		}
		if err != nil {
			t.Fatalf("line %d: %q: %v", at, line, err)
		}
	}
	in.Close()
	if more, err := io.ReadAll(answers); err != nil || len(more) > 0 {
		t.Errorf("line %d: at the end %q, %v", at, more, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	return now
}

// masked are lines without what differs from run to run and from machine to machine.
func masked(lines []string) []string {
	var out []string
	column := -1 // of ms/move, from the right
	for _, line := range lines {
		cells := regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(line), -1)
		if i := slices.Index(cells, "ms/move"); i >= 0 {
			column = len(cells) - i
		} else if strings.TrimSpace(line) == "" {
			column = -1
		} else if column > 0 && column <= len(cells) {
			cells[len(cells)-column] = "TIME"
		}
		if column > 0 {
			line = strings.Join(cells, "  ") // a column is as wide as its times
		}
		for _, m := range differing {
			line = m.ReplaceAllStringFunc(line, func(word string) string {
				if strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdefghmnsuµ/-\"") {
					return "…"
				}
				return word
			})
		}
		out = append(out, line)
	}
	return out
}

// differing are commits and other hashes, times, dates and speeds.
var differing = []*regexp.Regexp{
	regexp.MustCompile(`\b[0-9a-f]{7,64}\b`),
	regexp.MustCompile(`\b\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?Z?)?\b`),
	regexp.MustCompile(`\b\d+(\.\d+)?(µs|ms|s|m|h)\b`),
	regexp.MustCompile(`[\d.,]+ (games|moves|nodes)/s`),
	regexp.MustCompile(`"(seconds|nodes_per_second)":[\d.e+-]+`),
}

// parses looks at each command of thera in a text: it exists, and has the flags that it is given.
func parses(t *testing.T, text string) {
	t.Helper()
	text = regexp.MustCompile(`\\?\n\s+--`).ReplaceAllString(text, " --") // a command of several lines
	for _, found := range regexp.MustCompile(`(?m)(?:^|[ ;|&(]|run: )thera ([a-z]+\b[^\n|;&)#]*)`).FindAllStringSubmatch(text, -1) {
		line := regexp.MustCompile(` >+ ?["$./a-z].*`).ReplaceAllString(found[1], "") // to a file
		// A quote that is left over ends what is around the command.
		if strings.Count(line, `"`)%2 == 1 {
			line = strings.TrimRight(line, `" `)
		}
		words, err := config.SplitWords(line)
		if err != nil {
			t.Errorf("%s: %v", found[0], err)
			continue
		}
		cmd, rest, err := newRoot(nil).Find(words)
		if err == nil && !cmd.Runnable() {
			err = fmt.Errorf("no command")
		}
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err != nil {
			t.Errorf("%s: %v", found[0], err)
		}
	}
}

// The files of docs/ci name commands that exist, with flags that they have.
func TestCICommands(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "ci", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		gametest.OK(t, err)
		parses(t, string(text))
	}
}
