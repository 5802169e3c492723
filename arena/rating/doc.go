// Package rating says who is stronger, by how much and how sure that is.
//
// It takes counts (wins, draws, losses; or pairs of games from one opening
// with seats swapped) under any names and gives estimates with error bars. Its
// stance:
//
//   - An estimate without its uncertainty is not shown. Bounds are 95 %, two
//     sided, and asymmetric where the scale is.
//   - Games of one pair are not independent; where pairs are known they are the
//     unit of every variance.
//   - What is undefined stays undefined: such values are nil pointers (JSON
//     null), never NaN or an infinity, and a Warning says why. A finite interval
//     is then given in fields of its own.
//   - Results are values with Warnings, not errors: odd data (a whitewash, two
//     groups that never met) is data.
//
// It refuses to know engines, files or clocks, to drop games that it does not
// like, and to print. Only the standard library is used.
//
// Scales: Elo(x) = -400 log10(1/x - 1) of an expected score x; normalized Elo
// is the score's distance from one half in standard deviations of one game,
// times 800/ln 10 (Van den Bergh, "Normalized Elo"). Variances are those of
// the population (no Bessel correction), as fastchess, fishtest and OpenBench
// compute them.
package rating
