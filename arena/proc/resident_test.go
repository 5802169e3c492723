//go:build linux

package proc

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"thera/engine/gametest"
)

// Memory that processes share counts once.
func TestSharedMemoryCountsOnce(t *testing.T) {
	// The children wait in the shell itself: a fork on its way to exec shares the
	// memory, too, and is in no list of processes yet.
	const script = `exec 3<&0; s=x; while [ ${#s} -lt 16000000 ]; do s=$s$s; done
		for i in 1 2 3 4; do (echo $i; read line <&3; echo ${#s}) & done; wait`
	const limit = 64 << 20
	p := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", script}, Memory: limit})
	buf := make([]byte, 100)
	for said := 0; said < 4; {
		n, err := p.Read(buf, patience)
		gametest.OK(t, err)
		said += strings.Count(string(buf[:n]), "\n")
	}
	exactly := func() int64 { return p.holds().used(limit) }
	// A sum taken before the last fork was over is kept for a moment: it lacks that process's share.
	deadline := time.Now().Add(time.Minute)
	for exactly() < 16<<20 && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if sum, exact := p.resident(), exactly(); sum <= limit || exact > limit || exact < 16<<20 {
		t.Errorf("%d MiB together, %d MiB exactly, limit %d MiB", sum>>20, exact>>20, limit>>20)
	}
	if _, over := p.Exited(); over || p.OverMemory() != 0 {
		t.Errorf("ended with %d MiB", p.OverMemory()>>20)
	}
}

// A file in memory that is both mapped and open counts once.
func TestMappedFileCountsOnce(t *testing.T) {
	const size = 256 << 20
	fd, err := unix.MemfdCreate("file", 0)
	err = errors.Join(err, unix.Ftruncate(fd, size))
	memory, wrong := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err = errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	h := &held{dirs: []string{"/proc/self"}, memory: map[inode]int64{{}: 1}}
	mapped := h.used(0)
	h.memory[inode{}] = size
	if both := h.used(0); mapped < size || mapped >= 2*size || both >= 2*size {
		t.Errorf("%d MiB, %d MiB when it is open too", mapped>>20, both>>20)
	}
	_ = errors.Join(unix.Munmap(memory), unix.Close(fd))
}

// resident returns the memory of an engine, in which shared memory may count several times.
func (p *Process) resident() int64 {
	h := p.holds()
	return h.resident + h.extra + h.inFiles()
}

// holds is holdings of an engine that may have no limit.
func (p *Process) holds() *held {
	p.limit.CompareAndSwap(0, 1<<40)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.holdings()
}
