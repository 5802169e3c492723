// Package rating estimates who is stronger, by how much, and how certain that is.
//
// It takes counts (wins, draws, losses; or pairs of games from one opening
// with seats swapped) under any names and gives estimates with error bars. Its
// principles:
//
//   - An estimate without its uncertainty is not shown. Bounds are 95 %, two
//     sided, and asymmetric where the scale is.
//   - Games of one pair are not independent; where pairs are known they are the
//     unit of every variance.
//   - What is undefined stays undefined: such values are nil pointers (JSON
//     null), never NaN or an infinity, and a Caveat says why. A finite interval
//     is then given in fields of its own.
//   - Results are values with Warnings, not errors: odd data (a whitewash, two
//     groups that never met) is data.
//
// Two players: Counts hold all games, for the score, and the units of its error,
// which are finished pairs, or single games where games are not played in pairs;
// the game of an unfinished pair moves the score only. Counts.Estimate, OfGames
// and OfPairs give an Estimate; Test.Games and Test.Pairs give the State of a
// sequential test, Test.Median the Elo of one that stopped. Many players:
// Fit([]Meeting) gives Ratings with Players, Ranking, LOS(i, j) and
// Difference(i, j). Counts come from one side's view; Flip turns them. The sides
// may be engines, or roles, or seats.
//
// It knows no engines, files or clocks, drops no games, and prints nothing. Only the standard library is used.
//
// Scales: Elo(x) = -400 log10(1/x - 1) of an expected score x; normalized Elo
// is the score's distance from one half in standard deviations of one game,
// times 800/ln 10 (Van den Bergh, "Normalized Elo"). Variances are those of
// the population (no Bessel correction), as fastchess, fishtest and OpenBench
// compute them.
//
// Sources. Elo's logistic scale and its bounds by the delta-free transform of
// the score's interval: fastchess, cutechess. Pentanomial statistics and the
// generalised SPRT: M. Van den Bergh, "A practical introduction to the GSPRT"
// and "Normalized Elo for trinomial and pentanomial data"; maximum likelihood
// under a constraint: Owen, "Empirical Likelihood" (2001), ch. 2. SPRT and its
// bounds: Wald, "Sequential Analysis" (1947); estimates after one: Siegmund,
// "Sequential Analysis" (1985). BayesElo's draw model: R. Coulom,
// "Bayesian Elo Rating". Bradley-Terry: Bradley and Terry (1952); when it is
// finite: Ford (1957); robust (sandwich) errors: White (1982), clustered by
// pair: Liang and Zeger (1986). Wilson (1927) for the interval of a score.
package rating
