package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/config"
	"thera/arena/files"
	"thera/arena/report"
	"thera/arena/sandbox"
	"thera/arena/store"
	"thera/arena/tournament"
	"thera/engine/all"
	"thera/engine/game"
)

// Flags that several commands have are declared here, once.

// dbFlag adds the flag of all commands that read stored runs.
func dbFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "db", defaultDB(), "the database of runs (THERA_DB sets another default)")
}

// jsonFlag adds the flag for JSON: one object, or one a line.
func jsonFlag(cmd *cobra.Command, on *bool, objects string) {
	cmd.Flags().BoolVar(on, "json", false, "print "+objects)
}

const (
	oneObject  = "one JSON object"
	eachObject = "one JSON object a line"
)

// limitFlag adds the flag for what a side may use.
func limitFlag(cmd *cobra.Command, limit *string, usual string) {
	cmd.Flags().StringVar(limit, "limit", usual, "what a side may use: "+arena.LimitUsage())
}

// sandboxFlag adds the flag for the sandbox of all engines. usual is its default, ""
// what the key of each engine says.
func sandboxFlag(cmd *cobra.Command, mode *string, usual string) {
	text := "auto (what this machine can do), require (all of it) or off, for all engines"
	if usual == "" {
		text += " (default: as each engine's key says)"
	}
	*mode = usual
	cmd.Flags().Var(&wordValue{mode, "mode", sandboxModes}, "sandbox", text)
}

var sandboxModes = []string{sandbox.Auto, sandbox.Require, sandbox.Off}

// wordValue is a flag that is one of some words.
type wordValue struct {
	at    *string
	what  string
	known []string
}

func (w *wordValue) String() string { return *w.at }
func (w *wordValue) Type() string   { return w.what }

func (w *wordValue) Set(word string) error {
	if !slices.Contains(w.known, word) {
		return game.Unknown(w.what, word, w.known)
	}
	*w.at = word
	return nil
}

// allFlag adds the flag for games that count nowhere.
func allFlag(cmd *cobra.Command, all *bool) {
	cmd.Flags().BoolVar(all, "all", false, "include void pairs, and excluded games")
}

// eventsFlag adds the flag that names the file of events.
func eventsFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "events", "", "write events to `FILE` as JSON lines (-: stdout, without the tables)")
}

// setFlag adds the flag that overrides keys of a match file.
func setFlag(cmd *cobra.Command, sets *[]string) {
	cmd.Flags().StringArrayVar(sets, "set", nil,
		"override `key.path=value` of the match, as engines.rival.options.hash=64 (repeatable)")
}

// answerFlags say in which form an answer is printed.
type answerFlags struct {
	json bool
	form string // a report.Format
	svg  string
}

// The formats of answers, and of those that are no single table.
var (
	tableForms = []string{string(report.Terminal), string(report.Markdown), string(report.CSV)}
	proseForms = tableForms[:2]
)

// flags adds --json and --format, and --svg for what can be drawn.
func (a *answerFlags) flags(cmd *cobra.Command, formats []string, drawn string) {
	jsonFlag(cmd, &a.json, oneObject)
	a.form = formats[0]
	cmd.Flags().Var(&wordValue{&a.form, "format", formats}, "format", "one of "+strings.Join(formats, ", "))
	if drawn != "" {
		cmd.Flags().StringVar(&a.svg, "svg", "", "write a plot to `FILE`: "+drawn)
	}
}

// print prints an answer in its format, or as JSON.
func (a *answerFlags) print(out io.Writer, answer interface {
	Write(io.Writer, report.Format) error
},
) error {
	if a.json {
		return report.NewJSON(out).Encode(answer)
	}
	return answer.Write(out, report.Format(a.form))
}

// verdict prints an answer. The exit status is 3 if it is not the one that was asked for.
func (a *answerFlags) verdict(out io.Writer, answer interface {
	Write(io.Writer, report.Format) error
}, passed bool,
) error {
	if err := a.print(out, answer); err != nil || passed {
		return err
	}
	return &exitError{code: exitNotMet}
}

