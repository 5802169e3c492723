package net

import (
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/hex/rules"
)

// The two-distances of boards that are easy to check.
func TestPotential(t *testing.T) {
	m := NewDistances(3)
	if least, ways := m.Potential(rules.Black); least != 4 || ways == 0 {
		t.Errorf("empty 3 x 3: %d, %d", least, ways)
	}
	m.Board[4] = rules.Black // bridges to both edges
	if least, _ := m.Potential(rules.Black); least != 3 {
		t.Errorf("with the middle: %d", least)
	}
	m.Board[1], m.Board[7] = rules.Black, rules.Black
	if least, _ := m.Potential(rules.Black); least != 0 {
		t.Errorf("joined: %d", least)
	}
	if least, _ := m.Potential(rules.White); least < far {
		t.Errorf("white, cut off: %d", least)
	}
}

// slowDistances follows the definition: the neighbours of a cell are the empty ones that it
// reaches over stones of c, and its distance is one more than their second least.
func slowDistances(board []rules.Colour, size int, c rules.Colour, edge int) []int {
	dist := make([]int, len(board))
	links := make([][]int, len(board))
	for cell, holds := range board {
		dist[cell] = far
		if holds != rules.None {
			continue
		}
		seen := map[int]bool{cell: true}
		for queue := []int{cell}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			if along := [2]int{at / size, at % size}[c-rules.Black]; along == edge*(size-1) {
				dist[cell] = 1
			}
			rules.Neighbours(at, size, func(other int) {
				if !seen[other] && board[other] != c.Other() {
					seen[other] = true
					if board[other] == c {
						queue = append(queue, other)
					} else {
						links[cell] = append(links[cell], other)
					}
				}
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for cell := range board {
			var near []int
			for _, other := range links[cell] {
				near = append(near, dist[other])
			}
			slices.Sort(near)
			if len(near) > 1 && near[1]+1 < dist[cell] {
				dist[cell], changed = near[1]+1, true
			}
		}
	}
	return dist
}

func TestDistancesAreTheDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{2, 5, 8, 9, 13} {
		m := NewDistances(size)
		for range 40 {
			for range random.IntN(size) {
				m.Board[random.IntN(len(m.Board))] = rules.Colour(random.IntN(3))
			}
			for _, c := range []rules.Colour{rules.Black, rules.White} {
				if least, _ := m.Potential(c); least == 0 {
					clear(m.Board)
					continue
				}
				for edge := range 2 {
					if want := slowDistances(m.Board, size, c, edge); !slices.Equal(m.dist[edge], want) {
						t.Fatalf("board %v, colour %v, edge %d: %v, want %v", m.Board, c, edge, m.dist[edge], want)
					}
				}
			}
		}
	}
}
