package player

import (
	"errors"
	"strconv"
	"strings"

	"thera/engine/game"
	"thera/engine/mill/rules"
	"thera/engine/protocol"
)

// Settings are the engine's options, as the written protocol names them.
type Settings struct {
	Options
	Database  bool // use endgame tables
	Path      string
	Developer bool
	Rules     rules.Rules
}

// setting is one option: how it is listed, and how it is set.
type setting struct {
	protocol.ListedOption
	set func(s *Settings, text string, n int, on bool)
}

func spin(name string, initial, least, most int, set func(s *Settings, n int)) setting {
	return setting{
		protocol.ListedOption{Name: name, Kind: protocol.Spin, Default: strconv.Itoa(initial), Bounded: true, Min: int64(least), Max: int64(most)},
		func(s *Settings, _ string, n int, _ bool) { set(s, n) },
	}
}

func check(name string, initial bool, set func(s *Settings, on bool)) setting {
	return setting{
		protocol.ListedOption{Name: name, Kind: protocol.Check, Default: strconv.FormatBool(initial)},
		func(s *Settings, _ string, _ int, on bool) { set(s, on) },
	}
}

func text(name string, set func(s *Settings, text string)) setting {
	return setting{
		protocol.ListedOption{Name: name, Kind: protocol.Text, Default: noText},
		func(s *Settings, text string, _ int, _ bool) { set(s, text) },
	}
}

// noText stands for an empty string, which the protocol cannot write.
const noText = "<empty>"

// settingList returns the options: those of the written protocol in its order,
// then those of this engine.
func settingList() []setting {
	return []setting{
		spin("Algorithm", 2, 0, 2, func(s *Settings, n int) { s.Algorithm = Algorithm(n) }),
		spin("SkillLevel", 1, 0, FullStrength, func(s *Settings, n int) { s.Skill = n }),
		spin("MoveTime", 1, 0, 60, func(s *Settings, n int) { s.MoveTime = n }),
		check("UsePerfectDatabase", false, func(s *Settings, on bool) { s.Database = on }),
		text("PerfectDatabasePath", func(s *Settings, text string) { s.Path = text }),
		check("DrawOnHumanExperience", true, func(s *Settings, on bool) { s.Human = on }),
		check("ConsiderMobility", true, func(s *Settings, on bool) { s.Mobility = on }),
		check("DeveloperMode", true, func(s *Settings, on bool) { s.Developer = on }),
		spin("Hash", 16, 1, 4096, func(s *Settings, n int) { s.Hash = n }),
		spin("Seed", 1, 0, 1_000_000_000, func(s *Settings, n int) { s.Seed = n }),
		check("Net", true, func(s *Settings, on bool) { s.Net = on }),
		check("Random", false, func(s *Settings, on bool) { s.Random = on }),
		check("Endings", true, func(s *Settings, on bool) { s.Endings = on }),
		spin("Threads", 1, 1, 64, func(s *Settings, n int) { s.Threads = n }),
		check("MayFly", true, func(s *Settings, on bool) { s.Rules.Flying = on }),
		spin("NMoveRule", 100, 10, 200, func(s *Settings, n int) { s.Rules.QuietPlies = n }),
	}
}

// DefaultSettings returns the defaults of the list.
func DefaultSettings() Settings {
	var s Settings
	for _, o := range settingList() {
		if err := o.apply(&s, o.Default); err != nil {
			panic(err) // the list contradicts itself
		}
	}
	return s
}

// apply sets the option; a wrong value changes nothing.
func (o *setting) apply(s *Settings, value string) error {
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

// Listed returns the options as a client sees them.
func Listed() *protocol.Options {
	var list protocol.Options
	for _, s := range settingList() {
		list.Add(s.ListedOption)
	}
	return &list
}

// FullStrength is the highest level: the written protocol's default is 1.
func (Builtin) FullStrength() []game.Option {
	return []game.Option{{Name: "SkillLevel", Value: strconv.Itoa(FullStrength)}}
}

// CheckOption returns what is wrong with an option of the built-in engine.
func (Builtin) CheckOption(name, value string) error {
	list := Listed()
	o := list.Find(name)
	if o == nil {
		return list.Unlisted(name)
	}
	return o.Check(value)
}

// SetOption reads what follows setoption: `name N [value V]`. Here names are
// case-sensitive, as the written protocol says.
func (s *Settings) SetOption(rest string) error {
	rest, ok := strings.CutPrefix(rest, "name ")
	if !ok {
		return errors.New("setoption: want name N value V")
	}
	name, value, _ := strings.Cut(rest, " value ")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if name == "PerfectDatabase" { // of the written protocol's example
		name = "UsePerfectDatabase"
	}
	for _, o := range settingList() {
		if o.Name == name {
			return o.apply(s, value)
		}
	}
	return Listed().Unlisted(name)
}