// printList prints a list as JSON, an object a line, or as its table. The exit status is 1 if
// there is more, which is damaged.
func printList[T any](cmd *cobra.Command, asJSON bool, list []T, table *report.Table, damaged error) (err error) {
	if out := cmd.OutOrStdout(); asJSON {
		enc := report.NewJSON(out)
		for i := 0; err == nil && i < len(list); i++ {
			err = enc.Encode(list[i])
		}
	} else {
		err = table.Fit(columns(cmd)).Write(out, report.Terminal)
	}
	if err == nil && damaged != nil {
		err = &exitError{code: exitFindings, err: damaged}
	}
	return err
}

// draw writes the plot that --svg asks for.
func (a *answerFlags) draw(text func() (string, error)) error {
	if a.svg == "" {
		return nil
	}
	svg, err := text()
	if err != nil {
		return err
	}
	return files.Replace(a.svg, func(w io.Writer) error {
		_, err := io.WriteString(w, svg)
		return err
	})
}

// matchKeys are the keys of a match that have flags.
var matchKeys = []struct{ flag, key, usage string }{
	{"game", "game", "which game"},
	{"format", "tournament.format", strings.Join(tournament.Names(), ", ")},
	{"rounds", "tournament.rounds", "pairs of games for each pairing"},
	{"concurrency", "concurrency", "games at a time, or auto"},
	{"seed", "seed", "`N`, which decides all openings (default 1)"},
	{"limit", "", "what a side may use: " + arena.LimitUsage()},
	{"rules", "", "the game's rules, `key=value,...` or YAML {…}"},
	{"openings", "", "start positions, `key=value,...` or YAML {…} (default random_plies=4; none if the game draws its start)"},
	{"sprt", "", "bounds of a test, `elo0=0,elo1=10,...`, with --format sprt"},
}

// keyFlags adds those of these flags that are named.
func keyFlags(cmd *cobra.Command, names ...string) {
	for _, k := range matchKeys {
		if slices.Contains(names, k.flag) {
			cmd.Flags().String(k.flag, "", k.usage)
		}
	}
}

// keyWords are what the flags of keys say, as words of --set.
func keyWords(cmd *cobra.Command) (words []string) {
	for _, k := range matchKeys {
		switch f := cmd.Flags().Lookup(k.flag); {
		case f == nil || f.Value.String() == "":
		case k.key == "":
			words = append(words, config.Word(k.flag, f.Value.String()))
		default:
			words = append(words, k.key+"="+f.Value.String())
		}
	}
	return words
}

// usualRounds are those of a match without a file, where its format has no default.
const usualRounds = "10"

// quickFlags adds the flags that describe a match without a file.
func quickFlags(cmd *cobra.Command, sets *[]string, name *string) {
	keyFlags(cmd, "limit", "rounds", "concurrency", "game", "format", "rules", "openings", "sprt", "seed")
	for flag, usual := range map[string]string{"game": "santorini", "format": "round-robin"} {
		f := cmd.Flags().Lookup(flag)
		f.DefValue = usual
		_ = f.Value.Set(usual) // of a text it does not fail
	}
	cmd.Flags().Lookup("limit").Usage += " (default 200ms)"
	cmd.Flags().Lookup("rounds").Usage += " (default " + usualRounds + "; formats other than round-robin have their own)"
	cmd.Flags().StringVar(name, "name", "", "name of the run (default: engines, game and limit; of a file: its path)")
	setFlag(cmd, sets)
}

// quick is the match that the flags describe.
func quick(cmd *cobra.Command, name string, commands ...string) config.Quick {
	said := func(flag string) string { return cmd.Flags().Lookup(flag).Value.String() }
	q := config.Quick{Commands: commands, Name: name, Words: keyWords(cmd)}
	if said("rounds") == "" && said("format") == "round-robin" {
		q.Words = append(q.Words, "tournament.rounds="+usualRounds)
	}
	if q.About = said("game"); said("limit") != "" {
		q.About += ", " + strings.Trim(said("limit"), "{} ")
	}
	return q
}

