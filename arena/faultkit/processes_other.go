//go:build unix && !linux

package faultkit

var processFaults, processAskFaults map[string]func(e *Engine, line []byte)

func play(string) bool { return false }

const attackWord = "attack"

// Attacks are none here.
func Attacks() []string { return nil }

func (e *Engine) attack([]string) {}
