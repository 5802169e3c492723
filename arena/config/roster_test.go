package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/gametest"
)

// Entries of a folder are engines, or are left out with a reason. None brings a file from elsewhere.
func TestRoster(t *testing.T) {
	host := testHost(t)
	write := func(name, text string, mode os.FileMode) {
		path := filepath.Join(host.Dir, filepath.FromSlash(name))
		ok := os.MkdirAll(filepath.Dir(path), 0o700) == nil && os.WriteFile(path, []byte(text), mode) == nil
		if !ok {
			t.Fatal(name)
		}
	}
	write("bots/one", "#!/bin/sh\n", 0o700)
	write("bots/two.sh", "#!/bin/sh\n", 0o700)
	write("bots/notes.txt", "", 0o600)
	write("bots/.hidden", "#!/bin/sh\n", 0o700)
	write("bots/empty/x", "", 0o600)
	for name, text := range map[string]string{
		"named":  "{name: one, command: [./run, now], options: {depth: 3}}",
		"alike":  "{name: one, command: ./run}",
		"leaves": "{command: ../one}",
		"root":   "{command: /bin/sh}",
		"names":  "{command: [./run, --net=/etc/passwd]}",
		"reads":  "{command: ./run, read: [/etc]}",
		"none":   "{command: []}",
	} {
		write("bots/"+name+"/engine.yaml", text, 0o600)
		write("bots/"+name+"/run", "#!/bin/sh\n", 0o700)
	}
	write("elsewhere", "#!/bin/sh\n", 0o700)
	gametest.OK(t, os.Symlink("../elsewhere", filepath.Join(host.Dir, "bots", "linked")))
	const file = "game: nim\nengines: {folder: bots, each: {memory: 1GiB}, also: [{name: two, builtin: true}]}\n"
	plan := parse(t, host, file)
	var engines, out []string
	for _, e := range plan.Engines {
		engines = append(engines, e.Name)
	}
	for _, o := range plan.Roster.Out {
		out = append(out, o.Entry+": "+o.Why)
	}
	slices.Sort(out)
	if diff := cmp.Diff([]string{"one (alike)", "one (named)", "one (one)", "two (two.sh)", "two"}, engines); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		`leaves: command: "../one" is not in its folder`,
		"linked: it is a link out of the folder",
		`names: command: "--net=/etc/passwd" is not in its folder`,
		"none: engine.yaml: the command is empty",
		`reads: engine.yaml:1:18: read: unknown key, expected one of name, command, protocol, dialect, options`,
		`root: command: "/bin/sh" is not in its folder`,
	}, out); diff != "" {
		t.Error(diff)
	}
	named := plan.Engine("one (named)")
	if named.Memory != 1<<30 || named.Dir != filepath.Join(host.Dir, "bots", "named") || len(named.Options) != 1 || len(named.Command) != 2 {
		t.Errorf("%+v", named)
	}
	if one := plan.Engine("one (one)"); len(one.Hashed) != 1 {
		t.Errorf("the files of an engine of one file: %v", one.Hashed)
	}
	if faults := faultsOf(t, strings.Replace(file, "bots", "nowhere", 1)); !strings.Contains(faults, "no folder nowhere") {
		t.Error(faults)
	}
	if _, err := Parse("m.yaml", []byte(file), []string{"engines.missing=stop"}, host); err == nil || strings.Count(err.Error(), "engines.folder: ") != 6 {
		t.Error(err)
	}
}

// An engine does not become the rules engine by its name.
func TestHoleNamedRulesEngine(t *testing.T) {
	host := testHost(t)
	dir := filepath.Join(host.Dir, "bots", "evil")
	err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "engine.yaml"), []byte("{name: ./judge, command: ./run}"), 0o600))
	r := newReader("m.yaml", host)
	if err != nil || !r.load([]byte("game: nim\nrules: {law: ./judge}\nengines: {folder: bots}\n"), nil) {
		t.Fatal(err, r.err())
	}
	r.findGame()
	r.roster(r.newPlan())
	engines := below(r.root, "engines").Content
	if len(engines) != 1 || below(engines[0], "name").Value != "./judge (evil)" {
		t.Errorf("%d engines, the first is %q", len(engines), below(engines[0], "name").Value)
	}
}
