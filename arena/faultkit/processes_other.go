//go:build unix && !linux

package faultkit

func play(string) bool { return false }

const attackWord = "attack"

// Attacks are none here.
func Attacks() []string { return nil }

func (e *Engine) attack([]string) {}
