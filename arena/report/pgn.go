package report

import (
	"fmt"
	"io"
	"strings"

	"thera/arena"
	"thera/engine/game"
)

// PGN writes a game as chess programs write theirs, for programs that read who played
// whom with which result, such as ordo and bayeselo: the first seat is White. A move
// that is no word of the format is a null move, Z0, and stands in the comment after
// it, as does a start that is too long for a tag. Comments have score/depth in the
// engine's units, and the time. A game that counts for nobody has no result.
func PGN(w io.Writer, run string, rec *arena.Game, counts bool) error {
	result := pgnResult(rec)
	if !counts {
		result = "*"
	}
	var text strings.Builder
	tag := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&text, "[%s \"%s\"]\n", name, pgnString(value))
		}
	}
	tag("Event", run)
	tag("Site", "?")
	tag("Date", rec.Started.UTC().Format("2006.01.02"))
	tag("Round", fmt.Sprintf("%d.%d", rec.Round, rec.Pair+1))
	tag("White", rec.Engine(game.First))
	tag("Black", rec.Engine(game.Second))
	tag("Result", result)
	tag("WhiteRole", rec.Roles[0])
	tag("BlackRole", rec.Roles[1])
	tag("GameId", rec.ID)
	start := pgnString(rec.Start)
	if long := len([]rune(start)) > pgnTagWidth; rec.Start != "" && !long {
		tag("SetUp", "1")
		tag("FEN", rec.Start)
		start = ""
	}
	tag("PlyCount", fmt.Sprint(len(rec.Moves)))
	tag("Termination", pgnTermination(rec))
	text.WriteString("\n")
	var words []string
	if start != "" {
		words = pgnComment(start)
	}
	words = append(words, pgnWords(rec)...)
	if reason := Printable(rec.Outcome.Reason); reason != "" {
		words = append(words, pgnComment(reason)...)
	}
	text.WriteString(Wrap(strings.Join(append(words, result), " "), pgnWidth, 0))
	text.WriteString("\n\n")
	_, err := io.WriteString(w, text.String())
	return err
}

// pgnWidth is the longest line of moves that the format asks for, and pgnTagWidth the
// longest value of a tag on a line that every program reads.
const (
	pgnWidth    = 79
	pgnTagWidth = 240
)

// pgnString is the value of a tag. ordo ends it at the first quote, escaped or not.
func pgnString(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, "'").Replace(Printable(value))
}

func pgnResult(rec *arena.Game) string {
	if rec.Source == arena.Stalled || rec.Source == arena.Unrated || !rec.Status.Counts() || rec.Both() {
		return "*"
	}
	return map[game.Seat]string{game.None: "1/2-1/2", game.First: "1-0", game.Second: "0-1"}[rec.Outcome.Winner]
}

// pgnTermination is the word of the format for how a game ended.
func pgnTermination(rec *arena.Game) string {
	switch {
	case rec.Source == arena.Adjudicated:
		return "adjudication"
	case rec.Source == arena.Natural:
		return "normal"
	case rec.Source != arena.Faulted || rec.Fault == nil:
		return "unterminated"
	case rec.Fault.Kind == game.FaultTimeout || rec.Fault.Kind == game.FaultStartTimeout:
		return "time forfeit"
	case rec.Fault.Kind == game.FaultIllegal:
		return "rules infraction"
	}
	return "abandoned"
}

// pgnMove is what the format takes for a move.
var pgnMove = arena.Pattern(`^[A-Za-z][A-Za-z0-9+#=:_-]*$`)

// pgnWords are the moves with their numbers and comments.
func pgnWords(rec *arena.Game) []string {
	var words []string
	each := 0 // records of a move, where all moves have as many
	if n := len(rec.Moves); n > 0 && len(rec.Plies)%n == 0 {
		each = len(rec.Plies) / n
	}
	for i, move := range rec.Moves {
		if i%2 == 0 {
			words = append(words, fmt.Sprintf("%d.", i/2+1))
		}
		var parts []string
		if pgnMove().MatchString(move) {
			words = append(words, move)
		} else {
			words = append(words, "Z0")
			parts = append(parts, Printable(move))
		}
		for _, p := range rec.Plies[i*each : (i+1)*each] {
			parts = append(parts, pgnPly(p))
		}
		if len(parts) > 0 {
			words = append(words, pgnComment(strings.Join(parts, ", "))...)
		}
	}
	return words
}

// pgnPly is what is known of a move: "+35/8 0.120s".
func pgnPly(p arena.Ply) string {
	text := ""
	if p.Scored {
		text = fmt.Sprintf("%+d/%d ", p.Score, p.Depth)
	}
	return text + fmt.Sprintf("%.3fs", p.Wall.Seconds())
}

// pgnComment is a comment in words, none of which ends it or, at the beginning of a
// line, looks like a tag or a line to skip.
func pgnComment(text string) []string {
	words := strings.Fields("{" + strings.NewReplacer("{", "(", "}", ")").Replace(text) + "}")
	for i, word := range words {
		if rest, tag := strings.CutPrefix(word, "["); tag {
			words[i] = "(" + rest
		} else if rest, skipped := strings.CutPrefix(word, "%"); skipped {
			words[i] = "(%)" + rest
		}
	}
	return words
}
