package arena

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Identity makes the identities of one pairing's games. It does not depend on
// the order of the engines in the file.
type Identity struct {
	pairing [2]string
	digest  [sha256.Size]byte
	seed    uint64
	shared  bool
}

// Identity is that of a pairing of the plan.
func (p *Plan) Identity(pairing [2]string) Identity {
	a, b := sorted(pairing)
	text := JSON([3][]Condition{p.Conditions(), p.ConditionsOf(p.Engine(a)), p.ConditionsOf(p.Engine(b))})
	return Identity{pairing: pairing, digest: sha256.Sum256(text), seed: p.Seed, shared: p.Openings.Shared}
}

// Job is the identity of one game: the conditions, the number of its pair and
// who sits where.
func (i Identity) Job(pair, leg int) string {
	first := i.pairing[leg%2]
	sum := sha256.Sum256(fmt.Appendf(i.digest[:], "\x00%d\x00%s\x00%d", pair, first, i.round(leg)))
	return hex.EncodeToString(sum[:16])
}

// round tells the two games of an engine against itself apart.
func (i Identity) round(leg int) int {
	if i.pairing[0] == i.pairing[1] {
		return leg
	}
	return 0
}

// Opening is the seed of a pair's opening. It depends on the run's seed, the
// pairing, unless openings are shared, and the pair alone.
func (i Identity) Opening(pair int) uint64 {
	a, b := sorted(i.pairing)
	if i.shared {
		a, b = "", ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%d", i.seed, a, b, pair))
	return binary.LittleEndian.Uint64(sum[:])
}

func sorted(pairing [2]string) (a, b string) {
	return min(pairing[0], pairing[1]), max(pairing[0], pairing[1])
}
