package proc

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// RunDelay is the time that the process's live threads have waited for a core:
// field 2 of /proc/PID/task/*/schedstat. It is 0 if the kernel does not count
// it.
func (p *Process) RunDelay() time.Duration {
	dir := "/proc/" + strconv.Itoa(p.pid) + "/task"
	d, err := os.Open(dir)
	if err != nil {
		return 0
	}
	defer d.Close()
	names, _ := d.Readdirnames(1024)
	var sum time.Duration
	for _, name := range names {
		text, err := os.ReadFile(dir + "/" + name + "/schedstat")
		if err != nil {
			continue
		}
		if f := bytes.Fields(text); len(f) == 3 {
			ns, _ := strconv.ParseInt(string(f[1]), 10, 64)
			sum += time.Duration(ns)
		}
	}
	return sum
}
