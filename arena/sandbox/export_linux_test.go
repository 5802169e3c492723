package sandbox

// openWithout is Open on a machine that lacks a step.
func openWithout(step string) (*Host, error) {
	return open(lacks{step: "switched off by a test"})
}

// OpenWithoutSpaces is for tests outside this package.
var OpenWithoutSpaces = func() (*Host, error) { return openWithout(stepSpaces) }
