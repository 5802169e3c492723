package slow

import (
	"fmt"
	"slices"
)

func slowApollo(s *generator) {
	slowCommon(s)
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		for to, d := range s.ways(home) {
			a, b := s.w.height[home], s.w.height[to]
			if !slices.Contains(s.w.workers[s.them], to) || s.closed(s.w, to) || !s.levelOK(a, b, 1) || s.w.god[s.me] == "apollov2" && b > a {
				continue
			}
			r, won := s.land(s.force(turn{w: s.w}, to, home), k, to, home, d)
			if won {
				s.end(r, true)
			} else {
				s.buildEnd(r, k)
			}
		}
	}
}

func slowMinotaur(s *generator) {
	slowCommon(s)
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		for to, d := range s.ways(home) {
			back := ahead(to, d[0], d[1], false)
			if !slices.Contains(s.w.workers[s.them], to) || s.closed(s.w, to) || !s.levelOK(s.w.height[home], s.w.height[to], 1) {
				continue
			}
			if back < 0 || s.w.taken(back) || s.closed(s.w, back) {
				continue
			}
			r, won := s.land(s.force(turn{w: s.w}, to, back), k, to, home, d)
			if won {
				s.end(r, true)
			} else {
				s.buildEnd(r, k)
			}
		}
	}
}

func slowScylla(s *generator) {
	s.moveThen(func(r turn, k, home int) {
		s.buildEnd(r, k)
		for _, foe := range touching(home) {
			if slices.Contains(r.w.workers[s.them], foe) && !r.w.taken(home) {
				s.buildEnd(s.force(r, foe, home), k)
			}
		}
	})
}

func slowCharon(s *generator) {
	slowCommon(s)
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		for d := range compass {
			foe, to := ahead(home, d[0], d[1], false), ahead(home, -d[0], -d[1], false)
			if foe < 0 || to < 0 || !slices.Contains(s.w.workers[s.them], foe) || s.w.taken(to) || s.closed(s.w, to) {
				continue
			}
			flipped := s.force(turn{w: s.w}, foe, to)
			if s.w.god[s.me] == "charonv2" {
				s.buildEnd(flipped, k)
				continue
			}
			for _, to := range s.steps(flipped, k, 1) {
				r, won := s.step(flipped, k, to, home)
				if won {
					s.end(r, true)
				} else {
					s.buildEnd(r, k)
				}
			}
		}
	}
}

func slowNemesis(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) {
			s.end(r, false)
			for _, mine := range r.w.workers[s.me] {
				if nextTo(r.w.workers[s.them], mine) {
					return
				}
			}
			s.swapAll(r, 0, len(r.w.workers[s.me]), nil)
		})
	})
}

// swapAll swaps workers of the mover from k on with those of the opponent, as many as
// the smaller side has.
func (s *generator) swapAll(r turn, k, mine int, taken []int) {
	want := min(mine, len(s.w.workers[s.them]))
	if len(taken) == want {
		s.end(r, false)
	}
	if k == mine {
		return
	}
	s.swapAll2(r, k, mine, taken)
	if mine-k-1+len(taken) >= want {
		s.swapAll(r, k+1, mine, taken)
	}
}

func (s *generator) swapAll2(r turn, k, mine int, taken []int) {
	at := r.w.workers[s.me][k]
	for _, foe := range r.w.workers[s.them] {
		if slices.Contains(taken, foe) || len(taken) == min(mine, len(s.w.workers[s.them])) {
			continue
		}
		next := s.force(r, foe, at)
		next.w.workers[s.me][k] = foe
		s.swapAll(next, k+1, mine, append(slices.Clone(taken), at))
	}
}

func slowBia(s *generator) {
	s.moveThen(func(r turn, k, home int) {
		// The direction of the step, not of a slide after it.
		for to, d := range s.ways(home) {
			next, _ := s.step(turn{w: s.w}, k, to, home)
			if s.w.taken(to) || next.w.workers[s.me][k] != r.w.workers[s.me][k] || !slices.Contains(s.steps(turn{w: s.w}, k, 1), to) {
				continue
			}
			hit := r
			hit.w = r.w.copy()
			if foe := ahead(to, d[0], d[1], false); foe >= 0 && slices.Contains(hit.w.workers[s.them], foe) {
				s.take(&hit.w, foe)
			}
			s.buildEnd(hit, k)
		}
	})
}

func slowTheseus(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) {
			s.end(r, false)
			at := r.w.workers[s.me][k]
			for _, foe := range touching(at) {
				if s.w.state[s.me] == "" && slices.Contains(r.w.workers[s.them], foe) && r.w.height[foe] >= r.w.height[at]+2 {
					hit := r
					hit.w = r.w.copy()
					s.take(&hit.w, foe)
					hit.w.state[s.me] = "x"
					s.end(hit, false)
				}
			}
		})
	})
}

func slowGraeae(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		for other := range r.w.workers[s.me] {
			if other != k {
				s.buildEnd(r, other)
			}
		}
	})
}

