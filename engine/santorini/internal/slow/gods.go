package slow

import (
	"slices"
	"strconv"
)

// slowGods lists each god's turns.
var slowGods = map[string]func(*slow){
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

// moveThen takes each common step of each worker; then goes on with those
// that do not win.
func (s *slow) moveThen(then func(r run, k, home int)) {
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		for _, to := range s.steps(run{w: s.w}, k, 1) {
			r, won := s.step(run{w: s.w}, k, to, home)
			if won {
				s.end(r, true)
			} else {
				then(r, k, home)
			}
		}
	}
}

// buildThen builds once beside worker k; then goes on.
func (s *slow) buildThen(r run, k int, then func(r run, at int)) {
	for _, at := range s.reachable(r.w.workers[s.me][k]) {
		if s.canBuild(r.w, at) {
			then(s.built(r, at), at)
		}
	}
}

// buildEnd builds once and ends.
func (s *slow) buildEnd(r run, k int) {
	s.buildThen(r, k, func(r run, _ int) { s.end(r, false) })
}

func slowCommon(s *slow) {
	s.moveThen(func(r run, k, _ int) { s.buildEnd(r, k) })
}

func slowArtemis(s *slow) {
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		won := map[int]bool{}
		ends := map[int]run{}
		other := map[int][]run{}
		add := func(r run) {
			at := r.w.workers[s.me][k]
			ends[at] = r
			other[at] = append(other[at], r)
		}
		for _, to := range s.steps(run{w: s.w}, k, 1) {
			r, win := s.step(run{w: s.w}, k, to, home)
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

func slowHephaestus(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildThen(r, k, func(r run, at int) {
			s.end(r, false)
			if r.w.height[at] < 3 && s.canBuild(r.w, at) {
				s.end(s.built(r, at), false)
			}
		})
	})
}

func slowAtlas(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildEnd(r, k)
		for _, at := range s.reachable(r.w.workers[s.me][k]) {
			if s.canDome(r.w, at) {
				s.end(domed(r, at), false)
			}
		}
	})
}

func domed(r run, at int) run {
	r.w = r.w.raised(at, 4)
	return r
}

func slowDemeter(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildThen(r, k, func(r run, first int) {
			s.end(r, false)
			s.buildThen(r, k, func(r run, second int) {
				if second != first {
					s.end(r, false)
				}
			})
		})
	})
}

func slowHestia(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildThen(r, k, func(r run, _ int) {
			s.end(r, false)
			s.buildThen(r, k, func(r run, second int) {
				if !onEdge(second) {
					s.end(r, false)
				}
			})
		})
	})
}

func slowZeus(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildEnd(r, k)
		at := r.w.workers[s.me][k]
		if r.w.height[at] < 3 && !(s.w.god[s.them] == "limus" && beside(r.w.workers[s.them], at)) {
			s.end(s.built(r, at), false)
		}
	})
}

// firstBuilds are the turns of prometheus and achilles that begin with a
// build. Of two squares next to the start, the first built on has the higher
// index: the vectors hold engines of today to that.
func (s *slow) firstBuilds(climb int, mark string) {
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		s.buildThen(run{w: s.w}, k, func(r run, first int) {
			r.w.kept[s.me] = mark
			for _, to := range s.steps(r, k, climb) {
				r, won := s.step(r, k, to, home)
				if won {
					s.end(r, true)
					continue
				}
				s.buildThen(r, k, func(r run, second int) {
					if second <= first || !slices.Contains(touching(home), second) || !s.canBuild(s.w, second) {
						s.end(r, false)
					}
				})
			}
		})
	}
}

func slowPrometheus(s *slow) {
	slowCommon(s)
	s.firstBuilds(0, "")
}

func slowAchilles(s *slow) {
	slowCommon(s)
	if s.w.kept[s.me] == "" {
		s.firstBuilds(1, "x")
	}
}

func (s *slow) climbing(height int, mark string) {
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		for _, to := range s.steps(run{w: s.w}, k, height) {
			r, won := s.step(run{w: s.w}, k, to, home)
			if mark != "" {
				if s.w.height[to]-s.w.height[home] != 2 {
					continue
				}
				r.w.kept[s.me] = mark
			}
			if won {
				s.end(r, true)
			} else {
				s.buildEnd(r, k)
			}
		}
	}
}

func slowPegasus(s *slow) { s.climbing(3, "") }

func slowBellerophon(s *slow) {
	slowCommon(s)
	if s.w.kept[s.me] == "" {
		s.climbing(2, "x")
	}
}

func slowIris(s *slow) {
	slowCommon(s)
	for _, k := range s.movers() {
		home := s.w.workers[s.me][k]
		for over, d := range s.ways(home) {
			to := ahead(over, d[0], d[1], false)
			if !s.w.taken(over) || to < 0 || s.w.taken(to) || s.shut(s.w, to) || !s.levelOK(s.w.height[home], s.w.height[to], 4) {
				continue
			}
			r, won := s.land(run{w: s.w}, k, to, home, d)
			if won {
				s.end(r, true)
			} else {
				s.buildEnd(r, k)
			}
		}
	}
}

func slowChronus(s *slow) {
	w := s.w.copy()
	if s.after(&w, run{}) {
		s.end(run{w: s.w}, true)
		return
	}
	slowCommon(s)
}

func slowAeolus(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildThen(r, k, func(r run, _ int) {
			s.end(r, false)
			for _, name := range compass {
				if s.w.kept[s.me] == "" {
					r.w.kept[s.me] = name
					s.end(r, false)
				}
			}
			r.w.kept[s.me] = ""
			s.end(r, false)
		})
	})
}

func slowEuropa(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		s.buildThen(r, k, func(r run, _ int) {
			s.end(r, false)
			for _, at := range touching(r.w.workers[s.me][k]) {
				if !r.w.taken(at) && !s.shut(r.w, at) {
					r.w.kept[s.me] = squareName(at)
					s.end(r, false)
				}
			}
		})
	})
}

func slowMorpheus(s *slow) {
	s.moveThen(func(r run, k, _ int) {
		bank, _ := strconv.Atoi(s.w.kept[s.me])
		seen := map[string]bool{}
		var builds func(r run, left int)
		builds = func(r run, left int) {
			r.w.kept[s.me] = strconv.Itoa(left)
			if text := r.w.String(); seen[text] {
				return
			}
			seen[r.w.String()] = true
			s.end(r, false)
			if left > 0 {
				s.buildThen(r, k, func(r run, _ int) { builds(r, left-1) })
			}
		}
		builds(r, bank+1)
	})
}
