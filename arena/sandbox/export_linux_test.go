package sandbox

// openWithout is Open on a machine that lacks some steps.
func openWithout(steps ...string) (*Host, error) {
	return open(func(can *abilities, missing map[string]string) {
		for _, step := range steps {
			can.without(step)
			missing[step] = "switched off by a test"
		}
	})
}

// OpenWithoutSpaces is for tests outside this package.
var OpenWithoutSpaces = func() (*Host, error) { return openWithout(stepSpaces) }
