package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"thera/arena/sandbox"
	"thera/engine/gametest"
	"thera/engine/pyrat/protocol/tcp/tcptest"
)

// A program that speaks GTP and a bot over TCP get nowhere by what they must not do.
func TestAttacksThroughProtocols(t *testing.T) {
	gametest.Sequential(t) // thera is another process
	t.Parallel()
	p := storyParams(t, testscript.Params{Dir: filepath.Join("testdata", "attacks")})
	p.Cmds["nothingleft"] = func(ts *testscript.TestScript, neg bool, args []string) {
		if left := marked(ts.Getenv("WORK")); neg == (len(left) == 0) {
			ts.Fatalf("processes left: %v", left)
		}
	}
	testscript.Run(t, p)
}

// marked are the processes with a variable that names a folder's file taken.
func marked(folder string) (left []int) {
	for _, pid := range sandbox.Numbered("/proc") {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if strings.Contains(string(text), "TAKEN="+folder) {
			left = append(left, pid)
		}
	}
	return left
}

// attacker is an engine that attacks at its second question: attacker gtp|tcp ATTACK. It exits
// with status 66 if that did something that it must not, and plays on if not.
func attacker() {
	asked, attack := 0, attacks[os.Args[2]]
	question := func(out io.Writer) {
		if asked++; asked != 2 || attack == nil {
			return
		}
		if err := attack(out); err != nil {
			fmt.Fprintln(os.Stderr, "in its way:", err)
			return
		}
		os.Exit(66)
	}
	if os.Args[1] == "gtp" {
		gtpAttacker(question)
		return
	}
	if os.Args[2] == "child" && len(os.Args) == 3 { // another process of it connects
		_ = itself("tcp", "child", "of its own").Run()
		return
	}
	conn, err := net.Dial("tcp", "127.0.0.1:"+os.Getenv("PYRAT_HOST_PORT"))
	if err != nil {
		panic(err)
	}
	b := tcptest.Bot{Conn: conn, Agent: os.Getenv("PYRAT_AGENT_ID"), Asked: func() { question(conn) }}
	b.Play()
	if os.Args[2] == "lingers" {
		time.Sleep(time.Hour)
	}
}

// gtpAttacker is the built-in player of Hex.
func gtpAttacker(question func(out io.Writer)) {
	in, to := io.Pipe()
	go func() {
		scan := bufio.NewScanner(os.Stdin)
		for scan.Scan() {
			if strings.Contains(scan.Text(), "genmove") {
				question(os.Stdout)
			}
			if scan.Text() != "quit" || os.Args[2] != "lingers" {
				fmt.Fprintln(to, scan.Text())
			}
		}
		if os.Args[2] != "lingers" {
			to.Close()
		}
	}()
	serveOwn("hex", in, "--gtp", "--bot", "random")
}

// itself is a process of the same program.
func itself(args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	c := exec.Command(self)
	c.Args = append([]string{"attacker"}, args...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c
}

var errHarmless = errors.New("nothing, and it is harmless")

// attacks have the channel to the arena, or to the adapter. An error says what was in the way.
var attacks = map[string]func(out io.Writer) error{
	"reads": func(io.Writer) error {
		_, err := os.ReadFile(strings.TrimPrefix(os.Getenv("SECRET"), "@")) // a variable that is a path grants it
		return err
	},
	"writes": func(io.Writer) error { return os.WriteFile(os.Getenv("TAKEN"), nil, 0o644) },
	"connects": func(io.Writer) error {
		_, err := net.Dial("tcp", os.Getenv("SERVICE"))
		return err
	},
	"set-id": func(io.Writer) error {
		file := filepath.Join(os.TempDir(), "root")
		return errors.Join(os.WriteFile(file, nil, 0o755), syscall.Chmod(file, 0o4755))
	},
	"traces":    others(syscall.PtraceAttach),
	"kills":     func(io.Writer) error { return errors.Join(errHarmless, syscall.Kill(-1, syscall.SIGKILL)) },
	"ends-init": func(io.Writer) error { return errors.Join(errHarmless, syscall.Kill(1, syscall.SIGKILL)) },
	"stops": others(func(pid int) error {
		return errors.Join(errHarmless, syscall.Kill(pid, syscall.SIGSTOP))
	}),
	"outlives": func(io.Writer) error {
		c := itself("tcp", "mute")
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		return errors.Join(errHarmless, c.Start())
	},
	"burns": func(io.Writer) error { // off its clock
		return errors.Join(errHarmless, exec.Command("sh", "-c", "i=0; while [ $i -lt 1500000 ]; do i=$((i+1)); done").Run())
	},
	"grows": func(io.Writer) error {
		var all [][]byte
		for len(all) < 1024 {
			all = append(all, make([]byte, 1<<20))
			for i := range all[len(all)-1] {
				all[len(all)-1][i] = 1
			}
		}
		return errHarmless
	},
	"shouts": func(io.Writer) error {
		for range 1 << 10 {
			fmt.Fprintln(os.Stderr, strings.Repeat("x", 1<<14))
		}
		return errHarmless
	},
	"floods": func(out io.Writer) error {
		for range 1 << 10 {
			if _, err := io.WriteString(out, strings.Repeat("\x00\x00\x00\x01\n", 1<<12)); err != nil {
				return err
			}
		}
		return errHarmless
	},
	"length": func(out io.Writer) error {
		_, err := io.WriteString(out, "\xff\xff\xff\xff")
		return errors.Join(errHarmless, err)
	},
	"early": func(out io.Writer) error {
		_, err := io.WriteString(out, "= a1\n\n= a2\n\n= a3\n\n")
		return errors.Join(errHarmless, err)
	},
	"speaks": others(func(pid int) error { // in the adapter's place
		f, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/1", pid), os.O_WRONLY, 0)
		if err == nil {
			_, err = io.WriteString(f, strings.Repeat("move UP\n", 9))
		}
		return errors.Join(errHarmless, err)
	}),
	"memory": others(func(pid int) error {
		_, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
		return err
	}),
}

// others does something to each other process but the init.
func others(do func(pid int) error) func(io.Writer) error {
	return func(io.Writer) (err error) {
		err = errors.New("there is none")
		for _, pid := range sandbox.Numbered("/proc") {
			if pid != os.Getpid() && pid != 1 {
				if err = do(pid); err == nil {
					return nil
				}
				err = fmt.Errorf("%s: %w", strconv.Itoa(pid), err)
			}
		}
		return err
	}
}
