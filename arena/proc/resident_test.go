//go:build linux

package proc

import (
	"runtime"
	"strings"
	"testing"
	"time"
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
		if err != nil {
			t.Fatal(err)
		}
		said += strings.Count(string(buf[:n]), "\n")
	}
	exactly := func() int64 {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.memory(p.holdings())
	}
	// A sum taken before the last fork was over is kept for a moment: it lacks that process's share.
	deadline := time.Now().Add(time.Minute)
	for exactly() < 16<<20 && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	if sum, exact := p.Resident(), exactly(); sum <= limit || exact > limit || exact < 16<<20 {
		t.Errorf("%d MiB together, %d MiB exactly, limit %d MiB", sum>>20, exact>>20, limit>>20)
	}
	if _, over := p.Exited(); over || p.OverMemory() != 0 {
		t.Errorf("ended with %d MiB", p.OverMemory()>>20)
	}
}

func TestMappedFile(t *testing.T) {
	line := "7f0b1c000000-7f0b2c000000 rw-s 00000000 00:01 1043 /memfd:hoard (deleted)"
	if got, shared := mapped([]byte(line)); got != (inode{1, 1043}) || !shared {
		t.Errorf("%+v, %v", got, shared)
	}
	if got, shared := mapped([]byte(strings.Replace(line, "rw-s", "rw-p", 1))); got != (inode{1, 1043}) || shared {
		t.Errorf("%+v, %v", got, shared)
	}
	for path, want := range map[string]bool{
		"/memfd:x (deleted)": true, "/dev/shm/x (deleted)": true, "/dev/shm/book": false, "/tmp/x (deleted)": false, "pipe:[12]": false,
		"[anon_shmem:x]": true, "[anon:/memfd:x]": false,
	} {
		if inMemory(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}