func slowProteus(s *generator) {
	s.moveThen(func(r turn, k, home int) {
		if len(r.w.workers[s.me]) == 1 {
			s.buildEnd(r, k)
		}
		for other := range r.w.workers[s.me] {
			if other != k {
				next := r
				next.w = r.w.copy()
				next.w.workers[s.me][other] = home
				s.buildEnd(next, k)
			}
		}
	})
}

func slowStymphalians(s *generator) {
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		var fly func(r turn, n int)
		fly = func(r turn, n int) {
			for _, to := range s.steps(r, k, 1) {
				next, won := s.step(r, k, to, home)
				at := next.w.workers[s.me][k]
				far := at != home && !slices.Contains(touching(home), at)
				switch {
				case far && won:
					s.end(next, true)
					continue
				case far:
					s.buildEnd(next, k)
				}
				if n < 3 {
					fly(next, n+1)
				}
			}
		}
		fly(turn{w: s.w}, 1)
	}
}

func slowHermes(s *generator) {
	s.moveThen(func(r turn, k, home int) {
		if r.w.height[r.w.workers[s.me][k]] != s.w.height[home] {
			s.buildEnd(r, k)
		}
	})
	homes := s.w.workers[s.me]
	seen := map[string]bool{}
	var glide func(r turn)
	glide = func(r turn) {
		if seen[fmt.Sprint(r.w.workers[s.me])] {
			return
		}
		seen[fmt.Sprint(r.w.workers[s.me])] = true
		for k := range homes {
			clung := r
			clung.leftNeighbour = false
			for i, home := range homes {
				at := r.w.workers[s.me][i]
				if s.w.god[s.them] == "aphrodite" && at != home && nextTo(s.w.workers[s.them], home) && !nextTo(s.w.workers[s.them], at) {
					clung.leftNeighbour = true
				}
			}
			s.buildEnd(clung, k)
		}
		for _, k := range s.movers() {
			from := r.w.workers[s.me][k]
			for _, to := range s.steps(r, k, 1) {
				if r.w.height[to] == r.w.height[from] {
					next, _ := s.step(r, k, to, homes[k])
					glide(next)
				}
			}
		}
	}
	glide(turn{w: s.w})
}

func slowCastor(s *generator) {
	slowCommon(s)
	homes := s.w.workers[s.me]
	wins := func(k, to int) bool {
		_, won := s.step(turn{w: s.w}, k, to, homes[k])
		return won && slices.Contains(s.steps(turn{w: s.w}, k, 1), to)
	}
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		if len(homes) < len(order) {
			order = []int{0}
		}
		var move func(r turn, left []int, left2 bool)
		move = func(r turn, left []int, bad bool) {
			if len(left) == 0 {
				r.leftNeighbour = bad
				s.end(r, false)
				return
			}
			k := left[0]
			if !slices.Contains(s.movers(), k) {
				return
			}
			for _, to := range s.steps(r, k, 1) {
				next, won := s.step(r, k, to, homes[k])
				switch {
				case !won:
					move(next, left[1:], bad || next.leftNeighbour)
				case len(left) < len(order) && !wins(k, to):
					next.leftNeighbour = bad || next.leftNeighbour
					s.end(next, true)
				}
			}
		}
		move(turn{w: s.w}, order, false)
		var build func(r turn, left []int)
		build = func(r turn, left []int) {
			if len(left) == 0 {
				s.end(r, false)
				return
			}
			s.buildThen(r, left[0], func(r turn, _ int) { build(r, left[1:]) })
		}
		build(turn{w: s.w}, order)
	}
}

func slowHydra(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) { s.heads(r, k) })
	})
}

func (s *generator) heads(r turn, k int) {
	mine := r.w.workers[s.me]
	for _, a := range mine {
		if nextTo(mine, a) {
			for i := range mine {
				next := r
				next.w = r.w.copy()
				next.w.workers[s.me] = slices.Delete(next.w.workers[s.me], i, i+1)
				s.end(next, false)
			}
			return
		}
	}
	low := 4
	for _, at := range touching(mine[k]) {
		if !r.w.taken(at) && !s.closed(r.w, at) {
			low = min(low, r.w.height[at])
		}
	}
	if low == 4 || len(mine) == 11 {
		s.end(r, false)
		return
	}
	for _, at := range touching(mine[k]) {
		if !r.w.taken(at) && !s.closed(r.w, at) && r.w.height[at] == low {
			next := r
			next.w = r.w.copy()
			next.w.workers[s.me] = append(next.w.workers[s.me], at)
			s.end(next, false)
		}
	}
}

func slowPoseidon(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) {
			s.end(r, false)
			for other, at := range r.w.workers[s.me] {
				if other == k || r.w.height[at] > 0 {
					continue
				}
				s.buildThen(r, other, func(r turn, _ int) {
					s.end(r, false)
					s.buildThen(r, other, func(r turn, _ int) {
						s.end(r, false)
						s.buildEnd(r, other)
					})
				})
			}
		})
	})
}

func slowAres(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) {
			s.end(r, false)
			for other, mine := range r.w.workers[s.me] {
				for _, at := range touching(mine) {
					if other != k && r.w.height[at] > 0 && !r.w.taken(at) && !s.closed(r.w, at) {
						next := r
						next.w.height[at]--
						s.end(next, false)
					}
				}
			}
		})
	})
}
