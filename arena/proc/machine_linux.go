package proc

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// Usage implements the interface of package conn: it reads /proc/stat, which
// counts in steps of 10 ms.
func (Machine) Usage(cpus []int) (u Usage, ok bool) {
	var wanted unix.CPUSet
	if len(cpus) == 0 {
		if unix.SchedGetaffinity(0, &wanted) != nil {
			return Usage{}, false
		}
	}
	for _, cpu := range cpus {
		wanted.Set(cpu)
	}
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return Usage{}, false
	}
	u, ok = usageIn(text, &wanted)
	self, _ := readThread("/proc/thread-self")
	u.Waited = self.Waited
	return u, ok
}

// usageIn sums the lines "cpuN user nice system idle iowait irq softirq steal
// …" of the wanted processors; see proc(5).
func usageIn(text []byte, wanted *unix.CPUSet) (u Usage, ok bool) {
	for line := range bytes.Lines(text) {
		f := bytes.Fields(line)
		if len(f) < 9 || !bytes.HasPrefix(f[0], []byte("cpu")) {
			continue
		}
		cpu, err := strconv.Atoi(string(f[0][len("cpu"):]))
		if err != nil || !wanted.IsSet(cpu) {
			continue
		}
		u.CPUs++
		for i, field := range f[1:9] {
			switch took := time.Duration(number(field)) * clockTick; i {
			case 3, 4: // idle, or idle while a disk works
			case 7:
				u.Stolen += took
			default:
				u.Busy += took
			}
		}
	}
	return u, u.CPUs > 0
}
