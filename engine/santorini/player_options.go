package santorini

import (
	"fmt"
	"slices"
	"strconv"

	"thera/engine/search"
)

// option is one setting of the player, as the engine lists it.
type option struct {
	Name     string
	Text     string
	Default  int
	Min, Max int // 0 and 1 for a switch
}

const skillMost = 20

// playerOptions lists all settings: the four with numbers, then a switch for
// every heuristic.
func playerOptions() []option {
	list := []option{
		{Name: "threads", Text: "threads that search together; one is deterministic", Default: 1, Min: 1, Max: 256},
		{Name: "hash", Text: "transposition table, MiB", Default: 16, Min: 1, Max: 65536},
		{Name: "seed", Text: "varies play below full skill", Default: 0, Min: 0, Max: 1<<31 - 1},
		{Name: "skill", Text: "strength", Default: skillMost, Min: 0, Max: skillMost},
	}
	for _, name := range search.FeatureNames() {
		list = append(list, option{Name: name, Text: "search heuristic, 1 on, 0 off", Default: 1, Max: 1})
	}
	for _, name := range knowledgeNames {
		list = append(list, option{Name: name, Text: "knowledge of the game, 1 on, 0 off", Default: 1, Max: 1})
	}
	return list
}

// set changes one setting. Switches also take true, false, on and off. The
// name and the value are as the engine's set_option takes them.
func (p *player) set(name, value string) error {
	list := playerOptions()
	at := slices.IndexFunc(list, func(o option) bool { return o.Name == name })
	if at < 0 {
		return fmt.Errorf("unknown option %q", name)
	}
	o := &list[at]
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
		return fmt.Errorf("option %s: %q is no number from %d to %d", name, value, o.Min, o.Max)
	}
	p.values[name] = n
	return nil
}

// CheckOption says what is wrong with an option of the built-in engine.
func (*Game) CheckOption(name, value string) error { return newPlayer().set(name, value) }

// value is an option's present value.
func (p *player) value(name string) int {
	if n, ok := p.values[name]; ok {
		return n
	}
	list := playerOptions()
	at := slices.IndexFunc(list, func(o option) bool { return o.Name == name })
	return list[at].Default
}

// apply hands the settings to the search.
func (p *player) apply() {
	o := &p.engine.Options
	o.Threads = p.value("threads")
	o.Table = int64(p.value("hash")) << 20
	o.Seed = uint64(p.value("seed"))
	weak := skillMost - p.value("skill")
	o.Noise = weak * weak // 400, four levels' worth, at skill 0
	for _, name := range search.FeatureNames() {
		feature, _ := search.FeatureOf(name)
		o.Features = o.Features.With(feature, p.value(name) != 0)
	}
	p.on = 0
	for i, name := range knowledgeNames {
		if p.value(name) != 0 {
			p.on |= 1 << i
		}
	}
}

// depthCap is the depth that a weaker player never looks beyond, 0 for none.
func (p *player) depthCap() int {
	if skill := p.value("skill"); skill < skillMost {
		return 1 + skill/2
	}
	return 0
}
