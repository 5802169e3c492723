package proc

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// Unenforced says what this operating system cannot do: nothing.
const Unenforced = ""

// sampled is how memory is measured in any case.
const sampled = "resident size, page tables and shared memory of all its processes, every 50 ms"

// MemoryHow says what enforces an engine's memory limit on this machine and,
// if it is not the kernel, why.
func MemoryHow() string {
	memory, _ := sandbox.FindMemory()
	by, why := memory.By()
	if why != nil {
		return sampled + ", without pipes, TCP and what else the kernel keeps for them (" + strings.ReplaceAll(why.Error(), "\n", "; ") + ")"
	}
	return "the kernel, by " + by + ", and " + sampled
}

// sample looks at the engine again and again, until it has ended.
func (p *Process) sample() {
	wait := time.NewTimer(0)
	defer wait.Stop()
	for {
		select {
		case <-wait.C:
		case <-p.exited:
			return
		case <-p.quit:
			return
		}
		began := time.Now()
		if p.enforce() {
			p.Wake()
			return
		}
		took := time.Since(began)
		wait.Reset(max(memoryEvery, min(10*took, max(longestBlind, took))))
	}
}

// longestBlind is how long nobody looks at an engine to which it takes long to look.
const longestBlind = time.Second

// enforce looks for what the engine started, and kills the engine when all of it together
// exceeds the limit of memory or has too many files open. It reports whether it did.
func (p *Process) enforce() bool {
	limit, had, why := p.limit.Load(), int64(0), ""
	p.mu.Lock()
	if h := p.holdings(); limit > 0 {
		had = p.memory(h)
		why = h.misuse()
	} else {
		for _, e := range p.look() {
			if p.spec.Plays && !e.zombie && !p.isInit(e) {
				h.add(e.dir())
			}
		}
		why = h.misuse()
	}
	p.mu.Unlock()
	if had <= limit {
		had = p.child.Killed(p.spec.Memory)
	}
	switch {
	case why != "":
		p.misuse.CompareAndSwap(nil, &why)
	case had > 0:
		p.over.CompareAndSwap(0, had)
	default:
		return false
	}
	p.Kill()
	return true
}

// OverMemory is the memory of a process when it was killed for exceeding its
// limit, 0 if it was not.
func (p *Process) OverMemory() int64 { return p.over.Load() }

// Misuse is why the process was killed, beside its memory; "" if it was not.
func (p *Process) Misuse() string {
	if why := p.misuse.Load(); why != nil {
		return *why
	}
	return ""
}

// A timer or a packet wakes each epoll that watches it, in an interrupt. The kernel
// charges that time to whatever program runs, such as the opponent. So an engine may
// have as many watches as programs need, and no more. Timers, which expire as often as
// it wants, are anonymous files, as are events and signals.
const (
	mostWatches   = 256
	mostAnonymous = 64     // of them
	mostFiles     = 20_000 // descriptors: so many are looked at
)

// held is what processes hold by their descriptors.
type held struct {
	plays              bool // against another engine: its watches count
	files              int
	watches, anonymous int
	memory             map[inode]int64 // files in memory, with the bytes that they occupy
	sockets            map[string]bool
}

func (p *Process) holdings() *held {
	return &held{plays: p.spec.Plays, memory: map[inode]int64{}, sockets: map[string]bool{}}
}

// misuse is what an engine that plays has too many of, "" if nothing.
func (h *held) misuse() string {
	switch {
	case !h.plays:
	case h.watches > mostWatches:
		return fmt.Sprintf("over %d watches of files by epoll, which take processor time of others", mostWatches)
	case h.anonymous > mostAnonymous:
		return fmt.Sprintf("over %d watches of timers and the like by epoll, which take processor time of others", mostAnonymous)
	case h.files > mostFiles:
		return fmt.Sprintf("over %d open files", mostFiles)
	}
	return ""
}

// add adds the descriptors of a process, up to what is too many.
func (h *held) add(dir string) {
	dir += "/"
	var link [256]byte
	all := sandbox.Numbered(dir + "fd")
	h.files += len(all)
	for _, number := range all {
		if h.plays && (h.files > mostFiles || h.watches > mostWatches) {
			return
		}
		fd := strconv.Itoa(number)
		n, err := unix.Readlink(dir+"fd/"+fd, link[:])
		if err != nil {
			continue
		}
		name := string(link[:n])
		var st unix.Stat_t
		switch {
		case strings.HasPrefix(name, "socket:"):
			h.sockets[name] = true
		case name == "anon_inode:[eventpoll]":
			if h.plays && unix.Stat(dir+"fd/"+fd, &st) == nil {
				h.watch(dir+"fdinfo/"+fd, st.Ino)
			}
		case inMemory(name) && unix.Stat(dir+"fd/"+fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG:
			h.memory[inode{uint64(st.Dev), st.Ino}] = st.Blocks * 512
		}
	}
}

// watch counts what an epoll watches; all anonymous files have its inode.
func (h *held) watch(info string, anonymous uint64) {
	file, err := os.Open(info)
	if err != nil {
		return
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, 64<<10)) // over 1,000 lines
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte("tfd:")) {
			continue
		}
		h.watches++
		// "tfd: 5 events: 19 data: 7 pos:0 ino:40b sdev:10"; before Linux 4.13 it ends before pos.
		_, after, told := bytes.Cut(line, []byte(" ino:"))
		inode, _, _ := bytes.Cut(after, []byte(" "))
		if number, err := strconv.ParseUint(string(inode), 16, 64); !told || err != nil || number == anonymous {
			h.anonymous++
		}
	}
}