// engineFlags describe engines that play no run: as the engines of a match do.
type engineFlags struct {
	game, limit, mode string
	rules, sets       []string
}

func (f *engineFlags) flags(cmd *cobra.Command) {
	ruleFlag(cmd, &f.rules)
	sandboxFlag(cmd, &f.mode, "")
	cmd.Flags().StringArrayVar(&f.sets, "set", nil,
		"a key of an engine as in a match file, `key=value`: protocol=v1, options.hash=64 (repeatable)")
}

// plan is a match of these engines, or of one against the built-in one, with its boxes. What
// does not hold of them is written to errOut.
func (f *engineFlags) plan(
	name, openings string, errOut io.Writer, commands ...string,
) (*arena.Plan, map[string]*sandbox.Box, error) {
	host, err := thisHost()
	if err != nil {
		return nil, nil, err
	}
	for _, set := range f.sets {
		if !strings.Contains(set, "=") {
			return nil, nil, fmt.Errorf("--set %s: expected key=value, as options.hash=64", set)
		}
	}
	sets := append(arena.Map(f.rules, func(rule string) string { return "rules." + rule }), "game="+name)
	if f.limit != "" {
		sets = append(sets, config.Word("limit", f.limit))
	}
	if openings != "" {
		sets = append(sets, "openings="+openings)
	}
	for i := range commands {
		for _, set := range f.sets {
			sets = append(sets, fmt.Sprintf("engines.%d.%s", i, set))
		}
		if f.mode != "" {
			sets = append(sets, fmt.Sprintf("engines.%d.sandbox=%s", i, f.mode))
		}
	}
	if len(commands) == 1 {
		commands = append(commands, "builtin")
	}
	plan, _, err := config.Quick{Commands: commands}.Plan("command line", sets, host)
	if err != nil {
		return nil, nil, err
	}
	if err := known(plan.Game); err != nil {
		return nil, nil, err
	}
	boxes, report, err := sandbox.Boxes(plan.Engines)
	if err == nil && len(report.Missing()) > 0 {
		tell(errOut, "sandbox: %v", report)
	}
	return plan, boxes, err
}

// complete adds what a shell offers for the arguments and flags of commands. The words
// are made when it asks: every command builds the tree of all.
func complete(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "results", "games", "export", "runs":
			cmd.ValidArgsFunction = offerRuns
		case "engine", "judge", "moves", "perft", "bench":
			cmd.ValidArgsFunction = offer(gameNames)
		case "gods":
			cmd.ValidArgsFunction = offer(roleNames)
		}
		for flag, words := range map[string]func() []string{
			"game": gameNames, "gods": roleNames, "table": report.TableNames, "sandbox": func() []string { return sandboxModes },
			"format": func() []string {
				switch cmd.Name() {
				case "vs", "init":
					return tournament.Names()
				case "export":
					return exportFormats
				}
				return tableForms
			},
		} {
			if cmd.Flags().Lookup(flag) != nil {
				_ = cmd.RegisterFlagCompletionFunc(flag, offer(words)) // it fails only for unknown flags
			}
		}
	}
}

// offer offers fixed words.
func offer(words func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	}
}

// offerRuns offers the runs of the database that the command would read.
func offerRuns(cmd *cobra.Command, _ []string, _ string) (names []string, _ cobra.ShellCompDirective) {
	path, _ := cmd.Flags().GetString("db")
	_ = withStore(cmd, path, func(ctx context.Context, db *store.Store) error { // without one it offers nothing
		runs, _ := db.Runs(ctx)
		names = arena.Map(runs, func(run arena.RunInfo) string { return run.Name })
		return nil
	})
	return names, cobra.ShellCompDirectiveNoFileComp
}

func gameNames() []string { return arena.Map(all.Games(), game.Game.Name) }

func roleNames() []string { return arena.Map(roles(), func(r game.Role) string { return r.Name }) }
