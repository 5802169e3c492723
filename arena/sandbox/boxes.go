package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"thera/arena"
)

// MissingError is a protection that an engine requires and this machine does
// not have.
type MissingError struct {
	Engine  string
	Missing []string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s requires a sandbox, and this machine lacks: %s", e.Engine, strings.Join(e.Missing, "; "))
}

// Boxes are those of engines that play each other, by name, and what they hold.
// Engines whose sandbox is off, and all where nothing holds, have nil. secret are files that no engine may
// read, such as the database. The error is a *MissingError, or one of the
// machine.
func Boxes(engines []arena.EngineSpec, secret ...string) (map[string]*Box, Report, error) {
	if !slices.ContainsFunc(engines, func(e arena.EngineSpec) bool { return e.Sandbox != Off }) {
		return nil, Report{}, nil
	}
	var looking sync.WaitGroup // while this machine is tried
	policies, wrong := make([]Policy, len(engines)), make([]error, len(engines))
	looking.Go(func() {
		secrets := map[string]bool{}
		for i, e := range engines {
			if e.Sandbox != Off {
				policies[i], wrong[i] = policy(e, slices.Delete(slices.Clone(engines), i, i+1), secret, secrets)
			}
		}
	})
	host, err := Open()
	looking.Wait()
	if err != nil {
		return nil, Report{}, err
	}
	report := host.Report()
	boxes := map[string]*Box{}
	for i, e := range engines {
		missing := report.Missing()
		if e.Network {
			missing = slices.DeleteFunc(missing, func(line string) bool { return strings.HasPrefix(line, holdsNetwork) })
		}
		switch {
		case e.Sandbox == Off:
			boxes[e.Name] = nil
			continue
		case e.Sandbox == Require && len(missing) > 0:
			return nil, report, &MissingError{Engine: e.Name, Missing: missing}
		}
		if wrong[i] != nil {
			return nil, report, fmt.Errorf("sandbox of %s: %w", e.Name, wrong[i])
		}
		boxes[e.Name] = host.Box(policies[i])
	}
	return boxes, report, nil
}
