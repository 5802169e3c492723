package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"thera/arena"
	"thera/arena/rating"
	"thera/engine/game"
)

// none is shown in tables for an undefined value.
const none = "-"

// formatted formats x, or an undefined value.
func formatted(format string, x *float64) string {
	if x == nil {
		return none
	}
	return zeroSign(fmt.Sprintf(format, *x))
}

// signed formats an Elo difference, as "+12.3".
func signed(x *float64) string { return formatted("%+.1f", x) }

// Fixed formats x with the given number of decimals.
func fixed(x *float64, digits int) string { return formatted(fmt.Sprintf("%%.%df", digits), x) }

// oneDigit formats a value with one decimal.
func oneDigit(x *float64) string { return fixed(x, 1) }

// Percent formats a fraction as "53.1 %".
func Percent(x *float64) string {
	if x == nil {
		return none
	}
	return fmt.Sprintf("%.1f %%", 100**x)
}

// zeroSign removes the sign of "-0.0" and "+0.0".
func zeroSign(text string) string {
	if strings.Trim(text, "+-0.") == "" {
		return strings.TrimLeft(text, "+-")
	}
	return text
}

// Bounds formats the bounds of a score in percent, as "41.0 to 52.3 %".
func Bounds(lo, hi *float64) string { return boundsText("%.1f to %.1f %%", lo, hi) }

// wholeBounds formats them as "41-52".
func wholeBounds(lo, hi *float64) string { return boundsText("%.0f-%.0f", lo, hi) }

func boundsText(format string, lo, hi *float64) string {
	if lo == nil || hi == nil {
		return none
	}
	return fmt.Sprintf(format, 100**lo, 100**hi)
}

// bar formats the error bar of x: "±10.2", "-9.8 +10.6" if it is asymmetric, or
// "> +215.9" if only one bound is known.
func bar(x, lo, hi *float64) string {
	switch {
	case lo == nil && hi == nil:
		return none
	case hi == nil:
		return "> " + signed(lo)
	case lo == nil:
		return "< " + signed(hi)
	case x == nil:
		return none
	}
	down, up := *x-*lo, *hi-*x
	if math.Abs(up-down) < 0.1 {
		return fmt.Sprintf("±%.1f", (up+down)/2)
	}
	return fmt.Sprintf("-%.1f +%.1f", down, up)
}

// ratedBar formats the error bar of a joint rating.
func ratedBar(s *arena.Score) string { return bar(s.Elo, s.EloLo, s.EloHi) }

// eloBar formats the error bar of a score's Elo. Where the score's error gives no
// bound, it is that of Wilson's interval.
func eloBar(s *arena.Score) string {
	lo, hi := s.EloBounds()
	return bar(s.Elo, lo, hi)
}

// games formats a number of games, as "1 game".
func games[N int | int64](n N) string { return arena.Plural(n, "game") }

// Result is who won a game, "-" where that is not known.
func Result(winner game.Seat, source arena.Source) string {
	if source == arena.Stalled || source == arena.Unrated {
		return none
	}
	return map[game.Seat]string{game.None: "½-½", game.First: "1-0", game.Second: "0-1"}[winner]
}

// raw formats x for scripts, as "" if it is undefined. It is as people write
// numbers: at most six decimals, no exponent, and no sign of a zero.
func raw(x *float64) string {
	if x == nil {
		return ""
	}
	text := strconv.FormatFloat(*x, 'f', 6, 64)
	return zeroSign(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
}

func record(c rating.WDL) string { return fmt.Sprintf("%d-%d-%d", c.Wins, c.Draws, c.Losses) }
