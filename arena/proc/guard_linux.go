package proc

import "thera/arena/sandbox"

// newGuard starts the guard of all processes with labels of a tag, nil if there
// is none: a program that does not begin with sandbox.Main has none.
func newGuard(tag uint64) *sandbox.Guard {
	if tag == 0 {
		return nil
	}
	labelling.Lock() // the guard gets no label
	defer labelling.Unlock()
	g, err := sandbox.StartGuard(tag*startsOfSpawner, (tag+1)*startsOfSpawner)
	if err != nil {
		return nil
	}
	return g
}
