package slow

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// slowGod is what the model knows of a god.
type slowGod struct {
	turns   func(*generator)
	workers func(r *rand.Rand) int // in the middle of a game; nil for two
	// state is a random state of the god of side. low takes a square for a mark; nil for no state.
	state func(r *rand.Rand, w *position, side int, low func() int) string
}

var slowGods = map[string]slowGod{
	"athena": {turns: slowCommon, state: oneOf("", "^")},
	"nike":   {turns: slowCommon, state: oneOf("", "^")},
	"clio": {turns: slowCommon, state: func(r *rand.Rand, w *position, _ int, low func() int) string {
		at := low()
		w.height[at] = 1 + r.IntN(3)
		return strconv.Itoa(r.IntN(3)) + "|" + squareName(at)
	}},
	"hippolyta":    {turns: slowCommon, state: firstWorker},
	"maenads":      {turns: slowMaenads},
	"artemis":      {turns: slowArtemis},
	"hephaestus":   {turns: slowHephaestus},
	"atlas":        {turns: slowAtlas},
	"demeter":      {turns: slowDemeter},
	"hestia":       {turns: slowHestia},
	"zeus":         {turns: slowZeus},
	"prometheus":   {turns: slowPrometheus},
	"pegasus":      {turns: slowPegasus},
	"iris":         {turns: slowIris},
	"chronus":      {turns: slowChronus},
	"aeolus":       {turns: slowAeolus, state: oneOf("", "n", "se", "w")},
	"europa":       {turns: slowEuropa, state: func(_ *rand.Rand, _ *position, _ int, low func() int) string { return squareName(low()) }},
	"apollo":       {turns: slowApollo},
	"apollov2":     {turns: slowApollo},
	"minotaur":     {turns: slowMinotaur},
	"scylla":       {turns: slowScylla},
	"charon":       {turns: slowCharon},
	"charonv2":     {turns: slowCharon},
	"nemesis":      {turns: slowNemesis},
	"bia":          {turns: slowBia},
	"theseus":      {turns: slowTheseus, state: oneOf("", "", "x")},
	"graeae":       {turns: slowGraeae, workers: three},
	"proteus":      {turns: slowProteus, workers: three},
	"stymphalians": {turns: slowStymphalians, workers: three},
	"hermes":       {turns: slowHermes},
	"castor":       {turns: slowCastor},
	"hydra":        {turns: slowHydra, workers: func(r *rand.Rand) int { return 1 + r.IntN(5) }},
	"poseidon":     {turns: slowPoseidon},
	"ares":         {turns: slowAres},
	"asteria":      {turns: slowAsteria},
	"selene":       {turns: slowSelene, state: firstWorker},
	"morpheus":     {turns: slowMorpheus, state: func(r *rand.Rand, _ *position, _ int, _ func() int) string { return strconv.Itoa(r.IntN(3)) }},
	"achilles":     {turns: slowAchilles, state: oneOf("", "", "x")},
	"bellerophon":  {turns: slowBellerophon, state: oneOf("", "", "x")},
	"jason":        {turns: slowJason, state: oneOf("", "", "x")},
	"polyphemus":   {turns: slowPolyphemus, state: oneOf("", "", "x")},
	"triton":       {turns: slowTriton},
	"dionysus":     {turns: slowDionysus, state: dionysusTowers},
	"heracles":     {turns: slowHeracles, state: heraclesState},
}

func init() {
	for _, name := range strings.Fields("mortal pan hera hades limus hypnus persephone aphrodite harpies eros urania medusa") {
		slowGods[name] = slowGod{turns: slowCommon}
	}
}

func three(*rand.Rand) int { return 3 }

func firstWorker(_ *rand.Rand, w *position, side int, _ func() int) string {
	return squareName(w.workers[side][0])
}

func oneOf(texts ...string) func(*rand.Rand, *position, int, func() int) string {
	return func(r *rand.Rand, _ *position, _ int, _ func() int) string { return texts[r.IntN(len(texts))] }
}
