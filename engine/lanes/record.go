package lanes

import (
	"fmt"
	"sync"
)

// Head says what a file of weights is. The record of a net begins with it.
type Head struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Lanes   int    `json:"lanes"`
}

// Check refuses files of other nets, versions or sizes.
func (h Head) Check(want Head) error {
	if h != want {
		return fmt.Errorf("%q %d with %d lanes: want %q %d with %d", h.Format, h.Version, h.Lanes, want.Format, want.Version, want.Lanes)
	}
	return nil
}

// Training is where weights come from. It is part of the record of a net.
type Training struct {
	Games     int      `json:"games"`
	Positions int      `json:"positions"`
	HeldOut   int      `json:"held_out"` // positions of other games, not trained on
	Lambda    float64  `json:"lambda"`   // the share of the score in the target, the rest is the result
	Epochs    int      `json:"epochs"`
	Loss      float64  `json:"loss"`      // cross entropy on the held-out positions, less that of the target itself
	HandLoss  float64  `json:"hand_loss"` // the same of the evaluation by hand
	Sources   []string `json:"sources"`   // how the games of self-play were made
}

// Embedded returns the net in a file that is part of the program. It is decoded when it
// is first used.
func Embedded[N, R any](file []byte, decode func(file []byte) (*N, R, error)) func() *N {
	return sync.OnceValue(func() *N {
		n, _, err := decode(file)
		if err != nil { // a test reads the file: the program was built from a damaged one
			panic(fmt.Sprintf("net: embedded weights: %v", err))
		}
		return n
	})
}
