// Package rating estimates who is stronger, by how much, and how certain that is.
//
// Its input is counts: wins, draws and losses, or pairs of games from one opening
// with seats swapped. Its output is estimates with error bars. The principles:
//
//   - Every estimate has its uncertainty. Bounds are 95 %, two-sided, and
//     asymmetric if the scale is. They hold for few pairs too: the spread is
//     estimated from the results, so the quantile is Student's.
//   - The games of a pair are not independent. If pairs are known, they are the
//     unit of every variance.
//   - An undefined value is a nil pointer (JSON null), never NaN or an infinity,
//     and a caveat says why. Other fields then have a finite interval.
//   - Results are values with Warnings, not errors: odd data (a whitewash, two
//     groups that never met) is data.
//
// For two players, Counts.Estimate and OfPairs return an Estimate;
// Test.Games and Test.Pairs return the State of a sequential test, and
// Test.Median the Elo after it stopped. For many players, Fit returns Ratings
// with a Ranking, the likelihood of superiority LOS and the Difference of two
// players. Counts are from one side's view; Flip returns the other side's. A side
// can be an engine, a role or a seat.
//
// The package knows no engines, files or clocks, ignores no games and prints
// nothing. It imports only the standard library.
//
// Scales: Elo(x) = -400 log10(1/x - 1) of an expected score x; normalized Elo
// is the score's distance from one half in standard deviations of one game,
// times 800/ln 10 (Van den Bergh, "Normalized Elo"), with the variance of the
// population, as fastchess, fishtest and OpenBench compute it.
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
// pair: Liang and Zeger (1986), for few pairs: Bell and McCaffrey (2002), with the
// degrees of freedom of Satterthwaite (1946). Wilson (1927) for the interval of a score.
package rating
