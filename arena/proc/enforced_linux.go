package proc

// Enforced returns what proc can do on this operating system.
func Enforced() Enforcement {
	return Enforcement{
		Group: true, Escaped: true, Orphan: true, CPUs: true, Memory: true, CPUClock: true,
		MemoryHow: sampled + ", and by the kernel where a cgroup may be used (MemoryHow)",
	}
}
