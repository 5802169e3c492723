package files

import (
	"io/fs"
	"syscall"
)

func stampOf(info fs.FileInfo) stamp {
	s := stamp{size: info.Size(), changed: info.ModTime()}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		s.touched, s.device, s.inode = stat.Ctim.Nano(), uint64(stat.Dev), stat.Ino
	}
	return s
}
