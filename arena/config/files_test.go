package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"thera/arena"
	"thera/arena/files"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// testHost returns a host with one game and an empty working directory.
func testHost(t *testing.T) Host {
	t.Helper()
	self, err := os.Executable()
	gametest.OK(t, err)
	player := func(string) game.Player { return nim.New() }
	return Host{Games: []game.Game{nim.New()}, Players: player, Self: self, Dir: t.TempDir(), Cores: 4}
}

// write makes files below dir; scripts can be run.
func write(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path, mode := filepath.Join(dir, filepath.FromSlash(name)), os.FileMode(0o600)
		if strings.HasPrefix(text, "#!") {
			mode = 0o700
		}
		gametest.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), mode)))
	}
}

func parse(t *testing.T, host Host, text string, sets ...string) *arena.Plan {
	t.Helper()
	plan, err := Parse("m.yaml", []byte(text), sets, host)
	gametest.OK(t, err)
	return plan
}

const pair = "game: nim\nengines:\n  - {name: a, builtin: true}\n  - {name: b, builtin: true}\n"

// packaged is a game whose engines may come with a file, in a protocol with an adapter.
type packaged struct {
	game.Game
	game.Archiver
}

func (p packaged) With(settings, openings any) (game.Game, []game.Problem) {
	bound, problems := p.Game.With(settings, openings)
	return packaged{Game: bound}, problems
}

func (packaged) Manifest() string { return "start.txt" }

func (packaged) ReadManifest(text []byte) (game.Package, error) {
	words, err := SplitWords(string(text))
	return game.Package{Command: words, Protocol: "bridged"}, err
}

func (p packaged) Dialects() []game.Dialect {
	return append(p.Game.Dialects(), bridged{p.Game.Dialects()[0]})
}

type bridged struct{ game.Dialect }

func (bridged) Name() string { return "bridged" }

func (packaged) Adapter(protocol string) []string {
	if protocol != "bridged" {
		return nil
	}
	return []string{"--bridge"}
}

// matches are what is read from a contest, by the first word of its case.
var matches = map[string]Match{
	"contest": {Format: "sprt"}, "later": {Format: "sprt", Stage: 1}, "theirs": {Format: "sprt"},
	"bounds": {Format: "sprt", Stage: 1, Bounds: &[2]float64{-10, 0}}, "open": {Format: "round-robin", Rounds: 7},
	"tune":  {Format: "sprt", Stage: -1, Alike: []string{"tuned", "old"}},
	"alike": {Format: "round-robin", Stage: -1, Alike: []string{"tuned", "old"}},
}

// readCase reads a file of the archive, whose name says how. settings are those that differ from base.
func readCase(t *testing.T, host Host, name, text string, base *arena.Plan) (lines []string, err error) {
	t.Helper()
	words := strings.Split(name, " --set ")
	how, _, _ := strings.Cut(words[0], ":")
	var plan *arena.Plan
	switch match, contest := matches[how]; {
	case how == "vs":
		q := Quick{Words: []string{"game=nim"}}
		for line := range strings.Lines(text) {
			switch part, word, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); part {
			case "engine":
				q.Commands = append(q.Commands, word)
			case "about":
				q.About = word
			default:
				q.Words = append(q.Words, Word(part, word))
			}
		}
		if q.Commands == nil {
			q.Commands = []string{"builtin", "builtin"}
		}
		var composed []byte
		if plan, composed, err = q.Plan("m.yaml", words[1:], host); err == nil && q.About != "" {
			lines = strings.Split(string(File(composed, "m.yaml", "thera-schema.json")), "\n")
			again := parse(t, host, string(composed))
			if again.Overrides = plan.Overrides; !reflect.DeepEqual(again, plan) {
				t.Errorf("%s: the file is another plan: %+v, want %+v", name, again, plan)
			}
		}
	case contest:
		write(t, host.Dir, map[string]string{"thera.yaml": text})
		file, c := filepath.Join(host.Dir, "thera.yaml"), (*Contest)(nil)
		if how == "theirs" {
			c, err = LoadTheirs(file, words[1:], host, []string{"PASSED"})
		} else {
			c, err = LoadContest(file, words[1:], host)
		}
		if err != nil {
			return nil, err
		}
		if how == "tune" {
			tune, err := c.Tune()
			if err != nil {
				return nil, err
			}
			lines = settings("tune", reflect.ValueOf(*tune), reflect.ValueOf(arena.Tune{}))
		}
		if match.Name = "x"; match.Alike == nil {
			match.Commits = []string{strings.Repeat("a1", 20), strings.Repeat("b2", 20)}
		}
		plan, err = c.Plan(match)
	default:
		if how == "packaged" {
			host.Games = []game.Game{packaged{Game: nim.New()}}
		}
		plan, err = Parse("m.yaml", []byte(text), words[1:], host)
	}
	if err != nil {
		return nil, err
	}
	lines = append(lines, settings("", reflect.ValueOf(*plan), reflect.ValueOf(*base))...)
	first := plan.Identity([2]string{plan.Engines[0].Name, plan.Engines[1].Name}).Job(0, 0)
	return append(lines, fmt.Sprintf("first game: %.8v", first), Overload(plan, host.Cores)), nil
}

