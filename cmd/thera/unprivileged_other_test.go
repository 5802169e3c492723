//go:build !linux

package main

import (
	"os"
	"os/exec"
)

// unprivileged runs a command.
func unprivileged() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if cmd.Run() != nil {
		os.Exit(1)
	}
}

// attacker is for Linux alone.
func attacker() {}
