package sandbox_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/sandbox"

	"thera/engine/gametest"
)

// userHome is a home folder with what no engine may read, and an engine's
// folder in it.
func userHome(t *testing.T, engine map[string]string) (home, dir string) {
	t.Helper()
	home = t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("PYENV_ROOT", "")
	dir = filepath.Join(home, "bots", "evil")
	files := map[string]string{".ssh/id": "key", "private/bin/tool": "#!/bin/sh\n", "private/lib/secret": "key", "bots/rival/weights": "net", "bots/evil/.env": "key", "bots/evil/bot.py": "pass\n"}
	for name, text := range engine {
		files[filepath.Join("bots/evil", name)] = text
	}
	lay(t, home, files)
	return home, dir
}

// lay writes files below a home folder, "-> TARGET" for a link.
func lay(t *testing.T, home string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(home, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if to, isLink := strings.CutPrefix(text, "-> "); err == nil && isLink {
			err = os.Symlink(strings.ReplaceAll(to, "HOME", home), path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(strings.ReplaceAll(text, "HOME", home)), 0o755)
		}
		gametest.OK(t, err)
	}
}

// Whatever an engine brings, it does not choose what it may read.
func TestHole02Package(t *testing.T) {
	for name, tt := range map[string]struct {
		engine map[string]string // files of its package, "-> TARGET" for a link
		argv   []string
	}{
		"settings of an environment, the disk":       {map[string]string{"bin/bot": "", "pyvenv.cfg": "home = //shims\n"}, []string{"bin/bot"}},
		"settings of an environment, a folder":       {map[string]string{"bin/bot": "", "pyvenv.cfg": "home = HOME/private/bin\n"}, []string{"bin/bot"}},
		"settings of an environment, through /proc":  {map[string]string{"bin/bot": "", "pyvenv.cfg": "home = /proc/self/root/HOME/private/bin\n"}, []string{"bin/bot"}},
		"settings of an environment, missing folder": {map[string]string{"bin/bot": "", "pyvenv.cfg": "home = /usr/lib/none/../../../proc/self/root/HOME/.ssh/bin\n"}, []string{"bin/bot"}},
		"a program in a folder of that name":         {map[string]string{"shims/bot": ""}, []string{"shims/bot"}},
		"the first line of a script":                 {map[string]string{"bot": "#!HOME/.ssh/id\n"}, []string{"./bot"}},
		"the first line of a script, a prefix":       {map[string]string{"bot": "#!HOME/private/bin/tool\n"}, []string{"./bot"}},
		"the program is a link":                      {map[string]string{"bot": "-> HOME/.ssh/id"}, []string{"./bot"}},
		"the program is a link to a hidden file":     {map[string]string{"bot": "-> .env"}, []string{"./bot"}},
		"the script is a link":                       {map[string]string{"main.py": "-> HOME/.ssh/id"}, []string{"python3", "main.py"}},
		"the folder of the script is a link":         {map[string]string{"src": "-> HOME/private/bin"}, []string{"sh", "src/tool"}},
		"a file is a link":                           {map[string]string{"net": "-> HOME/.ssh/id"}, []string{"sh", "bot.py", "--net=net"}},
		"a folder is a link":                         {map[string]string{"nets": "-> HOME/.ssh"}, []string{"sh", "bot.py", "nets/id"}},
		"a folder is a link, named":                  {map[string]string{"nets": "-> HOME/.ssh"}, []string{"sh", "bot.py", "nets"}},
		"libraries are a link":                       {map[string]string{"bin/bot": "", "lib": "-> HOME/private/lib"}, []string{"bin/bot"}},
		"an environment is a link":                   {map[string]string{"venv": "-> HOME/private", "bin/tool": ""}, []string{"venv/bin/tool"}},
		"a link to a hidden file":                    {map[string]string{"data": "-> .env"}, []string{"sh", "bot.py"}},
		"a link to the rival":                        {map[string]string{"data": "-> ../rival/weights"}, []string{"sh", "bot.py", "data"}},
	} {
		t.Run(name, func(t *testing.T) {
			home, dir := userHome(t, tt.engine)
			others := []arena.EngineSpec{{Command: []string{filepath.Join(home, "bots/rival/weights")}, Dir: home}}
			policy, err := sandbox.For(arena.EngineSpec{Command: tt.argv, Dir: dir}, others, nil)
			if err != nil {
				if !strings.Contains(err.Error(), " leads to "+home) {
					t.Error(err)
				}
				return
			}
			for _, secret := range []string{".ssh/id", "private/lib/secret", "private/bin/tool", "bots/rival/weights", "bots/evil/.env"} {
				secret = filepath.Join(home, secret)
				for _, path := range policy.Read {
					if to, err := filepath.EvalSymlinks(path); path == "/" || within(secret, path) || err == nil && within(secret, to) {
						t.Errorf("%s may be read, by %s", secret, path)
					}
				}
			}
		})
	}
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// What a user has installed and what they name themselves is read as before: a
// virtual environment, a link to a program, a link to a folder of engines.
func TestHole02Installed(t *testing.T) {
	home, dir := userHome(t, map[string]string{
		".venv/pyvenv.cfg": "home = HOME/.pyenv/versions/3/bin\n", ".venv/lib/torch.py": "", ".venv/bin/python": "-> HOME/.pyenv/versions/3/bin/python",
		"../../.pyenv/versions/3/bin/python": "\x7fELF", "../../.pyenv/versions/3/lib/os.py": "", "../../src/fish/fish": "\x7fELF", "../../src/fish/fish.net": "",
		"../../tools/fish": "-> HOME/src/fish/fish", "../../tools/tool": "\x7fELF", "../../tools/snake": "\x7fELF", "snaky": "#!/usr/bin/env snake\n", "../../engines": "-> HOME/src", "net/v2": "", "net/current": "-> v2",
		"script": "#!HOME/bots/evil/.venv/bin/python\n", "key": "-> HOME/.ssh/id",
	})
	t.Setenv("PATH", filepath.Join(home, "tools")+":"+os.Getenv("PATH"))
	environment := []string{".pyenv/versions/3/bin/python", ".pyenv/versions/3/lib/os.py", "bots/evil/.venv/lib/torch.py", "bots/evil/.venv/pyvenv.cfg", "bots/evil/bot.py"}
	for name, tt := range map[string]struct {
		argv, read, yes []string
	}{
		"an environment":               {[]string{".venv/bin/python", "bot.py"}, nil, environment},
		"an environment of a script":   {[]string{"./script"}, nil, environment},
		"a script of such a program":   {[]string{"./snaky"}, nil, []string{"tools/snake", "bots/evil/snaky"}},
		"a program on the path":        {[]string{"fish"}, nil, []string{"src/fish/fish", "src/fish/fish.net"}},
		"through a link of the user":   {[]string{filepath.Join(home, "engines/fish/fish")}, nil, []string{"src/fish/fish", "src/fish/fish.net"}},
		"a link within its own folder": {[]string{"sh", "bot.py", "net/current"}, nil, []string{"bots/evil/net/v2"}},
		"a link that was granted":      {[]string{"sh", "bot.py", "key"}, []string{filepath.Join(home, ".ssh")}, []string{".ssh/id"}},
	} {
		// The others use the same programs.
		others := []arena.EngineSpec{
			{Command: []string{filepath.Join(home, ".pyenv/versions/3/bin/python"), "weights"}, Dir: filepath.Join(home, "bots/rival")},
			{Command: []string{filepath.Join(dir, ".venv/bin/python"), "weights"}, Dir: filepath.Join(home, "bots/rival")},
			{Command: []string{"tool"}, Dir: filepath.Join(home, "bots/rival")},
		}
		policy, err := sandbox.For(arena.EngineSpec{Command: tt.argv, Dir: dir, Read: tt.read}, others, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, path := range tt.yes {
			if path = filepath.Join(home, path); !slices.ContainsFunc(policy.Read, func(dir string) bool { return within(path, dir) }) {
				t.Errorf("%s: %s cannot be read", name, path)
			}
		}
	}
}

// What is installed is read by all, without what others put there: links of an engine's package
// on the PATH, hidden files, databases, keys, and what is another engine's.
func TestHoleInstalled(t *testing.T) {
	home, dir := userHome(t, map[string]string{
		"env/bin/tool": "\x7fELF", "env/lib": "-> HOME/.ssh", "../rival/rival": "\x7fELF", "../rival/bin/tool": "\x7fELF", "../rival/lib/net": "net",
		"../../.dotnet/shared/lib": "", "../../.dotnet/corefx/my.pfx": "key", "../../.nvm/.npmrc": "key", "../../.nvm/key.db": "key", "../../.nvm/versions/node": "\x7fELF",
	})
	rival := filepath.Join(home, "bots/rival")
	t.Setenv("PATH", filepath.Join(dir, "env/bin")+":"+filepath.Join(rival, "bin")+":"+os.Getenv("PATH"))
	t.Setenv("NVM_DIR", "")
	others := []arena.EngineSpec{{Command: []string{"./rival"}, Dir: rival}}
	policy, err := sandbox.For(arena.EngineSpec{Command: []string{"sh", "bot.py"}, Dir: dir}, others, nil)
	gametest.OK(t, err)
	for path, want := range map[string]bool{
		".ssh/id": false, "bots/rival/lib/net": false, ".dotnet/corefx/my.pfx": false, ".nvm/.npmrc": false, ".nvm/key.db": false,
		".dotnet/shared/lib": true, ".nvm/versions/node": true,
	} {
		path = filepath.Join(home, path)
		if is := slices.ContainsFunc(policy.Read, func(dir string) bool { return within(path, dir) }); is != want {
			t.Errorf("%s may be read: %v", path, is)
		}
	}
	// A link in its folder is not the user's choice of a tool; that of the command is.
	lay(t, home, map[string]string{"bots/evil/bin/tool": "-> HOME/bots/rival/bin/tool"})
	for program, want := range map[string]bool{filepath.Join(dir, "bin/tool"): false, filepath.Join(rival, "bin/tool"): true} {
		policy, err := sandbox.For(arena.EngineSpec{Command: []string{program}, Dir: dir}, others, nil)
		if is := slices.Contains(policy.Read, filepath.Join(rival, "lib")); is != want || want && err != nil {
			t.Errorf("%s: its libraries may be read: %v, %v", program, is, err)
		}
	}
}

// An engine takes nothing from its rival by a link to it in its folder.
func TestHole02Rival(t *testing.T) {
	home, dir := userHome(t, map[string]string{"net": "-> HOME/bots/rival/weights"})
	evil := arena.EngineSpec{Command: []string{"sh", filepath.Join(dir, "bot.py"), filepath.Join(dir, "net")}, Dir: home}
	rival := filepath.Join(home, "bots/rival")
	policy, err := sandbox.For(arena.EngineSpec{Command: []string{"sh"}, Dir: rival}, []arena.EngineSpec{evil}, nil)
	weights := filepath.Join(rival, "weights")
	if err != nil || !slices.ContainsFunc(policy.Read, func(dir string) bool { return within(weights, dir) }) {
		t.Errorf("%v, %v", policy.Read, err)
	}
}

// The folder of a script is its own, as that of a program is.
func TestHoleFolderOfAScript(t *testing.T) {
	home, dir := userHome(t, map[string]string{"../rival/main.py": "", "../rival/lib/eval.py": "", "../third/data/net": "", "../book": ""})
	bots := filepath.Dir(dir)
	others := []arena.EngineSpec{
		{Command: []string{"sh", "main.py"}, Dir: filepath.Join(bots, "rival")},
		{Command: []string{"sh", "-c", "exit"}, Dir: filepath.Join(bots, "third")},
	}
	policy, err := sandbox.For(arena.EngineSpec{Command: []string{"sh", "./evil/bot.py"}, Dir: bots}, others, nil)
	gametest.OK(t, err)
	for path, want := range map[string]bool{"rival/weights": false, "rival/lib/eval.py": false, "third/data/net": false, "evil/bot.py": true, "book": true} {
		path = filepath.Join(home, "bots", path)
		if is := slices.ContainsFunc(policy.Read, func(dir string) bool { return within(path, dir) }); is != want {
			t.Errorf("%s may be read: %v", path, is)
		}
	}
}

// Keys in folders below that in which an engine works are not read, and what is beside them is.
func TestHoleKeysBelow(t *testing.T) {
	home, dir := userHome(t, map[string]string{"../server/.env.local": "key", "../server/main.py": "", "../lib/sub/.git/config": "key", "../lib/sub/x.py": ""})
	policy, err := sandbox.For(arena.EngineSpec{Command: []string{"sh", "./evil/bot.py"}, Dir: filepath.Dir(dir)}, nil, nil)
	gametest.OK(t, err)
	for path, want := range map[string]bool{"server/.env.local": false, "server/main.py": true, "lib/sub/.git/config": false, "lib/sub/x.py": true, "evil/.env": false} {
		path = filepath.Join(home, "bots", path)
		if is := slices.ContainsFunc(policy.Read, func(dir string) bool { return within(path, dir) }); is != want {
			t.Errorf("%s may be read: %v", path, is)
		}
	}
}

// What the user gives one engine in the folder of all is not its rival's.
func TestHoleGrantsOfOthers(t *testing.T) {
	home, dir := userHome(t, map[string]string{"../nets/big": "", "../nets/small": "", "../log/1": "", "../book": ""})
	bots := filepath.Dir(dir)
	rival := arena.EngineSpec{Command: []string{"./rival/weights"}, Dir: bots, Read: []string{"nets", ".."}, Write: []string{"log"}}
	for read, want := range map[string]map[string]bool{
		"":     {"book": true, "evil/bot.py": true, "nets/big": false, "log/1": false},
		"nets": {"book": true, "evil/bot.py": true, "nets/big": true, "log/1": false},
	} {
		evil := arena.EngineSpec{Command: []string{"sh", "./evil/bot.py"}, Dir: bots, Read: strings.Fields(read)}
		policy, err := sandbox.For(evil, []arena.EngineSpec{rival}, nil)
		gametest.OK(t, err)
		for path, want := range want {
			path = filepath.Join(home, "bots", path)
			if is := slices.ContainsFunc(policy.Read, func(dir string) bool { return within(path, dir) }); is != want {
				t.Errorf("with %q, %s may be read: %v", read, path, is)
			}
		}
	}
}

// What an engine leaves in a folder where it may write grants nothing at its
// next start, nor in the next run.
func TestHole02Left(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	secret := filepath.Join(t.TempDir(), "key")
	folder := filepath.Join(f.dir, "out")
	data, log := filepath.Join(folder, "data"), filepath.Join(folder, "log")
	err := errors.Join(os.WriteFile(secret, []byte("key"), 0o600), os.Mkdir(folder, 0o755), os.WriteFile(data, nil, 0o644), os.WriteFile(log, nil, 0o644))
	gametest.OK(t, err)
	change := func(e *arena.EngineSpec) { e.Read, e.Write = []string{data}, []string{folder, log} }
	box := f.boxOf(f.engine, change)
	err = errors.Join(os.Remove(data), os.Remove(log), os.Symlink(secret, data), os.Symlink(secret, log))
	gametest.OK(t, err)
	for _, mode := range []string{"read", "append"} {
		f.fails(box, mode, secret)
	}
	e := arena.EngineSpec{Command: []string{f.engine}, Dir: f.dir}
	change(&e)
	if _, err := sandbox.For(e, nil, nil); err == nil || !strings.Contains(err.Error(), data+" leads to "+secret) {
		t.Errorf("the next run: %v", err)
	}
}

// A program that the user may start but not read is refused: the kernel would not
// count its time.
func TestHole23UnreadableProgram(t *testing.T) {
	dir := t.TempDir()
	engine, helper := filepath.Join(dir, "engine"), filepath.Join(dir, "lib", "helper")
	err := errors.Join(os.WriteFile(engine, []byte("\x7fELF"), 0o755), os.Mkdir(filepath.Dir(helper), 0o755), os.WriteFile(helper, []byte("\x7fELF"), 0o755))
	gametest.OK(t, err)
	for path, mode := range map[string]os.FileMode{dir: 0o755, helper: 0o111, engine: 0o111} {
		_ = os.Chmod(path, mode)
		_, err := sandbox.For(arena.EngineSpec{Command: []string{engine}, Dir: dir}, nil, nil)
		if mode == 0o755 && err != nil || mode == 0o111 && (err == nil || !strings.Contains(err.Error(), path)) {
			t.Errorf("%q: %v", path, err)
		}
		_ = os.Chmod(path, 0o755)
	}
}

// A database is read by no engine, also where it lies in a folder of the system.
func TestHole23DatabaseOfTheSystem(t *testing.T) {
	_, dir := userHome(t, nil)
	secret := ""
	for _, path := range []string{"/usr/share", "/usr/lib"} { // any folder of a system that has files
		files, _ := filepath.Glob(path + "/*/*")
		for _, file := range files {
			if info, err := os.Lstat(file); err == nil && info.Mode().IsRegular() {
				secret = file
			}
		}
	}
	policy, err := sandbox.For(arena.EngineSpec{Command: []string{filepath.Join(dir, "bot.py")}, Dir: dir}, nil, []string{secret})
	reads := func(path string) bool {
		return slices.ContainsFunc(policy.Read, func(dir string) bool { return within(path, dir) })
	}
	if err != nil || secret == "" || reads(secret) || !reads("/usr/lib/os-release") && !reads("/etc/ld.so.cache") {
		t.Errorf("%s: %v, %v", secret, policy.Read, err)
	}
}

// A folder that an engine may write is not what another key names there, once an engine
// has put a link in its place.
func TestHoleFoldersAreNoLinks(t *testing.T) {
	home, dir := userHome(t, map[string]string{"open/d": "-> ../../../private", "open/in": "-> real", "open/real/x": ""})
	open, link := filepath.Join(dir, "open"), filepath.Join(dir, "open", "d")
	for name, tt := range map[string]struct{ engine, other arena.EngineSpec }{
		"dir":                     {arena.EngineSpec{Dir: link, Write: []string{open}}, arena.EngineSpec{Dir: home}},
		"read":                    {arena.EngineSpec{Dir: dir, Read: []string{link}, Write: []string{"open"}}, arena.EngineSpec{Dir: home}},
		"dir, left by the other":  {arena.EngineSpec{Dir: link}, arena.EngineSpec{Dir: dir, Write: []string{"open"}}},
		"read, left by the other": {arena.EngineSpec{Dir: dir, Read: []string{"open/d"}}, arena.EngineSpec{Dir: home, Write: []string{open}}},
	} {
		tt.engine.Command = []string{"sh"}
		_, err := sandbox.For(tt.engine, []arena.EngineSpec{tt.other}, nil)
		if err == nil || !strings.Contains(err.Error(), "leads to "+filepath.Join(home, "private")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := sandbox.For(arena.EngineSpec{Command: []string{"sh"}, Dir: filepath.Join(open, "in"), Write: []string{open}}, nil, nil); err != nil {
		t.Errorf("a link within: %v", err)
	}
	// Nor what lies below such a link, as words of the command and variables name it.
	below := filepath.Join(link, "data", "key")
	err := errors.Join(os.MkdirAll(filepath.Join(home, "private", "data"), 0o755), os.WriteFile(filepath.Join(home, "private", "data", "key"), []byte("\x7fELF"), 0o755))
	gametest.OK(t, err)
	for name, e := range map[string]arena.EngineSpec{
		"a file":     {Command: []string{"sh", below}},
		"a folder":   {Command: []string{"sh", "--data=" + filepath.Dir(below)}},
		"a variable": {Command: []string{"sh"}, Env: []string{"DATA=" + filepath.Dir(below)}},
		"a program":  {Command: []string{below}},
	} {
		e.Dir, e.Write = t.TempDir(), []string{open}
		if p, err := sandbox.For(e, nil, nil); err == nil || !strings.Contains(err.Error(), "leads to "+filepath.Join(home, "private")) {
			t.Errorf("%s: %v, %v", name, p.Read, err)
		}
	}
}
