package faultkit

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// hoard takes some hundred MiB of memory in a way that the resident size of a
// process does not show, and keeps it. If something is in its way, it says so and
// plays on.
func hoard(take func() error) func(e *Engine, answer []byte) {
	return func(e *Engine, a []byte) {
		err := take()
		if err == nil {
			forever()
		}
		fmt.Fprintln(os.Stderr, "hoarding failed:", err)
		e.answer(a)
	}
}

const hoardSize = 256 << 20

// pageTables reads a page here and there: all are the kernel's page of zeros.
func pageTables() error {
	const each = 2 << 20
	most := 1 << 30
	if strconv.IntSize == 64 {
		most <<= 6
	}
	memory, err := unix.Mmap(-1, 0, most, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return err
	}
	_ = unix.Madvise(memory, unix.MADV_NOHUGEPAGE)
	sum := byte(0)
	for i := 0; i < most; i += each {
		sum += memory[i]
	}
	runtime.KeepAlive(sum)
	return nil
}

// sockets are filled and not read.
func sockets() error {
	block := make([]byte, 64<<10)
	for range 400 {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			return err
		}
		for err == nil {
			_, err = unix.Write(pair[0], block)
		}
	}
	return nil
}

// temporary is memory by a file of the private temporary folder, beside some that is seen.
func temporary() error {
	file, err := os.CreateTemp("", "hoard")
	if err == nil {
		_, err = file.Write(make([]byte, 48<<20))
	}
	if err != nil {
		return err
	}
	memory, err := unix.Mmap(-1, 0, 32<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	touch(memory)
	return err
}

// zero is touched shared memory by a device, of which a page stays mapped.
func zero() error {
	fd, err := unix.Open("/dev/zero", unix.O_RDWR, 0)
	if err != nil {
		return err
	}
	memory, err := unix.Mmap(fd, 0, hoardSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	touch(memory)
	_, err = unix.Mremap(memory, os.Getpagesize(), 0)
	return err
}

// copies are pages of a private mapping of a memory file that has none itself any more.
func copies() error {
	fd, err := unix.MemfdCreate("hoard", 0)
	if err == nil {
		err = unix.Ftruncate(fd, hoardSize)
	}
	if err != nil {
		return err
	}
	memory, err := unix.Mmap(fd, 0, hoardSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
	if err != nil {
		return err
	}
	const each = 4 << 20
	for at := 0; at < hoardSize; at += each {
		touch(memory[at : at+each])
		if err := unix.Fallocate(fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, int64(at), each); err != nil {
			return err
		}
	}
	return nil
}

// descriptors takes long to look at: ten processes with three thousand each.
func descriptors(*Engine, []byte) {
	for range 10 {
		_ = again("descriptors").Start()
	}
	forever()
}

func takeDescriptors() {
	_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 4000, Max: 4000})
	for range 3000 {
		_, _ = unix.Dup(0)
	}
	forever()
}

// leaderless ends the first thread, of which /proc shows the memory.
func leaderless() {
	runtime.LockOSThread()
	if unix.Gettid() != os.Getpid() { // not the first one: once more
		_ = unix.Exec("/proc/self/exe", os.Args, append(os.Environ(), Env+"="+role+"leaderless"))
	}
	go grow()
	_, _, _ = unix.Syscall(unix.SYS_EXIT, 0, 0, 0)
}

// memfd is memory that is in no address space.
func memfd() error {
	fd, err := unix.MemfdCreate("hoard", 0)
	block := slices.Repeat([]byte{1}, 1<<20)
	for i := 0; err == nil && i < hoardSize; i += len(block) {
		_, err = unix.Write(fd, block)
	}
	return err
}
