//go:build unix && !linux

package faultkit

func play(string) bool { return false }
