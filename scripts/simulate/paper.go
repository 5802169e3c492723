package main

import (
	"fmt"
	"io"
)

// paper calculates what a hundred thousand workers would need, from the largest run.
func paper(w io.Writer, runs []*simulated) error {
	const many = 100_000
	r, small := runs[0], runs[0]
	for _, other := range runs {
		if other.Workers > r.Workers {
			r = other
		}
		if other.Workers < small.Workers {
			small = other
		}
	}
	s := &r.host.Steady
	each := s.CPU.Seconds() / float64(s.Games)
	rate := 2 / each // of two cores
	_, err := fmt.Fprintf(w, `## On paper: %d workers

From the run of %d workers, not measured:

- **CPU.** A game costs the host %.0f µs, so that two cores of its own carry %.0f games a second. %d workers play that many if a game takes
  %.0f s or longer. Shorter games need more cores: verification and reading use all there are, the store's writer and the runner's loop one each.
- **Being there.** A worker says every 5 s that it is there: %d messages a second. It is asked every 5 s whether its pair is played. The run is announced every 2 s, or every 2.5 ms for each worker, if that is longer: at most 400 messages a second.
- **Memory.** A worker costs the host %.0f KiB (connection, subscriptions, a slot, two pairs): %.1f GiB.
- **Files.** One server needs %d open files. Several servers, as a cluster with --nats, share them.
- **Bounds.** A host takes %d workers in the life of a run, those that were expelled or came back under another name as well.
`, many, r.Workers, each*1e6, rate, many, many/rate, many/5,
		perWorker(small, r)/1024, perWorker(small, r)*many/(1<<30), many+more, 1<<17)
	return err
}

// perWorker is the memory of the host that a worker adds, in bytes.
func perWorker(small, large *simulated) float64 {
	if small.Workers == large.Workers {
		return float64(large.mostMemory()) / float64(large.Workers)
	}
	return float64(large.mostMemory()-small.mostMemory()) / float64(large.Workers-small.Workers)
}

// mostMemory is the most that the host had resident.
func (r *simulated) mostMemory() int64 {
	most := int64(0)
	for _, x := range r.host.Samples {
		most = max(most, x.Memory)
	}
	return most
}
