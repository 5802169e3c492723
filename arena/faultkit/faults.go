//go:build unix

package faultkit

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A fault has its moment: an answer that it replaces, a question before the search, a line of
// input or output that it changes, the start, before the first line, or the end of the input.
type moment int

const (
	atAnswer moment = iota // one of these is random
	besides                // at an answer, too
	atQuestion
	atInput
	atOutput
	atStart
	atEnd
)

// faults are what an engine does with a line at that moment.
var faults = [atEnd + 1]map[string]func(e *Engine, line []byte){atAnswer: {
	"hang": func(*Engine, []byte) { forever() },
	"overdue": func(e *Engine, a []byte) { // answers at the next question
		if e.held != "" {
			e.Say(e.held + "\n")
		}
		e.held = string(a)
	},
	"exit0":     func(*Engine, []byte) { os.Exit(0) },
	"exit3":     func(*Engine, []byte) { os.Exit(3) },
	"segv":      func(*Engine, []byte) { die(syscall.SIGSEGV) },
	"abort":     func(*Engine, []byte) { die(syscall.SIGABRT) },
	"kill":      func(*Engine, []byte) { die(syscall.SIGKILL) },
	"panic":     func(*Engine, []byte) { panic("the engine's own") },
	"closedout": func(e *Engine, _ []byte) { e.out.Close(); forever() },
	"closedin": func(_ *Engine, a []byte) { // closes its input, but answers this question
		shell("exec 0<&-; echo '" + string(a) + "'; exec sleep 61.5")
	},
	"closedask": func(*Engine, []byte) { // closes its input and does not answer
		shell("exec 0<&-; exec sleep 61.5")
	},
	"flood":     func(e *Engine, _ []byte) { spam(e, strings.Repeat("noise\n", 10_000)) },
	"floodwide": func(e *Engine, _ []byte) { spam(e, strings.Repeat("x", 500_000)+"\n") },
	"longline":  func(e *Engine, _ []byte) { spam(e, strings.Repeat("x", 1<<16)) },
	"illegal":   func(e *Engine, a []byte) { e.Say("move " + strings.Fields(string(a))[1] + " 7\n") },
	"garbage":   func(e *Engine, _ []byte) { e.Say("move\n") },
	"memory":    func(*Engine, []byte) { grow() },
	"partial":   func(e *Engine, a []byte) { e.Say(string(a[:len(a)-1])); forever() },
	"lastwords": func(e *Engine, a []byte) { e.Say(string(a)); os.Exit(0) }, // no final newline
	"orphanpipe": func(*Engine, []byte) { // a grandchild keeps the pipe open
		grandchild(false)
		os.Exit(0)
	},
	"setsid": func(*Engine, []byte) { // ... in another session
		grandchild(true)
		os.Exit(0)
	},
	"childhang": func(*Engine, []byte) { grandchild(true); forever() },
	"burn":      func(*Engine, []byte) { spin(1) },
	"deafburn":  func(*Engine, []byte) { deafen(); spin(1) },
	// The following are not faults.
	"resign": func(e *Engine, a []byte) { e.Say("move " + strings.Fields(string(a))[1] + " resign\n") },
	"two":    func(e *Engine, a []byte) { e.Say(string(a) + "\n" + string(a) + "\n") },
	"crlf":   func(e *Engine, a []byte) { e.Say(string(a) + "\r\n") },
	"nul":    func(e *Engine, a []byte) { e.Say("\x00" + string(a) + "\x00\n\x00") },
	"blank":  func(e *Engine, a []byte) { e.Say("\n\r\n" + string(a) + "\n\n\n") },
	"noise":  func(e *Engine, a []byte) { shout(30); e.Say("what is this?\n" + string(a) + "\nand this\n") },
	"stderr": func(e *Engine, a []byte) { shout(3000); e.answer(a) },
	"split": func(e *Engine, a []byte) {
		for i := range min(len(a), 20) {
			e.Say(string(a[i : i+1]))
			time.Sleep(200 * time.Microsecond)
		}
		e.Say(string(a[min(len(a), 20):]) + "\n")
	},
	"zombie": func(e *Engine, a []byte) {
		_ = exec.Command("true").Start() // never waited for
		e.answer(a)
	},
	"ponder":    func(e *Engine, a []byte) { e.answer(a); think(30 * time.Millisecond) },
	"ponderous": func(e *Engine, a []byte) { e.answer(a); think(250 * time.Millisecond) },
}, besides: {
	"score":  func(e *Engine, a []byte) { e.Say(string(a) + " score " + e.value + "\n") }, // of the position
	"sleep":  func(e *Engine, a []byte) { time.Sleep(e.milliseconds()); e.answer(a) },     // without CPU
	"work":   func(e *Engine, a []byte) { think(e.milliseconds()); e.answer(a) },          // with CPU
	"gamble": gamble, "voiding": voiding,
}, atStart: {
	"silent":    func(*Engine, []byte) { forever() },
	"slowstart": func(*Engine, []byte) { time.Sleep(100 * time.Millisecond) },
	"startexit": func(*Engine, []byte) { os.Exit(7) },
	"starthear": func(*Engine, []byte) { _ = os.Stdin.Close(); forever() },
	"sigterm":   func(*Engine, []byte) { deafen() },
}, atQuestion: {
	"early": func(e *Engine, q []byte) { // answers the next question as well
		var n int
		_, _ = fmt.Sscanf(string(q), "go %d", &n)
		e.Say(fmt.Sprintf("move %d 1\n", n+1))
	},
	"deaf": func(*Engine, []byte) { forever() }, // stops reading, though its input is open
}, atInput: {
	"noquit": func(e *Engine, line []byte) {
		if string(line) != "quit" {
			_ = e.pass(line)
		}
	},
	"unstopped": func(e *Engine, line []byte) {
		if string(line) == "stop" { // so late that no busy machine is an excuse
			time.Sleep(2 * time.Second)
		}
		_ = e.pass(line)
	},
}, atEnd: {
	"noeof": func(*Engine, []byte) { forever() },
}, atOutput: {
	"allcrlf": func(e *Engine, line []byte) { e.Say(string(line) + "\r\n") },
	"liar": func(e *Engine, line []byte) { // lists an extra move
		text := string(line)
		if strings.HasPrefix(text, "moves") {
			text += " 9"
		}
		e.Say(text + "\n")
	},
	"fragile": func(e *Engine, line []byte) { // exits at an unknown command
		if bytes.HasPrefix(line, []byte("error")) {
			os.Exit(1)
		}
		e.answer(line)
	},
	"bom": func(e *Engine, line []byte) {
		if bytes.Equal(line, []byte("ready")) {
			e.Say("\ufeff")
		}
		e.answer(line)
	},
}}

