package rating

import (
	"fmt"
	"math"
)

// Model is the scale of the hypotheses of a Test.
type Model string

// The models. Normalized is the default of fishtest, OpenBench and fastchess.
const (
	Normalized Model = "normalized"
	Logistic   Model = "logistic"
	Bayesian   Model = "bayesian" // BayesElo with draw Elo from the data; games only
)

// Test is a sequential probability ratio test (Wald 1945) of Elo0 against
// Elo1, generalised by maximum likelihood (Van den Bergh). Alpha and Beta are the error
// rates, each between 0 and 0.5. Its tags are those of the settings of package arena.
type Test struct {
	Elo0  float64 `yaml:"elo0" json:"elo0" default:"0" condition:"no" doc:"H0: the first engine is no stronger than this"`
	Elo1  float64 `yaml:"elo1" json:"elo1" default:"10" condition:"no" doc:"H1: it is at least this much stronger"`
	Alpha float64 `yaml:"alpha" json:"alpha" default:"0.05" condition:"no" doc:"chance to accept H1 wrongly"`
	Beta  float64 `yaml:"beta" json:"beta" default:"0.05" condition:"no" doc:"chance to accept H0 wrongly"`
	Model Model   `yaml:"model" json:"model" enum:"normalized,logistic,bayesian" default:"normalized" condition:"no" doc:"what Elo means in the bounds"`
}

// The decisions of a test.
const (
	Continue = "continue"
	H0       = "H0" // Elo0 or worse
	H1       = "H1" // Elo1 or better
)

// State is the state of a test.
type State struct {
	LLR       float64  `json:"llr"`
	Lower     float64  `json:"lower"`
	Upper     float64  `json:"upper"`
	Decision  string   `json:"decision"`
	GamesLeft *float64 `json:"games_left"` // expected if results stay as they are; nil if unknown
	Caveats   []string `json:"-"`
}

// maxElo bounds the hypotheses: beyond it expected scores lose their digits.
const maxElo = 1000

// Check says what is wrong with the test; pairs reports whether it is to be fed
// with pairs.
func (t Test) Check(pairs bool) error {
	switch t.Model {
	case Normalized, Logistic:
	case Bayesian:
		if pairs {
			return fmt.Errorf("model bayesian works on wins, draws and losses, not on pairs (use normalized or logistic)")
		}
	default:
		return fmt.Errorf("model %q: want normalized, logistic or bayesian", t.Model)
	}
	elo := func(x float64) bool { return math.Abs(x) <= maxElo }
	rate := func(x float64) bool { return x > 0 && x < 0.5 }
	switch {
	case !elo(t.Elo0) || !elo(t.Elo1):
		return fmt.Errorf("elo0 %v, elo1 %v: want numbers from -%d to %d", t.Elo0, t.Elo1, maxElo, maxElo)
	case t.Elo0 >= t.Elo1:
		return fmt.Errorf("elo0 %v is not below elo1 %v", t.Elo0, t.Elo1)
	case !rate(t.Alpha) || !rate(t.Beta):
		return fmt.Errorf("alpha %v, beta %v: want rates above 0 and below 0.5", t.Alpha, t.Beta)
	}
	return nil
}

// Bounds returns the bounds of the LLR, ln(β/(1-α)) and ln((1-β)/α).
func (t Test) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// The possible scores of a game and of a pair.
var (
	gameScores = []float64{0, 0.5, 1}
	pairScores = []float64{0, 0.25, 0.5, 0.75, 1}
)

// Games returns the state of the test after single games.
func (t Test) Games(c WDL) State {
	d := distributionOf(gameScores, c.Losses, c.Draws, c.Wins)
	return t.state(d, 1)
}

// Pairs returns the state of the test after finished pairs.
func (t Test) Pairs(p Penta) State {
	d := distributionOf(pairScores, p[:]...)
	return t.state(d, 2)
}

// state returns the state of the test after d, whose observations have that many
// games each. A test that Check refuses stays undecided.
func (t Test) state(d distribution, games float64) State {
	s := State{Decision: Continue, Caveats: []string{}}
	if err := t.Check(games == 2); err != nil {
		s.Caveats = append(s.Caveats, err.Error())
		return s
	}
	s.Lower, s.Upper = t.Bounds()
	if d.n == 0 {
		s.Caveats = append(s.Caveats, "no games: nothing is known")
		return s
	}
	llr, per := t.ratio(d, games)
	s.LLR = llr
	switch {
	case llr >= s.Upper:
		s.Decision, s.GamesLeft = H1, finite(0)
	case llr <= s.Lower:
		s.Decision, s.GamesLeft = H0, finite(0)
	default:
		s.GamesLeft = finite(math.Ceil(per.left(llr, s.Lower, s.Upper) * games))
	}
	switch {
	case t.Model == Bayesian && (d.counts[0] == 0 || d.counts[len(d.counts)-1] == 0):
		s.Caveats = append(s.Caveats, "the bayesian model needs a win and a loss: until then the LLR is 0")
	case d.flat:
		s.Caveats = append(s.Caveats, "all results are equal: the LLR takes counts of zero as 0.001")
	}
	return s
}
