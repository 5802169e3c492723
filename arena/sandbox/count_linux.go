package sandbox

import (
	"errors"
	"os"
	"strconv"
)

// findCountGroup finds the group in which groups for engines are made that limit the number
// of their processes: the limit of a user does not bind root.
func findCountGroup() (*Parent, error) {
	named := os.Getenv("THERA_CGROUP")
	if named == "off" {
		return nil, errors.New("THERA_CGROUP is off")
	}
	list, err := Parents("pids", named)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("no pids cgroup is mounted")
	}
	trial, err := countGroup(&list[0], 0)
	trial.Remove()
	return &list[0], err
}

// countGroup makes a group and puts a process into it, none for 0.
func countGroup(p *Parent, pid int) (*Group, error) {
	if p == nil {
		return nil, nil
	}
	g, err := p.Make(func(g *Group) error {
		err := limitCount(g, processes())
		if err == nil && pid > 0 {
			err = g.Adopt(pid)
		}
		return err
	})
	if err != nil {
		return nil, &StepError{Step: stepLimits, Err: err}
	}
	return g, nil
}

func limitCount(g *Group, most int) error { return g.Set("pids.max", strconv.Itoa(most)) }