// settings lists what is not as in base, one setting a line.
func settings(path string, v, base reflect.Value) (lines []string) {
	switch {
	case reflect.DeepEqual(v.Interface(), base.Interface()) || path == "game" || path == "player":
	case strings.HasSuffix(path, ".hashed"):
		names := arena.Map(v.Interface().([]files.File), func(f files.File) string { return f.Name })
		lines = append(lines, fmt.Sprintf("%s: %v", path, names))
	case v.Kind() == reflect.Struct:
		for f := range arena.Fields(v) {
			of := strings.TrimPrefix(path+"."+f.Key, ".")
			if f.Anonymous {
				of = path
			}
			lines = append(lines, settings(of, f.Value, base.FieldByIndex(f.Index))...)
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct && v.Len() > 0:
		for i := range v.Len() {
			at := reflect.Zero(v.Type().Elem())
			if i < base.Len() {
				at = base.Index(i)
			}
			lines = append(lines, settings(fmt.Sprintf("%s[%d]", path, i), v.Index(i), at)...)
		}
	default:
		lines = append(lines, fmt.Sprintf("%s: %v", path, reflect.Indirect(v)))
	}
	return lines
}

// Each file of the archive is followed by what the reader says about it: its faults, or the
// settings that the plainest file does not have. One with --set and no text is the one before.
func TestFiles(t *testing.T) {
	file := filepath.Join("testdata", "files.txtar")
	cases, err := txtar.ParseFile(file)
	gametest.OK(t, err)
	host := testHost(t)
	host.Self = filepath.Join(host.Dir, "thera")
	env := map[string]string{"FIVE": "5", "SECRET": "s3cret", "PASSED": "yes"}
	host.Env = func(name string) (string, bool) { value, set := env[name]; return value, set }
	t.Setenv("PATH", filepath.Join(host.Dir, "bin"))
	text, base := "", (*arena.Plan)(nil)
	for i := 0; i < len(cases.Files); i++ {
		f := &cases.Files[i]
		if name, at := strings.CutPrefix(f.Name, "at "); at {
			if to, link := strings.CutPrefix(string(f.Data), "-> "); link {
				gametest.OK(t, os.Symlink(strings.TrimSpace(to), filepath.Join(host.Dir, name)))
			} else {
				write(t, host.Dir, map[string]string{name: string(f.Data)})
			}
			continue
		}
		if base == nil {
			base = parse(t, host, pair)
		}
		if len(f.Data) > 0 || !strings.Contains(f.Name, " --set ") {
			text = string(f.Data)
		}
		lines, err := readCase(t, host, f.Name, text, base)
		says := strings.TrimSpace(strings.Join(lines, "\n"))
		var problems Errors
		switch {
		case errors.As(err, &problems):
			says = problems.Show()
		case err != nil:
			says = err.Error()
		}
		i++
		says = strings.ReplaceAll(strings.ReplaceAll(says, host.Dir+string(filepath.Separator), ""), host.Dir, "DIR")
		cases.Files[i].Data = []byte(says)
	}
	gametest.Golden(t, file, txtar.Format(cases))
}

// The schema knows the keys of a match file, and rules are bound without one.
func TestSchema(t *testing.T) {
	schema, err := Schema(testHost(t).Games)
	gametest.OK(t, err)
	for key := range arena.Fields(valueOf(&arena.Plan{})) {
		if key.Written && !strings.Contains(string(schema), `"`+key.Key+`": {`) {
			t.Errorf("the schema has no %s", key.Key)
		}
	}
	if g, err := Bind(nim.New(), []string{"take=4"}); err != nil || g == nil {
		t.Errorf("rules: %v", err)
	}
}

// A commit may have a link to any file of this machine, whose lines an error would show.
func TestTheirsIsNoLinkOut(t *testing.T) {
	host, other := testHost(t), t.TempDir()
	write(t, other, map[string]string{"thera.yaml": "game: nim\nengine: {build: x, command: [$OUT/e]}\n"})
	link := filepath.Join(host.Dir, "thera.yaml")
	gametest.OK(t, os.Symlink(filepath.Join(other, "thera.yaml"), link))
	_, err := LoadContest(link, nil, host)
	gametest.OK(t, err)
	if _, err := LoadTheirs(link, nil, host, nil); err == nil || !strings.Contains(err.Error(), "link out of its folder") {
		t.Error(err)
	}
}

// An engine does not become the rules engine by its name.
func TestHoleNamedRulesEngine(t *testing.T) {
	host := testHost(t)
	write(t, host.Dir, map[string]string{"bots/evil/engine.yaml": "{name: ./judge, command: ./run}"})
	r := newReader("m.yaml", host)
	if !r.load([]byte("game: nim\nrules: {law: ./judge}\nengines: {folder: bots}\n"), nil) {
		t.Fatal(r.err())
	}
	r.findGame()
	r.roster(r.newPlan())
	engines := below(r.root, "engines").Content
	if len(engines) != 1 || below(engines[0], "name").Value != "./judge (evil)" {
		t.Errorf("%d engines, the first is %q", len(engines), below(engines[0], "name").Value)
	}
}

func FuzzMatchFile(f *testing.F) {
	cases, err := txtar.ParseFile(filepath.Join("testdata", "files.txtar"))
	gametest.OK(f, err)
	for _, seed := range cases.Files {
		f.Add(string(seed.Data), "limit.nodes=5")
	}
	f.Fuzz(func(t *testing.T, text, set string) {
		host := testHost(t)
		host.Self, host.Dir, host.Env = "/bin/true", "/nonexistent", func(string) (string, bool) { return "7", true }
		plan, err := Parse("m.yaml", []byte(text), []string{set}, host)
		if (plan == nil) == (err == nil) {
			t.Fatalf("plan %v, error %v", plan, err)
		}
		if err != nil && err.Error() == "" {
			t.Fatal("an error without words")
		}
	})
}
