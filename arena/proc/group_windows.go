package proc

import (
	"os"
	"syscall"
)

const groups = false

func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func killGroup(p *os.Process) { _ = p.Kill() }
