package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"thera/arena/rating"
	"thera/arena/report"
)

// rateCommand rates many players jointly from a list of results.
func rateCommand() *cobra.Command {
	var anchors []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rate [FILE.csv]",
		Short: "Rate many players jointly from a list of results",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, in := "stdin", interruptible(cmd.Context(), cmd.InOrStdin())
			if len(args) == 1 && args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				name, in = args[0], f
			}
			results, err := readResults(name, in)
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
			return printRatings(cmd.OutOrStdout(), rating.Fit(results, fixed), columns(cmd), asJSON)
		},
	}
	anchorFlag(cmd, &anchors, "player")
	jsonFlag(cmd, &asJSON, oneObject)
	return cmd
}

// maxPlayers bounds the players of a list.
const maxPlayers = 5000

// readResults reads rows of results. An error has its place.
func readResults(name string, in io.Reader) ([]rating.Meeting, error) {
	rows := csv.NewReader(in)
	rows.FieldsPerRecord, rows.TrimLeadingSpace = 5, true
	var results []rating.Meeting
	var all rating.WDL
	players := map[string]bool{}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w (want rows player_a,player_b,wins,draws,losses)", name, err)
		}
		line, _ := rows.FieldPos(0)
		if line == 1 && strings.TrimPrefix(row[0], "\ufeff") == "player_a" {
			continue
		}
		result, err := resultOf(row)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		players[result.A], players[result.B] = true, true
		results, all = append(results, result), all.Add(result.Games)
		if err := all.Check(); err != nil {
			return nil, fmt.Errorf("%s:%d: in all: %w", name, line, err)
		}
		if len(players) > maxPlayers {
			return nil, fmt.Errorf("%s:%d: more than %d players", name, line, maxPlayers)
		}
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s: no results: want rows player_a,player_b,wins,draws,losses", name)
	}
	return results, nil
}

// resultOf parses the fields of a row.
func resultOf(row []string) (r rating.Meeting, err error) {
	r.A, r.B = strings.TrimSpace(row[0]), strings.TrimSpace(row[1])
	if r.A == "" || r.A == r.B {
		return r, fmt.Errorf("%q plays against %q", r.A, r.B)
	}
	for i, into := range []*int64{&r.Games.Wins, &r.Games.Draws, &r.Games.Losses} {
		if *into, err = strconv.ParseInt(strings.TrimSpace(row[i+2]), 10, 64); err != nil {
			return r, fmt.Errorf("%q: not a whole number", row[i+2])
		}
	}
	r.Singles = r.Games // a list does not say which games were pairs
	return r, r.Games.Check()
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
		if err != nil || !(math.Abs(elo) <= rating.MaxAnchor) {
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
func printRatings(out io.Writer, table *rating.Ratings, width int, asJSON bool) error {
	warnings := append(slices.Clone(table.Caveats), independent)
	if asJSON {
		answer := struct {
			Players  []rating.Rating `json:"players"`
			Warnings []string        `json:"warnings"`
		}{Warnings: warnings}
		for _, i := range table.Ranking() {
			answer.Players = append(answer.Players, table.Players[i])
		}
		return report.NewJSON(out).Encode(answer)
	}
	if err := report.Rates(table).Fit(width).Write(out, report.Terminal); err != nil {
		return err
	}
	for _, warning := range warnings {
		if _, err := fmt.Fprintln(out, report.Wrap(fmt.Sprintf("warning: %s", warning), width, 2)); err != nil {
			return err
		}
	}
	return nil
}
