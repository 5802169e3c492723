package sandbox

import "golang.org/x/sys/unix"

// devices are the device nodes that an engine may use. Who could write to zero could
// share memory by it.
var (
	zero    = "/dev/zero"
	devices = []string{zero, "/dev/null", "/dev/full", "/dev/random", "/dev/urandom"}
)

// freeze makes all mounts read-only, without devices and set-id programs,
// except the devices above and what the engine may write. Landlock knows
// nothing of modes, owners, times and attributes of files; a read-only mount
// keeps them too. What may be written is copied before, because a mount that
// was read-only for the machine stays so.
func (c *confines) freeze() (step string, err error) {
	type copied struct {
		path     string
		at, tree int
	}
	var open []copied
	for i, path := range append(devices[:len(devices):len(devices)], c.Write...) {
		at, err := openPath(path)
		if err != nil {
			return "opening " + path, err
		}
		if at < 0 {
			continue
		}
		defer unix.Close(at)
		tree, err := unix.OpenTree(at, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_EMPTY_PATH)
		if err != nil {
			return "copying the mount of " + path, err
		}
		defer unix.Close(tree)
		var set uint64 = unix.MOUNT_ATTR_NOSUID
		switch {
		case i < len(devices):
			set |= unix.MOUNT_ATTR_RDONLY // a device can be written nevertheless
		case !Within(path, "/dev"):
			set |= unix.MOUNT_ATTR_NODEV
		}
		if err := setMounts(tree, "", set); err != nil {
			return "copying the mount of " + path, err
		}
		open = append(open, copied{path, at, tree})
	}
	if err := setMounts(unix.AT_FDCWD, "/", unix.MOUNT_ATTR_RDONLY|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV); err != nil {
		return stepMounts, err
	}
	for _, c := range open {
		if err := unix.MoveMount(c.tree, "", c.at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH); err != nil {
			return "mounting " + c.path, err
		}
	}
	return "", nil
}

// setMounts sets attributes of a mount and of all below it.
func setMounts(dir int, path string, set uint64) error {
	return unix.MountSetattr(dir, path, unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: set})
}
