package sandbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/sandbox"
	"thera/engine/gametest"
)

type (
	files = map[string]string
	words = []string
	spec  = arena.EngineSpec
)

// lay writes files below a home folder, "-> TARGET" for a link.
func lay(t *testing.T, home string, tree files) {
	t.Helper()
	for name, text := range tree {
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

// What an engine may read: what it needs, wherever that is installed, what the user names, and its
// folder; not what belongs to others or is secret, and nothing by what its package brings.
func TestReads(t *testing.T) {
	const elf, play = "\x7fELF", "HOME/bots"
	userHas := files{
		".ssh/id": "key", "notes": "private", "private/bin/tool": "#!/bin/sh\n", "private/lib/secret": "key", "private/data/key": elf, "bots/rival/weights": "net",
		"bots/evil/.env": "key", "bots/evil/bot.py": "pass\n",
	}
	its := files{ // installed, and within its folder
		"bots/evil/.venv/pyvenv.cfg": "home = HOME/.pyenv/versions/3/bin\n", "bots/evil/.venv/lib/torch.py": "", "bots/evil/.venv/bin/python": "-> HOME/.pyenv/versions/3/bin/python",
		".pyenv/versions/3/bin/python": elf, ".pyenv/versions/3/lib/os.py": "", "src/fish/fish": elf, "src/fish/fish.net": "", "tools/fish": "-> HOME/src/fish/fish",
		"tools/tool": elf, "tools/snake": elf, "bots/evil/snaky": "#!/usr/bin/env snake\n", "engines": "-> HOME/src", "bots/evil/net/v2": "", "bots/evil/net/current": "-> v2",
		"bots/evil/script": "#!HOME/bots/evil/.venv/bin/python\n", "bots/evil/key": "-> HOME/.ssh/id",
	}
	environment := ".pyenv/versions/3/bin/python .pyenv/versions/3/lib/os.py bots/evil/.venv/lib/torch.py bots/evil/.venv/pyvenv.cfg bots/evil/bot.py"
	users := []spec{ // of the same programs
		{Command: words{"HOME/.pyenv/versions/3/bin/python", "weights"}, Dir: "HOME/bots/rival"},
		{Command: words{"HOME/bots/evil/.venv/bin/python", "weights"}, Dir: "HOME/bots/rival"},
		{Command: words{"tool"}, Dir: "HOME/bots/rival"},
	}
	managed := files{
		"engine": "", "books/a.book": "", ".manager/versions/3.12/lib/os.py": "", ".manager/versions/3.12/bin/python3.12": elf, ".manager/versions/3.12/bin/python3": "-> python3.12",
		".manager/shims/python3": "#!/bin/sh\n", "bots/venv/pyvenv.cfg": "home = HOME/.manager/versions/3.12/bin\n", "bots/venv/lib/torch.py": "",
		"bots/venv/bin/python": "-> HOME/.manager/versions/3.12/bin/python3", "bots/evil/main.py": "#!HOME/bots/venv/bin/python\n", "bots/evil/net.bin": "",
		"bots/evil/games.db": "", "bots/evil/lab1.invitation": "", "bots/evil/keys/ca.pem": "", "bots/evil/old/results.sqlite": "",
	}
	installed := files{
		"bots/evil/env/bin/tool": elf, "bots/evil/env/bin/key": "-> HOME/.ssh/id", "bots/evil/env/lib": "-> HOME/.ssh", "bots/evil/bin/tool": "-> HOME/bots/rival/bin/tool",
		"bots/rival/rival": elf, "bots/rival/bin/tool": elf, "bots/rival/lib/net": "net", ".dotnet/shared/lib": "", ".dotnet/corefx/my.pfx": "key",
		".pyenv/python": elf, "bots/rival/bin/python": "-> HOME/.pyenv/python", ".nvm/.npmrc": "key", ".nvm/key.db": "key", ".nvm/versions/node": elf,
	}
	both, rivals := "HOME/bots/evil/env/bin:HOME/bots/rival/bin", []spec{{Command: words{"./rival"}, Dir: "HOME/bots/rival"}}
	all := files{"bots/rival/main.py": "", "bots/rival/lib/eval.py": "", "bots/third/data/net": "", "bots/book": "", "bots/nets/big": "", "bots/nets/small": "", "bots/log/1": ""}
	scripts := []spec{{Command: words{"sh", "main.py"}, Dir: "HOME/bots/rival"}, {Command: words{"sh", "-c", "exit"}, Dir: "HOME/bots/third"}}
	granted := []spec{{Command: words{"./rival/weights"}, Dir: play, Read: words{"nets", ".."}, Write: words{"log"}}}
	below := files{"bots/server/.env.local": "key", "bots/server/main.py": "", "bots/lib/sub/.git/config": "key", "bots/lib/sub/x.py": ""}
	links := files{"bots/evil/open/d": "-> ../../../private", "bots/evil/open/in": "-> real", "bots/evil/open/real/x": ""}
	open, link := "HOME/bots/evil/open", "HOME/bots/evil/open/d"
	var program [2]string
	for i, name := range []string{"sh", "env"} {
		path, err := exec.LookPath(name)
		gametest.OK(t, err)
		program[i], err = filepath.EvalSymlinks(path)
		gametest.OK(t, err)
	}
	for name, tt := range map[string]struct {
		run     string
		files   files  // beside those that the user has
		engine  spec   // in bots/evil if it names no folder
		others  []spec // the rival, if there are none
		path    string // of the user, before the machine's
		secret  string
		yes, no string // what it reads and what it does not, beside the keys of the user and the rival's files
		leads   string // where it leads, so that it is refused
	}{
		// Whatever an engine brings, it does not choose what it may read.
		"settings of an environment, the disk":       {run: "bin/bot", files: files{"bots/evil/bin/bot": "", "bots/evil/pyvenv.cfg": "home = //shims\n"}},
		"settings of an environment, a folder":       {run: "bin/bot", files: files{"bots/evil/bin/bot": "", "bots/evil/pyvenv.cfg": "home = HOME/private/bin\n"}},
		"settings of an environment, through /proc":  {run: "bin/bot", files: files{"bots/evil/bin/bot": "", "bots/evil/pyvenv.cfg": "home = /proc/self/root/HOME/private/bin\n"}},
		"settings of an environment, missing folder": {run: "bin/bot", files: files{"bots/evil/bin/bot": "", "bots/evil/pyvenv.cfg": "home = /usr/lib/none/../../../proc/self/root/HOME/.ssh/bin\n"}},
		"a program in a folder of that name":         {run: "shims/bot", files: files{"bots/evil/shims/bot": ""}},
		"the first line of a script":                 {run: "./bot", files: files{"bots/evil/bot": "#!HOME/.ssh/id\n"}, leads: ".ssh/id"},
		"the first line of a script, a prefix":       {run: "./bot", files: files{"bots/evil/bot": "#!HOME/private/bin/tool\n"}, leads: "private/bin/tool"},
		"the first line of a script, the user's":     {run: "./bot", files: files{"bots/evil/bot": "#!HOME/tools/run\n", "tools/run": "#!/bin/sh\n"}, path: "HOME/tools", leads: "tools/run"},
		"the program is a link":                      {run: "./bot", files: files{"bots/evil/bot": "-> HOME/.ssh/id"}, leads: ".ssh/id"},
		"the program is a link to a hidden file":     {run: "./bot", files: files{"bots/evil/bot": "-> .env"}, leads: "bots/evil/.env"},
		"the script is a link":                       {run: "python3 main.py", files: files{"bots/evil/main.py": "-> HOME/.ssh/id"}, leads: ".ssh/id"},
		"the folder of the script is a link":         {run: "sh src/tool", files: files{"bots/evil/src": "-> HOME/private/bin"}, leads: "private/bin/tool"},
		"a file is a link":                           {run: "sh bot.py --net=net", files: files{"bots/evil/net": "-> HOME/.ssh/id"}, leads: ".ssh/id"},
		"a folder is a link":                         {run: "sh bot.py nets/id", files: files{"bots/evil/nets": "-> HOME/.ssh"}, leads: ".ssh/id"},
		"a folder is a link, named":                  {run: "sh bot.py nets", files: files{"bots/evil/nets": "-> HOME/.ssh"}, leads: ".ssh"},
		"libraries are a link":                       {run: "bin/bot", files: files{"bots/evil/bin/bot": "", "bots/evil/lib": "-> HOME/private/lib"}},
		"an environment is a link":                   {run: "venv/bin/tool", files: files{"bots/evil/venv": "-> HOME/private"}, leads: "private/bin/tool"},
		"a link to a hidden file":                    {run: "sh bot.py", files: files{"bots/evil/data": "-> .env"}},
		"a link to the rival":                        {run: "sh bot.py data", files: files{"bots/evil/data": "-> ../rival/weights"}, leads: "bots/rival/weights"},
		"a link to the rival, for the rival": {
			run: "sh", files: files{"bots/evil/net": "-> HOME/bots/rival/weights"}, engine: spec{Dir: "HOME/bots/rival"}, yes: "bots/rival/weights",
			others: []spec{{Command: words{"sh", "HOME/bots/evil/bot.py", "HOME/bots/evil/net"}, Dir: "HOME"}},
		},

		// What a user has installed and what they name themselves is read, which others use too.
		"an environment":               {run: ".venv/bin/python bot.py", files: its, others: users, yes: environment},
		"an environment of a script":   {run: "./script", files: its, others: users, yes: environment},
		"a script of such a program":   {run: "./snaky", files: its, others: users, path: "HOME/tools", yes: "tools/snake bots/evil/snaky"},
		"a program on the path":        {run: "fish", files: its, others: users, path: "HOME/tools", yes: "src/fish/fish src/fish/fish.net"},
		"through a link of the user":   {run: "HOME/engines/fish/fish", files: its, others: users, yes: "src/fish/fish src/fish/fish.net"},
		"a link within its own folder": {run: "sh bot.py net/current", files: its, others: users, yes: "bots/evil/net/v2"},
		"a link that was granted":      {run: "sh bot.py key", files: its, others: users, engine: spec{Read: words{"HOME/.ssh"}}, yes: ".ssh/id"},
		"a script in an environment elsewhere": {
			run: "HOME/bots/evil/main.py", files: managed, engine: spec{Dir: play}, path: "HOME/.manager/shims", secret: "HOME/bots/evil/keys",
			yes: "bots/evil/main.py bots/evil/net.bin bots/venv/pyvenv.cfg bots/venv/lib/torch.py .manager/versions/3.12/lib/os.py .manager/versions/3.12/bin/python3.12",
			no:  "bots/evil/games.db bots/evil/lab1.invitation bots/evil/keys/ca.pem bots/evil/old/results.sqlite notes",
		},
		"a version manager's shim": {
			run: "HOME/.manager/shims/python3 evil/main.py", files: managed, engine: spec{Dir: play}, path: "HOME/.manager/shims", yes: ".manager/versions/3.12/lib/os.py bots/evil/net.bin",
		},
		"a program in the home folder": {run: "HOME/engine --book=HOME/books/a.book", files: managed, engine: spec{Dir: "HOME"}, yes: "engine books/a.book", no: "notes bots/evil/net.bin"},
		"a grant and variables": {
			run: "sh", files: managed, engine: spec{Dir: play, Read: words{"../notes"}, Env: words{"NET=HOME/books/a.book", "H=HOME"}}, yes: "notes books/a.book",
		},

		// Without what others put there: an engine's package on the PATH, hidden files, databases, keys.
		"what is installed": {
			run: "sh bot.py", files: installed, others: rivals, path: both, yes: ".dotnet/shared/lib .nvm/versions/node",
			no: "bots/rival/lib/net .dotnet/corefx/my.pfx .nvm/.npmrc .nvm/key.db",
		},
		"a tool on the path":                      {run: "HOME/bots/rival/bin/tool", files: installed, others: rivals, path: both, yes: "bots/rival/lib/net"},
		"an environment of the rival on the path": {run: "python bot.py", files: installed, others: rivals, path: both, yes: "bots/rival/lib/net .pyenv/python"},
		"an environment of the rival":             {run: "HOME/bots/rival/bin/python bot.py", files: installed, others: rivals, yes: ".pyenv/python", no: "bots/rival/lib/net"},
		"its link to a tool":                      {run: "bin/tool", files: installed, others: rivals, path: both, no: "bots/rival/lib/net"},
		"its link on the path":                    {run: "env/bin/key", files: installed, others: rivals, path: both, leads: ".ssh/id"},
		"a secret in a folder of the system":      {run: "HOME/bots/evil/bot.py", secret: program[0], yes: program[1], no: program[0]},
		"its folder is that of its script":        {run: "sh ./evil/bot.py", files: all, engine: spec{Dir: play}, others: scripts, yes: "bots/evil/bot.py bots/book", no: "bots/rival/lib/eval.py bots/third/data/net"},
		"keys in folders below":                   {run: "sh ./evil/bot.py", files: below, engine: spec{Dir: play}, yes: "bots/server/main.py bots/lib/sub/x.py", no: "bots/server/.env.local bots/lib/sub/.git/config"},
		"what another is granted":                 {run: "sh ./evil/bot.py", files: all, engine: spec{Dir: play}, others: granted, yes: "bots/book bots/evil/bot.py", no: "bots/nets/big bots/log/1"},
		"what another is granted, and it itself":  {run: "sh ./evil/bot.py", files: all, engine: spec{Dir: play, Read: words{"nets"}}, others: granted, yes: "bots/book bots/evil/bot.py bots/nets/big", no: "bots/log/1"},

		// A folder that an engine may write is not what another key names there, once an engine has put a link in its place.
		"left: dir":               {run: "sh", files: links, engine: spec{Dir: link, Write: words{open}}, leads: "private"},
		"left: read":              {run: "sh", files: links, engine: spec{Read: words{link}, Write: words{"open"}}, leads: "private"},
		"left: dir by the other":  {run: "sh", files: links, engine: spec{Dir: link}, others: []spec{{Dir: "HOME/bots/evil", Write: words{"open"}}}, leads: "private"},
		"left: read by the other": {run: "sh", files: links, engine: spec{Read: words{"open/d"}}, others: []spec{{Dir: "HOME", Write: words{open}}}, leads: "private"},
		"left: a link within":     {run: "sh", files: links, engine: spec{Dir: open + "/in", Write: words{open}}, yes: "bots/evil/open/real/x"},
		"left: a file":            {run: "sh HOME/bots/evil/open/d/data/key", files: links, engine: spec{Dir: "/usr", Write: words{open}}, leads: "private/data/key"},
		"left: a folder":          {run: "sh --data=HOME/bots/evil/open/d/data", files: links, engine: spec{Dir: "/usr", Write: words{open}}, leads: "private/data"},
		"left: a variable":        {run: "sh", files: links, engine: spec{Dir: "/usr", Write: words{open}, Env: words{"DATA=" + link + "/data"}}, leads: "private/data"},
		"left: a program":         {run: "HOME/bots/evil/open/d/data/key", files: links, engine: spec{Dir: "/usr", Write: words{open}}, leads: "private/data/key"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			t.Setenv("HOME", home)
			in := func(text string) string { return strings.ReplaceAll(text, "HOME", home) }
			t.Setenv("PATH", in(tt.path)+":"+os.Getenv("PATH"))
			for _, variable := range []string{"PYENV_ROOT", "NVM_DIR", "DOTNET_ROOT"} {
				t.Setenv(variable, "")
			}
			lay(t, home, userHas)
			lay(t, home, tt.files)
			at := func(e spec) spec {
				e.Dir = in(e.Dir)
				for _, list := range []*[]string{&e.Command, &e.Env, &e.Read, &e.Write} {
					*list = slices.Clone(*list)
					for i, word := range *list {
						(*list)[i] = in(word)
					}
				}
				return e
			}
			if tt.engine.Dir == "" {
				tt.engine.Dir = "HOME/bots/evil"
			}
			if tt.others == nil {
				tt.others = []spec{{Command: words{"HOME/bots/rival/weights"}, Dir: "HOME"}}
			}
			var others []spec
			for _, e := range tt.others {
				others = append(others, at(e))
			}
			tt.engine.Command = strings.Fields(tt.run)
			policy, err := sandbox.For(at(tt.engine), others, strings.Fields(in(tt.secret)))
			if want := " leads to " + filepath.Join(home, tt.leads) + ", "; tt.leads == "" && err != nil || tt.leads != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Fatalf("%v, want %q", err, want)
			}
			for _, path := range strings.Fields(tt.yes + " .ssh/id private/lib/secret private/bin/tool bots/rival/weights bots/evil/.env " + tt.no) {
				want := slices.Contains(strings.Fields(tt.yes), path)
				if path = filepath.Join(home, path); slices.Contains(program[:], path[len(home):]) {
					path = path[len(home):]
				}
				is := slices.ContainsFunc(policy.Read, func(dir string) bool {
					to, err := filepath.EvalSymlinks(dir)
					return sandbox.Within(path, dir) || err == nil && sandbox.Within(path, to)
				})
				if is != want && tt.leads == "" {
					t.Errorf("%s may be read: %v", path, is)
				}
			}
		})
	}
}