func (e *Engine) milliseconds() time.Duration {
	n, _ := strconv.Atoi(e.value)
	return time.Duration(n) * time.Millisecond
}

// deafen makes this process ignore polite requests to end.
func deafen() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) }

// die ends this process by a signal. The handlers of the Go runtime would turn
// the signal into exit status 2; a program in C has none, and neither has a
// shell.
func die(sig syscall.Signal) {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	shell(fmt.Sprintf("kill -%d $$", int(sig)))
}

// shell continues as a shell script.
func shell(script string) {
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", script}, os.Environ())
}

// forever blocks without being reported as a deadlock.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

// think uses CPU time.
func think(d time.Duration) {
	used := func() time.Duration {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	for end := used() + d; used() < end; {
		continue
	}
}

func spam(e *Engine, text string) {
	for {
		e.Say(text)
	}
}

func shout(lines int) {
	line := strings.Repeat("e", 99) + "\n"
	for range lines {
		_, _ = os.Stderr.WriteString(line)
	}
}

func grow() {
	var hoard [][]byte
	for {
		block := make([]byte, 4<<20)
		touch(block)
		hoard = append(hoard, block)
		if len(hoard) > 64 { // 256 MiB are enough to be caught with
			forever()
		}
	}
}

func touch(memory []byte) {
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
}

// grandchild starts a process that runs for a minute and holds our pipes.
func grandchild(session bool) {
	cmd := exec.Command("sleep", "61.5")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	_ = cmd.Start()
}
