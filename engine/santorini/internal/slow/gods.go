package slow

import (
	"slices"
	"strconv"
)

// slowGods has the function that lists the turns of each god.
var slowGods = map[string]func(*generator){
	"mortal": slowCommon, "pan": slowCommon, "hera": slowCommon, "hades": slowCommon, "limus": slowCommon,
	"hypnus": slowCommon, "persephone": slowCommon, "aphrodite": slowCommon, "harpies": slowCommon,
	"athena": slowCommon, "nike": slowCommon, "clio": slowCommon, "hippolyta": slowCommon, "eros": slowCommon,
	"maenads": slowCommon, "urania": slowCommon, "medusa": slowCommon,
	"artemis": slowArtemis, "hephaestus": slowHephaestus, "atlas": slowAtlas, "demeter": slowDemeter,
	"hestia": slowHestia, "zeus": slowZeus, "prometheus": slowPrometheus, "pegasus": slowPegasus,
	"iris": slowIris, "chronus": slowChronus, "aeolus": slowAeolus, "europa": slowEuropa,
	"apollo": slowApollo, "apollov2": slowApollo, "minotaur": slowMinotaur, "scylla": slowScylla,
	"charon": slowCharon, "charonv2": slowCharon, "nemesis": slowNemesis, "bia": slowBia, "theseus": slowTheseus,
	"graeae": slowGraeae, "proteus": slowProteus, "stymphalians": slowStymphalians, "hermes": slowHermes,
	"castor": slowCastor, "hydra": slowHydra, "poseidon": slowPoseidon, "ares": slowAres, "asteria": slowAsteria,
	"selene": slowSelene, "morpheus": slowMorpheus, "achilles": slowAchilles, "bellerophon": slowBellerophon,
	"jason": slowJason, "polyphemus": slowPolyphemus,
}

// moveThen takes each common step of each worker. then continues those that do not
// win.
func (s *generator) moveThen(then func(r turn, k, home int)) {
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		for _, to := range s.steps(turn{w: s.w}, k, 1) {
			r, won := s.step(turn{w: s.w}, k, to, home)
			if won {
				s.end(r, true)
			} else {
				then(r, k, home)
			}
		}
	}
}

// buildThen builds once next to worker k. then continues the turn.
func (s *generator) buildThen(r turn, k int, then func(r turn, at int)) {
	for _, at := range s.reachable(r.w.workers[s.me][k]) {
		if s.canBuild(r.w, at) {
			then(s.built(r, at), at)
		}
	}
}

// buildEnd builds once and ends the turn.
func (s *generator) buildEnd(r turn, k int) {
	s.buildThen(r, k, func(r turn, _ int) { s.end(r, false) })
}

func slowCommon(s *generator) {
	s.moveThen(func(r turn, k, _ int) { s.buildEnd(r, k) })
}

func slowArtemis(s *generator) {
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		won := map[int]bool{}
		ends := map[int]turn{}
		other := map[int][]turn{}
		add := func(r turn) {
			at := r.w.workers[s.me][k]
			ends[at] = r
			other[at] = append(other[at], r)
		}
		for _, to := range s.steps(turn{w: s.w}, k, 1) {
			r, win := s.step(turn{w: s.w}, k, to, home)
			if win {
				won[to] = true
				s.end(r, true)
				continue
			}
			add(r)
			for _, to := range s.steps(r, k, 1) {
				if to == home {
					continue
				}
				r, win := s.step(r, k, to, home)
				if win {
					won[to] = true
					s.end(r, true)
				} else {
					add(r)
				}
			}
		}
		for at, list := range other {
			for _, r := range list {
				if !won[at] && at != home {
					s.buildEnd(r, k)
				}
			}
		}
	}
}

func slowHephaestus(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, at int) {
			s.end(r, false)
			if r.w.height[at] < 3 && s.canBuild(r.w, at) {
				s.end(s.built(r, at), false)
			}
		})
	})
}

func slowAtlas(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildEnd(r, k)
		for _, at := range s.reachable(r.w.workers[s.me][k]) {
			if s.canDome(r.w, at) {
				s.end(domed(r, at), false)
			}
		}
	})
}

func domed(r turn, at int) turn {
	r.w = r.w.raised(at, 4)
	return r
}

