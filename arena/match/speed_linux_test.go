package match

import (
	"bytes"
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"

	"thera/arena/faultkit"
	"thera/arena/proc"
	"thera/engine/gametest/nim"
)

// BenchmarkMove is the arena's own cost of a move: engines that answer at
// once, records kept in memory.
func BenchmarkMove(b *testing.B) {
	p := plan(nim.New(200), "none")
	p.Limit.Move = time.Second
	w := NewWorker(p, 0, Options{})
	defer w.Close()
	opening := start(b, p.Game)
	moves := 0
	before := proc.OwnCPU()
	for b.Loop() {
		rec, err := w.Play(context.Background(), job(0), opening)
		if err != nil {
			b.Fatal(err)
		}
		moves += len(rec.Moves)
	}
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64((proc.OwnCPU()-before).Nanoseconds())/float64(moves), "cpu-ns/move")
}

// BenchmarkFloor is what bare pipes cost: the same engines, the same lines,
// read and scanned for their end, nothing checked, no deadline.
func BenchmarkFloor(b *testing.B) {
	var fds [2][2]int
	for i := range fds {
		argv, env := faultkit.Command("none")
		var in, out [2]int
		if err := errors.Join(syscall.Pipe2(in[:], syscall.O_CLOEXEC), syscall.Pipe2(out[:], syscall.O_CLOEXEC)); err != nil {
			b.Fatal(err)
		}
		pid, err := syscall.ForkExec(argv[0], argv, &syscall.ProcAttr{
			Env: append(os.Environ(), env...), Files: []uintptr{uintptr(in[0]), uintptr(out[1]), 2},
		})
		if err != nil {
			b.Fatal(err)
		}
		syscall.Close(in[0])
		syscall.Close(out[1])
		fds[i] = [2]int{in[1], out[0]}
		defer func() {
			syscall.Close(in[1])
			syscall.Close(out[0])
			_, _ = syscall.Wait4(pid, nil, 0, nil)
		}()
		_, _ = syscall.Read(out[0], make([]byte, 100))
	}
	question, buf := []byte("go 1 100 1 1000\n"), make([]byte, 4096)
	moves := 0
	before := proc.OwnCPU()
	for b.Loop() {
		for _, fd := range fds {
			if _, err := syscall.Write(fd[0], question); err != nil {
				b.Fatal(err)
			}
			n := 0
			for n == 0 || bytes.IndexByte(buf[:n], '\n') < 0 {
				k, err := syscall.Read(fd[1], buf[n:])
				if err != nil || k == 0 {
					b.Fatal(k, err)
				}
				n += k
			}
			moves++
		}
	}
	b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
	b.ReportMetric(float64((proc.OwnCPU()-before).Nanoseconds())/float64(moves), "cpu-ns/move")
}
