//go:build !unix

package bench

// ownMemory is not measured here.
func ownMemory() int64 { return 0 }
