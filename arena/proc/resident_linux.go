package proc

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Memory of several processes cannot simply be added: they share pages. The
// exact sum needs a walk through all their page tables, which stops them from
// mapping memory meanwhile. So it is taken only when the simple sum, which is
// never less, exceeds the limit.

// Resident is the memory of all processes of the engine in bytes, with files
// in memory that they hold open; 0 if they are gone. Shared memory may count
// several times.
func (p *Process) Resident() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum, _ := p.simpleSum()
	return sum
}

// memory is Resident if that does not exceed the limit. Otherwise shared
// memory counts once.
func (p *Process) memory() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum, files := p.simpleSum()
	if sum <= p.limit.Load() || len(p.seen) <= 1 && len(files) == 0 {
		return sum
	}
	began := time.Now()
	if began.Before(p.exactNext) {
		return p.exact
	}
	p.exact = p.exactSum(files)
	p.exactNext = time.Now().Add(10 * time.Since(began))
	return p.exact
}

// inode identifies a file.
type inode struct{ dev, ino uint64 }

func (p *Process) simpleSum() (sum int64, files map[inode]int64) {
	files = map[inode]int64{}
	for _, e := range p.look() {
		sum += e.resident
		if !e.zombie {
			memoryFiles(e.pid, files)
		}
	}
	for _, size := range files {
		sum += size
	}
	return sum, files
}

// memoryFiles adds the memory files that a process holds open, with the bytes
// that they occupy.
func memoryFiles(pid int, files map[inode]int64) {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	var link [256]byte
	for _, fd := range numbered(dir) {
		path := dir + "/" + strconv.Itoa(fd)
		n, err := unix.Readlink(path, link[:])
		if err != nil || !inMemory(string(link[:n])) {
			continue
		}
		var st unix.Stat_t
		if unix.Stat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG {
			files[inode{uint64(st.Dev), st.Ino}] = st.Blocks * 512
		}
	}
}

// inMemory reports whether a file, as /proc names it, is memory that ends with
// its processes: a memfd, or shared memory that has no name any more.
func inMemory(path string) bool {
	return strings.HasPrefix(path, "/memfd:") || strings.HasPrefix(path, "/dev/shm/") && strings.HasSuffix(path, " (deleted)")
}

// exactSum is the memory of the processes seen: each page divided by the
// number of processes that map it, and all of files.
func (p *Process) exactSum(files map[inode]int64) (sum int64) {
	for _, size := range files {
		sum += size
	}
	for _, e := range p.seen {
		if e.zombie {
			continue
		}
		if share, ok := proportional(e.pid, files); ok {
			sum += share
		} else {
			sum += e.resident // it hides its memory
		}
	}
	return sum
}

// proportional is a process's share of the memory that it maps, without that
// of files; see /proc/PID/smaps in proc(5).
func proportional(pid int, files map[inode]int64) (sum int64, ok bool) {
	file, err := os.Open("/proc/" + strconv.Itoa(pid) + "/smaps")
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
			_, counted = files[mapped(line)]
		}
	}
	return sum, ok && scan.Err() == nil
}

// mapped is the file of a mapping: "7f00-7f01 rw-s 00000000 00:01 42 /path".
func mapped(line []byte) inode {
	f := bytes.Fields(line)
	if len(f) < 5 {
		return inode{}
	}
	major, minor, _ := strings.Cut(string(f[3]), ":")
	hi, _ := strconv.ParseUint(major, 16, 32)
	lo, _ := strconv.ParseUint(minor, 16, 32)
	ino, _ := strconv.ParseUint(string(f[4]), 10, 64)
	return inode{unix.Mkdev(uint32(hi), uint32(lo)), ino}
}
