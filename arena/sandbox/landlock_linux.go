package sandbox

import (
	"cmp"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The rights of Landlock, by what a policy says.
const (
	rightsRead = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

	rightsWrite = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM

	// rightsFile are those that a rule for a file may have.
	rightsFile = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
)

// landlockABI is the version of Landlock that this kernel has, 0 if none.
func landlockABI() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// handled are the rights that a version of Landlock can refuse; see
// landlock(7).
func handled(abi int) (files, scopes uint64) {
	files = rightsRead | rightsWrite
	for version, right := range map[int]uint64{
		2: unix.LANDLOCK_ACCESS_FS_REFER, 3: unix.LANDLOCK_ACCESS_FS_TRUNCATE, 5: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV,
	} {
		if abi >= version {
			files |= right
		}
	}
	if abi >= 6 {
		scopes = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return files, scopes
}

// landlock lets the calling thread read and write what the confines name, and
// nothing else.
func (c *confines) landlock() (err error) {
	files, scopes := handled(landlockABI())
	attr := unix.LandlockRulesetAttr{Handled_access_fs: files, Scoped: scopes}
	// Older kernels know a shorter one and accept zeros after it.
	set, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(set))
	rule := func(rights uint64, paths ...string) {
		for _, path := range paths {
			err = cmp.Or(err, allow(int(set), path, rights))
		}
	}
	rule(rightsRead, c.Read...)
	rule(unix.LANDLOCK_ACCESS_FS_READ_DIR, c.List...)
	rule(unix.LANDLOCK_ACCESS_FS_READ_FILE, zero)
	rule(files&^unix.LANDLOCK_ACCESS_FS_EXECUTE, devices[1:]...)
	rule(files, slices.Concat(c.Write, c.Tmps)...)
	if c.Self && err == nil {
		var self int
		if self, err = unix.Open("/proc/self/exe", unix.O_PATH|unix.O_CLOEXEC, 0); err == nil {
			err = allowFile(int(set), self, rightsRead&rightsFile)
			unix.Close(self)
		}
	}
	if err != nil {
		return err
	}
	return succeeds(unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0))
}

// succeeds returns the error of a system call.
func succeeds(_, _ uintptr, errno unix.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}

// openPath opens a path of a policy, which has no links: one that is there now
// was left by an engine that may write there. fd is -1 if nothing is there.
func openPath(path string) (fd int, err error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	fd, err = unix.Openat2(unix.AT_FDCWD, path, &how)
	switch err {
	case unix.ENOENT, unix.ENOTDIR, unix.EACCES, unix.ELOOP:
		return -1, nil
	}
	return fd, err
}

// allow adds a rule for a path; one that does not exist needs none.
func allow(set int, path string, rights uint64) error {
	fd, err := openPath(path)
	if fd < 0 {
		return err
	}
	defer unix.Close(fd)
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= rightsFile
	}
	return allowFile(set, fd, rights)
}

func allowFile(set, fd int, rights uint64) error {
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	return succeeds(unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE,
		uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0))
}
