package slow

import "slices"

func slowAsteria(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) {
			s.end(r, false)
			for at := range 25 {
				if r.down && s.canDome(r.w, at) {
					s.end(domed(r, at), false)
				}
			}
		})
	})
}

func slowSelene(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildEnd(r, k)
		for _, mine := range r.w.workers[s.me] {
			for _, at := range touching(mine) {
				if r.w.state[s.me] == squareName(mine) && r.w.height[at] < 3 && s.canDome(r.w, at) {
					s.end(domed(r, at), false)
				}
			}
		}
	})
}

func slowJason(s *generator) {
	slowCommon(s)
	for at := range 25 {
		if s.w.state[s.me] == "" && onEdge(at) && s.w.height[at] == 0 && !s.w.taken(at) && !s.closed(s.w, at) {
			r := turn{w: s.w.copy()}
			r.w.state[s.me] = "x"
			r.w.workers[s.me] = append(r.w.workers[s.me], at)
			s.buildEnd(r, len(r.w.workers[s.me])-1)
		}
	}
}

func slowPolyphemus(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) {
			s.end(r, false)
			r.w.state[s.me] = "x"
			for a := range 25 {
				if s.w.state[s.me] == "x" || !s.canDome(r.w, a) {
					continue
				}
				one := domed(r, a)
				s.end(one, false)
				for b := range a {
					if s.canDome(one.w, b) {
						s.end(domed(one, b), false)
					}
				}
			}
		})
	})
}

// place lists the ways to place all workers of the mover.
func (s *generator) place() {
	n := 2
	if slices.Contains([]string{"graeae", "proteus", "stymphalians"}, s.w.god[s.me]) {
		n = 3
	}
	var put func(w position, from, n int)
	put = func(w position, from, n int) {
		if n == 0 {
			s.placed(w)
			return
		}
		for at := from; at < 25; at++ {
			if !w.taken(at) && (s.w.god[s.me] != "bia" || onEdge(at)) {
				next := w.copy()
				next.workers[s.me] = append(next.workers[s.me], at)
				put(next, at+1, n-1)
			}
		}
	}
	put(s.w, 0, n)
}

func (s *generator) placed(w position) {
	a, b := w.workers[s.me][0], w.workers[s.me][1]
	w.mover = 0
	if len(w.workers[s.them]) == 0 {
		w.mover = 1 // in the text, whichever side placed first
	}
	switch w.god[s.me] {
	case "eros":
		// On opposite edges. A corner is on two edges.
		rows := a < 5 && b >= 20
		columns := a%5 == 0 && b%5 == 4 || a%5 == 4 && b%5 == 0
		if !rows && !columns {
			return
		}
	case "selene", "hippolyta":
		for _, female := range []int{a, b} {
			w.state[s.me] = squareName(female)
			s.out[w.String()] = true
		}
		return
	}
	s.out[w.String()] = true
}
