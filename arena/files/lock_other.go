//go:build !linux && !darwin

package files

import "os"

// locks says whether this system has locks as Lock needs them.
const locks = false

// lockByte does nothing.
func lockByte(*os.File, int64) error { return nil }

func byteFree(*os.File, int64) bool { return false }
