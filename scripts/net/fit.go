package main

import (
	"math"
	"math/rand/v2"

	"thera/engine/santorini/net"
	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
	"thera/engine/search"
	"thera/scripts/internal/fit"
)

// sample is a position to learn from.
type sample struct {
	state  rules.State
	score  int16 // of the search
	winner int8  // seat, 0 if the result says nothing
}

// target is the expected score of the side to move: a mixture of what the search says
// and how the game ended.
func (s *sample) target(lambda float64) float64 {
	sign, _ := search.Proven(int(s.score))
	if sign != 0 {
		return float64(sign+1) / 2
	}
	searched := player.ExpectedScore(int(s.score))
	switch int(s.winner) {
	case 0:
		return searched
	case int(s.state.Mover&1) + 1:
		return lambda*searched + 1 - lambda
	}
	return lambda * searched
}

// pointsOfLogit is the score at which the logit of the expected score is 1.
var pointsOfLogit = 1 / math.Log(1/(1/player.ExpectedScore(1)-1))

func logit(points int) float64 { return float64(points) / pointsOfLogit }

// set is samples with the share of the score in their targets.
type set struct {
	list   []sample
	lambda float64
}

func (s *set) Len() int { return len(s.list) }

func (s *set) Target(i int) float64 { return s.list[i].target(s.lambda) }

// Views adds the view of each worker.
func (s *set) Views(v *fit.Views, i int, random *rand.Rand) {
	p := s.list[i].state
	if random != nil {
		p = turned(&p, random.IntN(8))
	}
	for side := range 2 {
		for at := range rules.Squares {
			if p.Workers[side]>>at&1 != 0 {
				v.Add(side^int(p.Mover&1), func(list []uint16) []uint16 { return net.AppendFeatures(list, &p, uint8(side), at) })
			}
		}
	}
}

// shape is that of the net.
var shape = fit.Shape{
	Rows: net.Rows, Lanes: net.Lanes, Groups: net.Groups, GroupsOf: net.AppendGroups,
	Neurons: net.Neurons, Top: float32(net.Top) / net.Unit,
}

var scales = fit.Scales{Rows: net.Unit, Second: net.Second, Bias: net.Unit * net.Second >> net.BiasShift}

// turned is p after a symmetry of the board. The states of gods that name squares are
// not turned: such positions stay as they are.
func turned(p *rules.State, turn int) rules.State {
	q := *p
	for side, god := range p.Gods {
		if god.HasState() && p.GodState[side] != 0 {
			return q
		}
	}
	q.Above, q.Workers = [4]uint32{}, [2]uint32{}
	for s := range rules.Squares {
		to := rules.Bit(net.Turned(s, turn))
		for k, set := range p.Above {
			q.Above[k] |= to & -(set >> s & 1)
		}
		for side, set := range p.Workers {
			q.Workers[side] |= to & -(set >> s & 1)
		}
	}
	return q
}
