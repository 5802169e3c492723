package slow

import "slices"

func slowAsteria(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildThen(r, k, func(r run, _ int) {
			s.end(r, false)
			for at := range 25 {
				if r.down && s.canDome(r.w, at) {
					s.end(domed(r, at), false)
				}
			}
		})
	})
}

func slowSelene(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildEnd(r, k)
		for _, mine := range r.w.workers[s.me] {
			for _, at := range touching(mine) {
				if r.w.kept[s.me] == squareName(mine) && r.w.height[at] < 3 && s.canDome(r.w, at) {
					s.end(domed(r, at), false)
				}
			}
		}
	})
}

func slowJason(s *slow) {
	slowCommon(s)
	for at := range 25 {
		if s.w.kept[s.me] == "" && onEdge(at) && s.w.height[at] == 0 && !s.w.taken(at) && !s.shut(s.w, at) {
			r := run{w: s.w.copy()}
			r.w.kept[s.me] = "x"
			r.w.workers[s.me] = append(r.w.workers[s.me], at)
			s.buildEnd(r, len(r.w.workers[s.me])-1)
		}
	}
}

func slowPolyphemus(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildThen(r, k, func(r run, _ int) {
			s.end(r, false)
			r.w.kept[s.me] = "x"
			for a := range 25 {
				if s.w.kept[s.me] == "x" || !s.canDome(r.w, a) {
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
func (s *slow) place() {
	n := 2
	if slices.Contains([]string{"graeae", "proteus", "stymphalians"}, s.w.god[s.me]) {
		n = 3
	}
	var put func(w world, from, n int)
	put = func(w world, from, n int) {
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

func (s *slow) placed(w world) {
	a, b := w.workers[s.me][0], w.workers[s.me][1]
	w.mover = 0
	if len(w.workers[s.them]) == 0 {
		w.mover = 1 // in the text, whoever placed first
	}
	switch w.god[s.me] {
	case "eros":
		// On facing edges; a corner is on two edges.
		rows := a < 5 && b >= 20
		columns := a%5 == 0 && b%5 == 4 || a%5 == 4 && b%5 == 0
		if !rows && !columns {
			return
		}
	case "selene", "hippolyta":
		for _, female := range []int{a, b} {
			w.kept[s.me] = squareName(female)
			s.out[w.String()] = true
		}
		return
	}
	s.out[w.String()] = true
}
