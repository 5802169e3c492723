package mill

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// settings are the engine's options, as the written protocol names them.
type settings struct {
	algorithm  int
	skill      int
	moveTime   int
	database   bool
	path       string
	human      bool
	mobility   bool
	developer  bool
	lazy       bool
	deepening  bool
	hash       int // MiB
	seed       int
	logFile    string
	flying     bool
	quietPlies int
}

// setting is one option: how it is listed, and where it goes.
type setting struct {
	option
	set func(s *settings, text string, n int, on bool)
}

func spin(name string, initial, least, most int, set func(s *settings, n int)) setting {
	return setting{
		option{name: name, kind: "spin", initial: strconv.Itoa(initial), bounded: true, min: least, max: most},
		func(s *settings, _ string, n int, _ bool) { set(s, n) },
	}
}

func check(name string, initial bool, set func(s *settings, on bool)) setting {
	return setting{
		option{name: name, kind: "check", initial: strconv.FormatBool(initial)},
		func(s *settings, _ string, _ int, on bool) { set(s, on) },
	}
}

func text(name string, set func(s *settings, text string)) setting {
	return setting{
		option{name: name, kind: "string", initial: noText},
		func(s *settings, text string, _ int, _ bool) { set(s, text) },
	}
}

// noText is how an empty string is listed and may be set.
const noText = "<empty>"

// settingList lists the options: the written protocol's first, in its order,
// then our own.
func settingList() []setting {
	return []setting{
		spin("Algorithm", 2, 0, 4, func(s *settings, n int) { s.algorithm = n }),
		spin("SkillLevel", 1, 0, 30, func(s *settings, n int) { s.skill = n }),
		spin("MoveTime", 1, 0, 60, func(s *settings, n int) { s.moveTime = n }),
		check("UsePerfectDatabase", false, func(s *settings, on bool) { s.database = on }),
		text("PerfectDatabasePath", func(s *settings, text string) { s.path = text }),
		check("DrawOnHumanExperience", true, func(s *settings, on bool) { s.human = on }),
		check("ConsiderMobility", true, func(s *settings, on bool) { s.mobility = on }),
		check("DeveloperMode", true, func(s *settings, on bool) { s.developer = on }),
		check("AiIsLazy", false, func(s *settings, on bool) { s.lazy = on }),
		check("IDS", true, func(s *settings, on bool) { s.deepening = on }),
		spin("Hash", 16, 1, 4096, func(s *settings, n int) { s.hash = n }),
		spin("Seed", 1, 0, 1_000_000_000, func(s *settings, n int) { s.seed = n }),
		text("LogFile", func(s *settings, text string) { s.logFile = text }),
		check("MayFly", true, func(s *settings, on bool) { s.flying = on }),
		spin("NMoveRule", 100, 10, 200, func(s *settings, n int) { s.quietPlies = n }),
	}
}

// aliases are other names of options: the written protocol uses both.
var aliases = map[string]string{"PerfectDatabase": "UsePerfectDatabase"}

// defaultSettings are those that the list states.
func defaultSettings() settings {
	var s settings
	for _, o := range settingList() {
		if err := o.apply(&s, o.initial); err != nil {
			panic(err) // the list contradicts itself
		}
	}
	return s
}

// apply sets the option; out of range or unreadable it changes nothing.
func (o *setting) apply(s *settings, value string) error {
	if o.kind == "string" && value == noText {
		value = ""
	}
	if err := o.check(value); err != nil {
		return err
	}
	n, _ := strconv.Atoi(value)
	o.set(s, value, n, value == "true")
	return nil
}

// line is how the option is listed.
func (o *setting) line() string {
	text := fmt.Sprintf("option name %s type %s default %s", o.name, o.kind, o.initial)
	if o.bounded {
		text += fmt.Sprintf(" min %d max %d", o.min, o.max)
	}
	return text
}

// CheckOption says what is wrong with an option of the built-in engine.
func (*Game) CheckOption(name, value string) error {
	var listed []option
	for _, s := range settingList() {
		listed = append(listed, s.option)
	}
	o, err := findOption(listed, name)
	if err != nil {
		return err
	}
	return o.check(value)
}

// setOption reads what follows setoption: `name N [value V]`, names
// case-sensitive.
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
	list := settingList()
	plain := make([]option, len(list))
	for i := range list {
		if list[i].name == name {
			return list[i].apply(s, value)
		}
		plain[i] = list[i].option
	}
	_, err := findOption(plain, name)
	return err
}
