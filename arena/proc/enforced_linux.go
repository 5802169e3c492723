package proc

// Enforced says what this operating system lets proc do.
func Enforced() Enforcement {
	return Enforcement{
		Group: true, Escaped: true, Orphan: true, CPUs: true, Memory: true, CPUClock: true,
		MemoryHow: "resident size of the process and its descendants, every 50 ms",
	}
}
