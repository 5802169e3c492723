package mill

import (
	"errors"
	"strconv"
	"strings"

	"thera/engine/game"
	"thera/engine/mill/player"
	"thera/engine/mill/rules"
	"thera/engine/protocol"
)

// settings are the engine's options, as the written protocol names them.
type settings struct {
	player.Options
	database  bool // use endgame tables
	path      string
	developer bool
	logFile   string
	rules     rules.Rules
}

// setting is one option: how it is listed, and how it is set.
type setting struct {
	protocol.ListedOption
	set func(s *settings, text string, n int, on bool)
}

func spin(name string, initial, least, most int, set func(s *settings, n int)) setting {
	return setting{
		protocol.ListedOption{Name: name, Kind: protocol.Spin, Default: strconv.Itoa(initial), Bounded: true, Min: int64(least), Max: int64(most)},
		func(s *settings, _ string, n int, _ bool) { set(s, n) },
	}
}

func check(name string, initial bool, set func(s *settings, on bool)) setting {
	return setting{
		protocol.ListedOption{Name: name, Kind: protocol.Check, Default: strconv.FormatBool(initial)},
		func(s *settings, _ string, _ int, on bool) { set(s, on) },
	}
}

func text(name string, set func(s *settings, text string)) setting {
	return setting{
		protocol.ListedOption{Name: name, Kind: protocol.Text, Default: noText},
		func(s *settings, text string, _ int, _ bool) { set(s, text) },
	}
}

// noText stands for an empty string, which the protocol cannot write.
const noText = "<empty>"

// settingList returns the options: those of the written protocol in its order,
// then our own.
func settingList() []setting {
	return []setting{
		spin("Algorithm", 2, 0, 4, func(s *settings, n int) { s.Algorithm = player.Algorithm(n) }),
		spin("SkillLevel", 1, 0, player.FullStrength, func(s *settings, n int) { s.Skill = n }),
		spin("MoveTime", 1, 0, 60, func(s *settings, n int) { s.MoveTime = n }),
		check("UsePerfectDatabase", false, func(s *settings, on bool) { s.database = on }),
		text("PerfectDatabasePath", func(s *settings, text string) { s.path = text }),
		check("DrawOnHumanExperience", true, func(s *settings, on bool) { s.Human = on }),
		check("ConsiderMobility", true, func(s *settings, on bool) { s.Mobility = on }),
		check("DeveloperMode", true, func(s *settings, on bool) { s.developer = on }),
		check("AiIsLazy", false, func(s *settings, on bool) { s.Lazy = on }),
		check("IDS", true, func(s *settings, on bool) { s.Deepening = on }),
		spin("Hash", 16, 1, 4096, func(s *settings, n int) { s.Hash = n }),
		spin("Seed", 1, 0, 1_000_000_000, func(s *settings, n int) { s.Seed = n }),
		check("Net", true, func(s *settings, on bool) { s.Net = on }),
		check("Endings", true, func(s *settings, on bool) { s.Endings = on }),
		spin("Threads", 1, 1, 64, func(s *settings, n int) { s.Threads = n }),
		text("LogFile", func(s *settings, text string) { s.logFile = text }),
		check("MayFly", true, func(s *settings, on bool) { s.rules.Flying = on }),
		spin("NMoveRule", 100, 10, 200, func(s *settings, n int) { s.rules.QuietPlies = n }),
	}
}

// aliases are second names that the written protocol has for options.
var aliases = map[string]string{"PerfectDatabase": "UsePerfectDatabase"}

// defaultSettings returns the defaults of the list.
func defaultSettings() settings {
	var s settings
	for _, o := range settingList() {
		if err := o.apply(&s, o.Default); err != nil {
			panic(err) // the list contradicts itself
		}
	}
	return s
}

// apply sets the option; a wrong value changes nothing.
func (o *setting) apply(s *settings, value string) error {
	if o.Kind == protocol.Text && value == noText {
		value = ""
	}
	if err := o.Check(value); err != nil {
		return err
	}
	n, _ := strconv.Atoi(value)
	o.set(s, value, n, value == "true")
	return nil
}

// listed returns the options as a client sees them.
func listed() *protocol.Options {
	var list protocol.Options
	for _, s := range settingList() {
		list.Add(s.ListedOption)
	}
	return &list
}

// FullStrength is the highest level: the written protocol's default is 1.
func (*Game) FullStrength() []game.Option {
	return []game.Option{{Name: "SkillLevel", Value: strconv.Itoa(player.FullStrength)}}
}

// CheckOption returns what is wrong with an option of the built-in engine.
func (*Game) CheckOption(name, value string) error {
	list := listed()
	o := list.Find(name)
	if o == nil {
		return list.Unlisted(name)
	}
	return o.Check(value)
}

// setOption reads what follows setoption: `name N [value V]`. Here names are
// case-sensitive, as the written protocol says.
func (s *settings) setOption(rest string) error {
	rest, ok := strings.CutPrefix(rest, "name ")
	if !ok {
		return errors.New("setoption: want name N value V")
	}
	name, value, _ := strings.Cut(rest, " value ")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if other, ok := aliases[name]; ok {
		name = other
	}
	for _, o := range settingList() {
		if o.Name == name {
			return o.apply(s, value)
		}
	}
	return listed().Unlisted(name)
}
