package proc

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// held is what the processes of an engine hold at one look.
type held struct {
	plays              bool // against another engine: its watches count
	dirs               []string
	resident, extra    int64 // bytes in pages of processes, and beside them
	files              int   // descriptors
	watches, anonymous int
	memory             map[inode]int64 // files in memory, with the bytes that they occupy; without a number, those of the temporary folder
	tmp                uint64          // the device of that
	sockets            map[string]bool
}

// inode identifies a file.
type inode struct{ dev, ino uint64 }

// holdings looks at what the engine's processes hold.
func (p *Process) holdings() *held {
	h := &held{plays: p.spec.Plays, memory: map[inode]int64{}, sockets: map[string]bool{}}
	limited := p.limit.Load() > 0
	for _, e := range p.look() {
		if e.zombie || !limited && !h.plays {
			continue
		}
		dir := e.dir()
		h.dirs = append(h.dirs, dir)
		if limited && p.tmp != "" && h.tmp == 0 {
			h.addFolder(dir + "/root" + p.tmp)
		}
		h.add(dir)
		if limited {
			resident, extra := status(dir)
			h.resident, h.extra = h.resident+resident, h.extra+extra
		}
	}
	// Nobody says how much is in a socket. An engine with more than a few of them
	// is charged for the rest what each may hold, by the usual net.core.wmem_max.
	const few, full = 64, 416 << 10
	h.extra += int64(max(0, len(h.sockets)-few)) * full
	return h
}

// status is a process's resident memory, and what it has beside it: page
// tables, swapped and huge pages. See /proc/PID/status in proc(5).
func status(dir string) (resident, extra int64) {
	all := kibibytes(dir+"/status", "VmRSS", "VmPTE", "VmSwap", "HugetlbPages")
	return all[0], all[1] + all[2] + all[3]
}

// kibibytes reads "NAME: N kB" lines of a file in bytes.
func kibibytes(path string, names ...string) []int64 {
	all := make([]int64, len(names))
	text, _ := os.ReadFile(path)
	for line := range bytes.Lines(text) {
		name, value, _ := strings.Cut(string(line), ":")
		for i := range names {
			if name == names[i] {
				all[i] = number([]byte(value)) << 10
			}
		}
	}
	return all
}

// inFiles is the size of files in memory that processes have open.
func (h *held) inFiles() (sum int64) {
	for _, size := range h.memory {
		sum += size
	}
	return sum
}

// used is the memory of all processes in bytes, with files in memory that they hold open. Memory
// of several processes cannot simply be added: they share pages. The exact sum needs a
// walk through all their page tables, which stops them from mapping memory meanwhile. So it is
// taken only when the simple sum, which is never less, exceeds the limit.
func (h *held) used(limit int64) int64 {
	sum := h.resident + h.extra + h.inFiles()
	if sum <= limit || len(h.dirs) <= 1 && len(h.memory) == 0 || h.misuse() != "" {
		return sum
	}
	sum = h.extra
	var shared int64 // in files that are mapped
	for _, dir := range h.dirs {
		all := kibibytes(dir+"/smaps_rollup", "Pss", "Pss_Shmem") // each page divided by the number of processes that map it
		if all[0] == 0 {
			all[0], _ = status(dir) // it hides its memory
		}
		sum, shared = sum+all[0]-all[1], shared+all[1]
	}
	return sum + max(shared, h.inFiles()) // most files are both mapped and open
}

// A timer or a packet wakes each epoll that watches it, in an interrupt. The kernel
// charges that time to whatever program runs, such as the opponent. So an engine may
// have as many watches as programs need, and no more. Timers, which expire as often as
// it wants, are anonymous files, as are events and signals.
const (
	mostWatches   = 256
	mostAnonymous = 64     // of them
	mostFiles     = 20_000 // descriptors, no more of which are looked at
)

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

// addFolder adds the private temporary folder, which is memory, as a process sees it.
func (h *held) addFolder(path string) {
	var fs unix.Statfs_t
	var st unix.Stat_t
	if unix.Statfs(path, &fs) == nil && unix.Stat(path, &st) == nil {
		h.tmp = uint64(st.Dev)
		h.memory[inode{dev: h.tmp}] = int64(fs.Blocks-fs.Bfree) * int64(fs.Bsize)
	}
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
		case inMemory(name) && unix.Stat(dir+"fd/"+fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG && uint64(st.Dev) != h.tmp:
			h.memory[inode{uint64(st.Dev), st.Ino}] = st.Blocks * 512
		}
	}
}

// inMemory reports whether a file, as /proc names it, is memory that ends with its processes: a
// memfd, or shared memory that has no name any more.
func inMemory(name string) bool {
	return strings.HasPrefix(name, "/memfd:") ||
		strings.HasPrefix(name, "/dev/shm/") && strings.HasSuffix(name, " (deleted)")
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
		_, after, there := bytes.Cut(line, []byte(" ino:"))
		inode, _, _ := bytes.Cut(after, []byte(" "))
		if number, err := strconv.ParseUint(string(inode), 16, 64); !there || err != nil || number == anonymous {
			h.anonymous++
		}
	}
}
