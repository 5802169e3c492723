//go:build unix

package faultkit

import "flag"

// Parallel lets more tests run at once than there are cores, unless the
// command line sets a number: tests of faults mostly wait.
func Parallel() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if parallel := flag.Lookup("test.parallel"); parallel != nil && !given {
		_ = parallel.Value.Set("8")
	}
}
