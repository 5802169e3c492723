package net

import (
	_ "embed"

	"thera/engine/train"
)

// Format is that of files of weights. It refuses weights with which a sum could overflow.
var Format = train.Format[Net]{
	Head: train.Head{Format: "thera-mill-net", Version: 1, Width: Width},
	New:  New,
	Most: overflow,
}

// overflow returns the element of a view that could become largest in magnitude, and how large: in the
// worst phase, with the largest weight of each line and of each count.
func overflow(weights []int16) (element, worst int) {
	for e := range Width {
		largest := func(at, rows int) int {
			size := 0
			for row := at; row < at+rows; row++ {
				w := int(weights[row*Width+e])
				size = max(size, w, -w)
			}
			return size
		}
		for p := range phases {
			total := largest(atHand, 2*most) + largest(atRemove, 1) + largest(atMen+p*most*most, most*most)
			for kind, lines := range [kinds]int{8, 4, 4} {
				total += lines * largest(atLines+(p*kinds+kind)*codes, codes)
			}
			for side := range 2 {
				stage := side*phases + p
				total += largest(atSlides+stage*slides, slides) + largest(atStuck+stage*most, most) + largest(atCloses+stage*closes, closes)
			}
			if total > worst {
				element, worst = e, total
			}
		}
	}
	return element, worst
}

// scripts/nets makes weightsFile.
//
//go:embed weights.net
var weightsFile []byte

// Embedded is the network of this program.
var Embedded = train.Embedded(weightsFile, Format.Decode)
