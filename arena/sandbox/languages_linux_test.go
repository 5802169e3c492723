//go:build linux && (amd64 || arm64)

package sandbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"thera/arena"
	"thera/arena/proc"
	"thera/arena/sandbox"

	"thera/engine/gametest"
)

// runs is what a command prints in the sandbox that it gets by default.
func (f *field) runs(dir string, argv ...string) string {
	f.t.Helper()
	policy, err := sandbox.For(arena.EngineSpec{Command: argv, Dir: dir}, nil, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	p, err := f.spawner.Start(proc.Spec{Argv: argv, Dir: dir, Box: f.host.Box(policy)})
	if err != nil {
		return err.Error()
	}
	defer p.Close()
	text := f.said(p)
	if exit, _ := p.Exited(); exit.String() != "0" {
		return text + exit.String() + p.Stderr()
	}
	return text
}

// The interpreters that this machine has run scripts under the default, with
// their libraries, threads, children and temporary files.
func TestLanguages(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	scripts := map[string]string{
		"main.py": "#!/usr/bin/env python3\nimport json, ssl, tempfile, threading, multiprocessing, subprocess, helper\n" +
			"def double(x): return 2*x\n" +
			"if __name__ == '__main__':\n    tempfile.TemporaryFile().write(b'x')\n    with multiprocessing.Pool(2) as p: print(p.map(double, [helper.one]))\n    print(subprocess.check_output(['echo', 'child']).decode())\n",
		"helper.py": "one = 1\n",
		"main.js":   "const w = require('worker_threads'); if (w.isMainThread) { new w.Worker(__filename); require('fs').writeFileSync(require('os').tmpdir() + '/x', 'x') } else { console.log('thread') }\n",
		"Main.java": "public class Main { public static void main(String[] a) throws Exception { java.nio.file.Files.createTempFile(\"a\", \"b\"); Thread t = new Thread(() -> System.out.println(\"thread\")); t.start(); t.join(); } }\n",
		"main.sh":   "#!/bin/sh\necho $(cat weights)\n",
		"main.pl":   "use POSIX; use List::Util; print 'perl';\n",
	}
	for name, text := range scripts {
		gametest.OK(t, os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o755))
	}
	for _, tt := range []struct {
		needs string
		argv  []string
		want  string
	}{
		{"sh", []string{"./main.sh"}, "its"},
		{"python3", []string{"./main.py"}, "[2]\nchild"},
		{"python3", []string{"python3", "main.py"}, "[2]\nchild"},
		{"node", []string{"node", "main.js"}, "thread"},
		{"java", []string{"java", "-Djava.io.tmpdir=/dev/shm", "Main.java"}, "thread"},
		{"perl", []string{"perl", "main.pl"}, "perl"},
	} {
		program, err := exec.LookPath(tt.needs)
		if err != nil {
			t.Logf("this machine has no %s", tt.needs)
			continue
		}
		if tt.needs == "java" && exec.Command(filepath.Join(filepath.Dir(program), "javac"), "-version").Run() != nil {
			tt.argv, tt.want = []string{"java", "-version"}, ""
		}
		if got := f.runs(f.dir, tt.argv...); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.argv, got, tt.want)
		}
	}
}
