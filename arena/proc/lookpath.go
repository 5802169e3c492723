package proc

import (
	"os/exec"
	"strings"
)

// lookPath finds a bare name in PATH; a name with a slash stays as it is,
// relative to the folder in which it will be started.
func lookPath(name string) (string, error) {
	if strings.ContainsRune(name, '/') {
		return name, nil
	}
	return exec.LookPath(name)
}
