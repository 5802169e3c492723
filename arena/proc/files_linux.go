package proc

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// A timer or a packet wakes each epoll that watches it, in an interrupt. The kernel
// charges that time to whatever program runs, such as the opponent. So an engine may
// have as many watches as programs need, and no more. Timers, which expire as often as
// it wants, are anonymous files, as are events and signals.
const (
	mostWatches   = 256
	mostAnonymous = 64     // of them
	mostFiles     = 20_000 // descriptors: so many are looked at
)

// Misuse is why the process was killed, beside its memory; "" if it was not.
func (p *Process) Misuse() string {
	if why := p.misuse.Load(); why != nil {
		return *why
	}
	return ""
}

// limitFiles kills an engine that plays and had too many watches or descriptors at the
// last look, and reports whether it did.
func (p *Process) limitFiles() bool {
	if !p.spec.Plays {
		return false
	}
	p.mu.Lock()
	files, watches, anonymous := 0, 0, 0
	for _, e := range p.seen {
		if !e.zombie && !p.isInit(e) && files <= mostFiles && watches <= mostWatches {
			f, w, a := countWatches(e.dir())
			files, watches, anonymous = files+f, watches+w, anonymous+a
		}
	}
	p.mu.Unlock()
	why := ""
	switch {
	case watches > mostWatches:
		why = fmt.Sprintf("over %d watches of files by epoll, which take processor time of others", mostWatches)
	case anonymous > mostAnonymous:
		why = fmt.Sprintf("over %d watches of timers and the like by epoll, which take processor time of others", mostAnonymous)
	case files > mostFiles:
		why = fmt.Sprintf("over %d open files", mostFiles)
	default:
		return false
	}
	p.misuse.CompareAndSwap(nil, &why)
	p.Kill()
	return true
}

// countWatches counts a process's descriptors and the watches of its epolls, and those
// of anonymous files among them.
func countWatches(dir string) (files, watches, anonymous int) {
	var link [64]byte
	all := sandbox.Numbered(dir + "/fd")
	if len(all) > mostFiles {
		return len(all), 0, 0
	}
	for _, fd := range all {
		name := strconv.Itoa(fd)
		n, err := unix.Readlink(dir+"/fd/"+name, link[:])
		if err != nil || string(link[:n]) != "anon_inode:[eventpoll]" {
			continue
		}
		file, err := os.Open(dir + "/fdinfo/" + name)
		if err != nil {
			continue
		}
		text, _ := io.ReadAll(io.LimitReader(file, 64<<10)) // over 1,000 lines
		file.Close()
		var own unix.Stat_t // it is anonymous itself
		_ = unix.Stat(dir+"/fd/"+name, &own)
		for line := range bytes.Lines(text) {
			if !bytes.HasPrefix(line, []byte("tfd:")) {
				continue
			}
			watches++
			// "tfd: 5 events: 19 data: 7 pos:0 ino:40b sdev:10"; before Linux 4.13 it ends before pos.
			_, after, told := bytes.Cut(line, []byte(" ino:"))
			inode, _, _ := bytes.Cut(after, []byte(" "))
			if number, err := strconv.ParseUint(string(inode), 16, 64); !told || err != nil || number == own.Ino {
				anonymous++
			}
		}
		if watches > mostWatches {
			break
		}
	}
	return len(all), watches, anonymous
}
