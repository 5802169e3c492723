package proc

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// Memory that the resident size of processes lacks.

// dir is what /proc has of a process: that of another thread when the first one
// has ended, which has nothing any more.
func (e entry) dir() string {
	dir := "/proc/" + strconv.Itoa(e.pid)
	if e.headless {
		for _, thread := range sandbox.Numbered(dir + "/task") {
			if thread != e.pid {
				return dir + "/task/" + strconv.Itoa(thread)
			}
		}
	}
	return dir
}

// status is a process's resident memory, and what it has beside it: page
// tables, swapped and huge pages. See /proc/PID/status in proc(5).
func status(dir string) (resident, extra int64) {
	var text [4 << 10]byte
	n, _ := readFile(dir+"/status", text[:])
	for line := range bytes.Lines(text[:max(n, 0)]) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch string(name) {
		case "VmRSS":
			resident = number(value) << 10
		case "VmPTE", "VmSwap", "HugetlbPages":
			extra += number(value) << 10
		}
	}
	return resident, extra
}

// Nobody says how much is in a socket. An engine with more than a few of them
// is charged for the rest what each may hold, by the usual net.core.wmem_max.
const (
	fewSockets = 64
	fullSocket = 416 << 10
)

// inMemory reports whether a file, as /proc names it, is memory that ends with
// its processes: a memfd, a segment, or shared memory that has no name any more.
func inMemory(path string) bool {
	return strings.HasPrefix(path, "/memfd:") || strings.HasPrefix(path, "/SYSV") || path == "/dev/zero (deleted)" || strings.HasPrefix(path, "[anon_shmem:") ||
		strings.HasPrefix(path, "/dev/shm/") && strings.HasSuffix(path, " (deleted)")
}

// mappings adds memory files that are mapped, but not open. Their pages stay
// when a process gives up its own view of them, so the mapping counts in full.
// The lists are long: reading them takes a hundredth of the time.
func (p *Process) mappings(dirs []string, files map[inode]int64) {
	if began := time.Now(); began.After(p.mappedNext) {
		p.mapped = map[inode]int64{}
		for _, dir := range dirs {
			readMappings(dir, p.mapped)
		}
		p.mappedNext = time.Now().Add(100 * time.Since(began))
	}
	for file, size := range p.mapped {
		if _, open := files[file]; !open {
			files[file] = size
		}
	}
}

func readMappings(dir string, found map[inode]int64) {
	file, err := os.Open(dir + "/maps")
	if err != nil {
		return
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	for scan.Scan() {
		// "7f00-7f01 rw-s 00000000 00:01 42 /path"
		at := bytes.IndexAny(scan.Bytes(), "/[")
		if at < 0 || !inMemory(string(scan.Bytes()[at:])) {
			continue
		}
		f := bytes.Fields(scan.Bytes())
		from, to, _ := strings.Cut(string(f[0]), "-")
		low, _ := strconv.ParseInt(from, 16, 64)
		high, _ := strconv.ParseInt(to, 16, 64)
		offset, _ := strconv.ParseInt(string(f[2]), 16, 64)
		size := offset + high - low
		var st unix.Stat_t // a part may be mapped of much more; root can see that
		if unix.Stat(dir+"/map_files/"+string(f[0]), &st) == nil {
			size = st.Blocks * 512
		}
		which, _ := mapped(scan.Bytes())
		found[which] = max(found[which], size)
	}
}
