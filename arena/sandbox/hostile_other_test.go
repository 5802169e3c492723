//go:build !linux

package sandbox_test

func hostile(string, []string) {}
