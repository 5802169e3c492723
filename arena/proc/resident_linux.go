package proc

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Memory of several processes cannot simply be added: they share pages. The
// exact sum needs a walk through all their page tables, which stops them from
// mapping memory meanwhile. So it is taken only when the simple sum, which is
// never less, exceeds the limit.

// memory returns the memory of all processes of the engine in bytes, with files in memory that
// they hold open; 0 if they are gone. Shared memory counts once if that matters for the limit.
func (p *Process) memory(h *held) int64 {
	sum := p.simpleSum(h)
	if sum <= p.limit.Load() || len(p.seen) <= 2 && len(h.memory) == 0 || h.misuse() != "" {
		return sum
	}
	return p.exactSum(h.memory) // the sampler looks the less often the longer this takes
}

// inode identifies a file.
type inode struct{ dev, ino uint64 }

func (p *Process) simpleSum(h *held) (sum int64) {
	p.extra = 0
	var dirs []string
	for _, e := range p.look() {
		sum += e.resident
		if e.zombie || p.isInit(e) {
			continue
		}
		dir := e.dir()
		resident, extra := status(dir)
		if e.headless {
			sum += resident
		}
		p.extra += extra
		h.add(dir)
		dirs = append(dirs, dir)
	}
	p.extra += int64(max(0, len(h.sockets)-fewSockets)) * fullSocket
	sum += p.extra
	if !p.child.Plain() {
		p.mappings(dirs, h.memory)
	}
	for _, size := range h.memory {
		sum += size
	}
	return sum
}

// exactSum is the memory of the processes seen: each page divided by the
// number of processes that map it, and all of files and of extra.
func (p *Process) exactSum(files map[inode]int64) (sum int64) {
	sum = p.extra
	for _, size := range files {
		sum += size
	}
	for _, e := range p.seen {
		if e.zombie || p.isInit(e) {
			continue
		}
		if share, ok := proportional(e.dir(), files); ok {
			sum += share
		} else {
			sum += e.resident // it hides its memory
		}
	}
	return sum
}

// proportional is a process's share of the memory that it maps, without that
// of files; see /proc/PID/smaps in proc(5).
func proportional(dir string, files map[inode]int64) (sum int64, ok bool) {
	name := "/smaps"
	if len(files) == 0 {
		name = "/smaps_rollup"
	}
	file, err := os.Open(dir + name)
	if err != nil {
		return 0, false
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	counted := false // the mapping's pages are those of a file
	for scan.Scan() {
		line := scan.Bytes()
		ok = true
		if share, is := bytes.CutPrefix(line, []byte("Pss:")); is && !counted {
			sum += number(share) << 10
		} else if len(line) > 0 && line[0] >= '0' && line[0] <= '9' || len(line) > 0 && line[0] >= 'a' && line[0] <= 'f' {
			// A page that is written in a private mapping is not the file's any more.
			which, shared := mapped(line)
			_, known := files[which]
			counted = known && shared
		}
	}
	return sum, ok && scan.Err() == nil
}

// mapped is the file of a mapping, as in "7f00-7f01 rw-s 00000000 00:01 42 /path", and
// whether what is written there is in the file.
func mapped(line []byte) (which inode, shared bool) {
	f := bytes.Fields(line)
	if len(f) < 5 {
		return inode{}, false
	}
	major, minor, _ := strings.Cut(string(f[3]), ":")
	hi, _ := strconv.ParseUint(major, 16, 32)
	lo, _ := strconv.ParseUint(minor, 16, 32)
	ino, _ := strconv.ParseUint(string(f[4]), 10, 64)
	return inode{unix.Mkdev(uint32(hi), uint32(lo)), ino}, bytes.HasSuffix(f[1], []byte("s"))
}
