package proc

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// Threads are the live threads of all processes of the engine, by number.
func (p *Process) Threads() map[int]Thread {
	threads := map[int]Thread{}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return threads
	}
	for _, e := range p.look() {
		if !p.isInit(e) {
			addThreads(e.pid, threads)
		}
	}
	return threads
}

func addThreads(pid int, threads map[int]Thread) {
	dir := "/proc/" + strconv.Itoa(pid) + "/task"
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(1024)
	for _, name := range names {
		number, _ := strconv.Atoi(name)
		if t, ok := readThread(dir + "/" + name); ok {
			threads[number] = t
		}
	}
}

// readThread reads schedstat (times on a core and waiting for one, in
// nanoseconds) and status of a thread.
func readThread(dir string) (t Thread, ok bool) {
	text, err := os.ReadFile(dir + "/schedstat")
	f := bytes.Fields(text)
	if err != nil || len(f) != 3 {
		return t, false
	}
	ran, _ := strconv.ParseInt(string(f[0]), 10, 64)
	waited, _ := strconv.ParseInt(string(f[1]), 10, 64)
	t.Ran, t.Waited = time.Duration(ran), time.Duration(waited)
	text, err = os.ReadFile(dir + "/status")
	if err != nil {
		return t, false
	}
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) >= 2 {
			switch string(f[0]) {
			case "State:":
				t.Runnable, t.Reads = f[1][0] == 'R', f[1][0] == 'D'
			case "voluntary_ctxt_switches:":
				t.Sleeps, _ = strconv.ParseInt(string(f[1]), 10, 64)
			}
		}
	}
	return t, true
}
