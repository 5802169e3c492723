package proc

import (
	"os/exec"
	"strings"
)

// lookPath finds a bare name in PATH. A name with a slash stays as it is,
// relative to the directory in which the program starts.
func lookPath(name string) (string, error) {
	if strings.ContainsRune(name, '/') {
		return name, nil
	}
	return exec.LookPath(name)
}
