package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"thera/arena/report"

	"github.com/spf13/cobra"

	"thera/arena/rating"
)

// rateCommand rates many players jointly from a list of results.
func rateCommand() *cobra.Command {
	var anchors []string
	var asJSON, los bool
	cmd := &cobra.Command{
		Use:   "rate [FILE.csv]",
		Short: "Rate many players jointly from a list of results",
		Long: "Prints Bradley-Terry ratings with 95 % bounds. It reads rows player_a,player_b,wins,draws,losses from a\n" +
			"file or stdin, counted from a's view; a first line player_a,… is a header. The mean rating is 0 unless\n" +
			"--anchor fixes a player.",
		Example: "  thera rate results.csv\n  thera rate --anchor stockfish=3600 --json < results.csv",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, in := "stdin", cmd.InOrStdin()
			if len(args) == 1 && args[0] != "-" {
				f, err := openInput(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				name, in = args[0], f
			}
			results, err := readResults(readLines(cmd.Context(), name, in, maxRow, nil))
			if err != nil {
				return err
			}
			fixed, err := readAnchors(anchors)
			if err != nil {
				return err
			}
			for name := range fixed {
				if !slices.ContainsFunc(results, func(r rating.Meeting) bool { return r.A == name || r.B == name }) {
					return fmt.Errorf("--anchor %s: no player %q in the results", name, name)
				}
			}
			table, err := rating.Fit(results, fixed)
			if err != nil {
				return err
			}
			return printRatings(cmd.OutOrStdout(), table, columns(cmd), asJSON, los)
		},
	}
	anchorFlag(cmd, &anchors, "player")
	jsonFlag(cmd, &asJSON, oneObject)
	cmd.Flags().BoolVar(&los, "los", false, "also print the likelihood of superiority of each pair of players")
	return cmd
}

// Bounds of a list: bytes of a row, players, and bad rows reported.
const (
	maxRow      = 64 << 10
	maxPlayers  = 5000
	maxProblems = 100
)

// readResults reads rows of results, one a line. Rows of the same two players
// add up. Bad rows are reported with their places.
func readResults(lines *lineReader) ([]rating.Meeting, error) {
	var results []rating.Meeting
	var problems []error
	places, players := map[[2]string]int{}, map[string]bool{}
	for len(problems) < maxProblems {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, errors.Join(append(problems, err)...)
		}
		result, column, err := readResult(line, lines.at == 1)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s:%d:%d: %w", lines.name, lines.at, column, err))
			continue
		}
		if result == nil {
			continue
		}
		key := [2]string{result.A, result.B}
		at, known := places[key]
		if !known {
			at = len(results)
			places[key] = at
			players[result.A], players[result.B] = true, true
			results = append(results, rating.Meeting{A: result.A, B: result.B})
		}
		results[at].Counts = results[at].Add(result.Counts)
		if err := results[at].Games.Check(); err != nil {
			return nil, fmt.Errorf("%s:%d: %s - %s in all: %w", lines.name, lines.at, result.A, result.B, err)
		}
		if len(players) > maxPlayers {
			return nil, fmt.Errorf("%s:%d: more than %d players", lines.name, lines.at, maxPlayers)
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s: no results: want rows player_a,player_b,wins,draws,losses", lines.name)
	}
	return results, nil
}

// readResult reads one row. It returns nil for an empty line and for a header
// in the first line. column is the place of an error.
func readResult(line []byte, first bool) (result *rating.Meeting, column int, err error) {
	if first {
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	r := csv.NewReader(bytes.NewReader(line))
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = true
	row, err := r.Read()
	if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
		return nil, bad.Column, bad.Err
	}
	if err != nil || first && strings.TrimSpace(row[0]) == "player_a" { // io.EOF: an empty line
		return nil, 0, nil
	}
	got, field, err := resultOf(row)
	if err != nil {
		_, column = r.FieldPos(min(field, len(row)-1))
		return nil, column, err
	}
	return &got, 0, nil
}

// resultOf parses the fields of a row; field is the wrong one.
func resultOf(row []string) (r rating.Meeting, field int, err error) {
	if len(row) != 5 {
		return r, 0, fmt.Errorf("%d fields, want 5: player_a,player_b,wins,draws,losses", len(row))
	}
	for i, word := range row {
		row[i] = strings.TrimSpace(word)
	}
	for i, word := range row[:2] {
		if word == "" {
			return r, i, fmt.Errorf("a player without a name")
		}
	}
	r.A, r.B = row[0], row[1]
	if r.A == r.B {
		return r, 1, fmt.Errorf("%q plays against itself", r.A)
	}
	for i, into := range []*int64{&r.Games.Wins, &r.Games.Draws, &r.Games.Losses} {
		if *into, err = strconv.ParseInt(row[i+2], 10, 64); err != nil {
			return r, i + 2, fmt.Errorf("%s %q: not a whole number", []string{"wins", "draws", "losses"}[i], row[i+2])
		}
		if *into < 0 {
			return r, i + 2, fmt.Errorf("%s %d: below zero", []string{"wins", "draws", "losses"}[i], *into)
		}
	}
	r.Singles = r.Games // a list does not say which games were pairs
	return r, 4, r.Games.Check()
}

// anchorFlag adds the flag whose words readAnchors reads.
func anchorFlag(cmd *cobra.Command, words *[]string, whose string) {
	cmd.Flags().StringArrayVar(words, "anchor", nil, "fix a "+whose+"'s rating, `NAME=ELO` (repeatable)")
}

func readAnchors(words []string) (map[string]float64, error) {
	anchors := map[string]float64{}
	for _, word := range words {
		at := strings.LastIndex(word, "=")
		if at < 0 {
			return nil, fmt.Errorf("--anchor %s: want NAME=ELO", word)
		}
		name := word[:at]
		elo, err := strconv.ParseFloat(word[at+1:], 64)
		if err != nil || math.IsNaN(elo) || math.IsInf(elo, 0) {
			return nil, fmt.Errorf("--anchor %s: %q is not a rating", word, word[at+1:])
		}
		anchors[name] = elo
	}
	return anchors, nil
}

// independent is a warning for every list, because rows do not say which games
// were pairs.
const independent = "games are treated as independent: a list does not say which were pairs from one opening"

// printRatings prints the players, best first.
func printRatings(out io.Writer, table *rating.Ratings, width int, asJSON, los bool) error {
	order := table.Ranking()
	warnings := append(slices.Clone(table.Caveats), independent)
	if asJSON {
		answer := struct {
			Players  []rating.Rating `json:"players"`
			LOS      [][]*float64    `json:"los,omitempty"` // row over column
			Warnings []string        `json:"warnings"`
		}{Warnings: warnings}
		for _, i := range order {
			answer.Players = append(answer.Players, table.Players[i])
			if los {
				answer.LOS = append(answer.LOS, losRow(table, i, order))
			}
		}
		return report.NewJSON(out).Encode(answer)
	}
	tables := []*report.Table{report.Rates(table)}
	if los {
		tables = append(tables, report.Superiority(table))
	}
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := t.Fit(width).Write(out, report.Terminal); err != nil {
			return err
		}
	}
	for _, warning := range warnings {
		if _, err := fmt.Fprintln(out, report.Wrap(fmt.Sprintf("warning: %s", warning), width, 2)); err != nil {
			return err
		}
	}
	return nil
}

func losRow(table *rating.Ratings, i int, order []int) []*float64 {
	row := make([]*float64, len(order))
	for k, j := range order {
		if x, ok := table.LOS(i, j); ok {
			row[k] = &x
		}
	}
	return row
}
