//go:build !linux

package proc

// Usage is not known here.
func (Machine) Usage([]int) (Usage, bool) { return Usage{}, false }