func slowDemeter(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, first int) {
			s.end(r, false)
			s.buildThen(r, k, func(r turn, second int) {
				if second != first {
					s.end(r, false)
				}
			})
		})
	})
}

func slowHestia(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) {
			s.end(r, false)
			s.buildThen(r, k, func(r turn, second int) {
				if !onEdge(second) {
					s.end(r, false)
				}
			})
		})
	})
}

func slowZeus(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildEnd(r, k)
		at := r.w.workers[s.me][k]
		if r.w.height[at] < 3 && !(s.w.god[s.them] == "limus" && nextTo(r.w.workers[s.them], at)) {
			s.end(s.built(r, at), false)
		}
	})
}

// firstBuilds lists the turns of prometheus and achilles that begin with a build. Of
// two squares next to the start, the first built on has the higher index: existing
// engines do so, and the vectors show it.
func (s *generator) firstBuilds(climb int, mark string) {
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		s.buildThen(turn{w: s.w}, k, func(r turn, first int) {
			r.w.state[s.me] = mark
			for _, to := range s.steps(r, k, climb) {
				r, won := s.step(r, k, to, home)
				if won {
					s.end(r, true)
					continue
				}
				s.buildThen(r, k, func(r turn, second int) {
					if second <= first || !slices.Contains(touching(home), second) || !s.canBuild(s.w, second) {
						s.end(r, false)
					}
				})
			}
		})
	}
}

func slowPrometheus(s *generator) {
	slowCommon(s)
	s.firstBuilds(0, "")
}

func slowAchilles(s *generator) {
	slowCommon(s)
	if s.w.state[s.me] == "" {
		s.firstBuilds(1, "x")
	}
}

func (s *generator) climbing(height int, mark string) {
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		for _, to := range s.steps(turn{w: s.w}, k, height) {
			r, won := s.step(turn{w: s.w}, k, to, home)
			if mark != "" {
				if s.w.height[to]-s.w.height[home] != 2 {
					continue
				}
				r.w.state[s.me] = mark
			}
			if won {
				s.end(r, true)
			} else {
				s.buildEnd(r, k)
			}
		}
	}
}

func slowPegasus(s *generator) { s.climbing(3, "") }

func slowBellerophon(s *generator) {
	slowCommon(s)
	if s.w.state[s.me] == "" {
		s.climbing(2, "x")
	}
}

func slowIris(s *generator) {
	slowCommon(s)
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		for over, d := range s.ways(home) {
			to := ahead(over, d[0], d[1], false)
			if !s.w.taken(over) || to < 0 || s.w.taken(to) || s.closed(s.w, to) || !s.levelOK(s.w.height[home], s.w.height[to], 4) {
				continue
			}
			r, won := s.land(turn{w: s.w}, k, to, home, d)
			if won {
				s.end(r, true)
			} else {
				s.buildEnd(r, k)
			}
		}
	}
}

func slowChronus(s *generator) {
	w := s.w.copy()
	if s.after(&w, turn{}) {
		s.end(turn{w: s.w}, true)
		return
	}
	slowCommon(s)
}

func slowAeolus(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) {
			s.end(r, false)
			for _, name := range compass {
				if s.w.state[s.me] == "" {
					r.w.state[s.me] = name
					s.end(r, false)
				}
			}
			r.w.state[s.me] = ""
			s.end(r, false)
		})
	})
}

func slowEuropa(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		s.buildThen(r, k, func(r turn, _ int) {
			s.end(r, false)
			for _, at := range touching(r.w.workers[s.me][k]) {
				if !r.w.taken(at) && !s.closed(r.w, at) {
					r.w.state[s.me] = squareName(at)
					s.end(r, false)
				}
			}
		})
	})
}

func slowMorpheus(s *generator) {
	s.moveThen(func(r turn, k, _ int) {
		bank, _ := strconv.Atoi(s.w.state[s.me])
		seen := map[string]bool{}
		var builds func(r turn, left int)
		builds = func(r turn, left int) {
			r.w.state[s.me] = strconv.Itoa(left)
			if text := r.w.String(); seen[text] {
				return
			}
			seen[r.w.String()] = true
			s.end(r, false)
			if left > 0 {
				s.buildThen(r, k, func(r turn, _ int) { builds(r, left-1) })
			}
		}
		builds(r, bank+1)
	})
}
