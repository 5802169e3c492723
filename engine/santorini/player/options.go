package player

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"thera/engine/game"
	"thera/engine/search"
)

// Option is one setting of a player.
type Option struct {
	Name     string
	Text     string
	Default  int
	Min, Max int      // 0 and 1 for a switch
	Words    []string // if not nil, the option is one of these, and its value is the index
}

// Evaluations, as values of the option eval.
const (
	evalHand = iota
	evalNet
)

const skillMost = 20

// Options lists all settings: four with numbers, the evaluation, then a switch for every
// heuristic.
func Options() []Option {
	list := []Option{
		{Name: "threads", Text: "threads that search together; one is deterministic", Default: 1, Min: 1, Max: 256},
		{Name: "hash", Text: "transposition table, MiB", Default: 16, Min: 1, Max: 65536},
		{Name: "seed", Text: "varies play below full skill", Default: 0, Min: 0, Max: 1<<31 - 1},
		{Name: "random", Text: "any turn, without a search", Max: 1},
		{Name: "skill", Text: "strength", Default: skillMost, Min: 0, Max: skillMost},
		{Name: "eval", Text: "evaluation: by hand, or the net for gods that it knows", Default: evalNet, Max: evalNet, Words: []string{"hand", "net"}},
	}
	for _, name := range search.All.Names() {
		list = append(list, Option{Name: name, Text: "search heuristic, 1 on, 0 off", Default: 1, Max: 1})
	}
	for _, name := range knowledgeNames {
		list = append(list, Option{Name: name, Text: "knowledge of the game, 1 on, 0 off", Default: 1, Max: 1})
	}
	return list
}

// options is the list of Options, which every setting is looked up in.
var options = sync.OnceValue(Options)

// Set changes one setting. A switch also accepts true, false, on and off.
func (p *Player) Set(name, value string) error {
	list := options()
	at := slices.IndexFunc(list, func(o Option) bool { return o.Name == name })
	if at < 0 {
		names := make([]string, len(list))
		for i := range list {
			names[i] = list[i].Name
		}
		return game.Unknown("option", name, names)
	}
	o := &list[at]
	if o.Words != nil {
		n := slices.Index(o.Words, value)
		if n < 0 {
			return fmt.Errorf("option %s: %q is not one of %s", name, value, strings.Join(o.Words, ", "))
		}
		p.values[name] = n
		return nil
	}
	n, err := strconv.Atoi(value)
	if o.Min == 0 && o.Max == 1 {
		switch value {
		case "true", "on":
			n, err = 1, nil
		case "false", "off":
			n, err = 0, nil
		}
	}
	if err != nil || n < o.Min || n > o.Max {
		return fmt.Errorf("option %s: %q is not a number from %d to %d", name, value, o.Min, o.Max)
	}
	p.values[name] = n
	return nil
}

// Value is the present value of an option, which must exist.
func (p *Player) Value(name string) int {
	if n, ok := p.values[name]; ok {
		return n
	}
	list := options()
	at := slices.IndexFunc(list, func(o Option) bool { return o.Name == name })
	return list[at].Default
}

// apply passes the settings to the search.
func (p *Player) apply() {
	o := &p.engine.Options
	o.Threads = p.Value("threads")
	o.Table = int64(p.Value("hash")) << 20
	o.Seed = uint64(p.Value("seed"))
	o.Random = p.Value("random") != 0
	weak := skillMost - p.Value("skill")
	o.Noise = weak * weak // 400 at skill 0
	for _, name := range search.All.Names() {
		feature, _ := search.FeatureOf(name)
		o.Features = o.Features.With(feature, p.Value(name) != 0)
	}
	p.byNet = p.Value("eval") == evalNet
	p.knowledge = 0
	for i, name := range knowledgeNames {
		if p.Value(name) != 0 {
			p.knowledge |= 1 << i
		}
	}
}

// depthLimit is the depth limit of a player below full skill, 0 for none.
func (p *Player) depthLimit() int {
	if skill := p.Value("skill"); skill < skillMost {
		return 1 + skill/2
	}
	return 0
}
