package versions

import (
	"cmp"
	"fmt"

	"thera/arena"
	"thera/arena/rating"
	"thera/arena/report"
)

// Verdicts that are none of the test.
const (
	sameMoves = "no functional change"
	slowed    = "stronger by nodes, slower"
	faulted   = "faults"
)

// addStage adds the result of a test between head and base. passed says whether
// the run met what the verdict requires of it.
func addStage(v *report.Verdict, sum *arena.Summary, passed bool) error {
	test := sum.Test
	if test == nil || len(sum.Run.Plan.Engines) != 2 {
		return fmt.Errorf("run %s is no test of two engines", sum.Run.Name)
	}
	s := report.VerdictStage{
		Run: sum.Run.Name, Game: sum.Run.Game, Limit: sum.Run.Plan.Limit.Text(), Test: *test, Speed: test.Speed, Slower: test.Slower,
	}
	for _, p := range sum.Figures.Pairings { // at most one, from the head's view
		s.Score = p.Score
	}
	s.Pairs = cmp.Or(s.Pairs, &rating.Penta{})
	for _, e := range sum.Figures.Engines {
		for i := range sum.Run.Plan.Engines {
			if e.Name == sum.Run.Plan.Engines[i].Name {
				s.Faults[i] = e.Faults
			}
		}
	}
	v.Stages = append(v.Stages, s)
	for _, w := range sum.Warnings {
		// Surplus games are those that were played at the same time; there is no ranking.
		if w.Kind != arena.WarnSurplus && w.Kind != arena.WarnRating {
			v.Warnings = append(v.Warnings, w.Text)
		}
	}
	v.Verdict, v.Passed = test.Decision, passed
	switch {
	case sum.Stop != nil && sum.Stop.Kind == arena.StopSame:
		v.Verdict = sameMoves
	case test.Decision == rating.Continue:
		v.Verdict = "undecided"
	case test.Decision == rating.H1 && !passed:
		v.Verdict = faulted
	}
	return nil
}

// conclude fills in the sentence and what the figures hide. timed says that a stage had
// a limit of time, so that strength has the speed in it.
func conclude(v *report.Verdict, timed bool) {
	if v.Head.Signature != "" && v.Head.Signature == v.Base.Signature {
		if len(v.Stages) == 0 {
			v.Verdict = sameMoves
		}
		v.Warnings = append(v.Warnings, "no functional change: both versions have the signature "+v.Head.Signature)
	}
	for _, one := range []*report.VersionOf{&v.Head, &v.Base} {
		if one.Signature != "" && one.Announced != "" && one.Signature != one.Announced {
			v.Warnings = append(v.Warnings, fmt.Sprintf("%s has the signature %s, and its commit message announces %s",
				arena.Short(one.Commit), one.Signature, one.Announced))
		}
		if one.Dirty > 0 {
			changed := arena.Plural(one.Dirty, "file")
			v.Warnings = append(v.Warnings, "dirty tree: "+changed+" changed in the working tree and not tested")
		}
	}
	head := fmt.Sprintf("%s (%s)", arena.Short(v.Head.Commit), v.Head.Subject)
	base := fmt.Sprintf("%s (%s)", arena.Short(v.Base.Commit), v.Base.Subject)
	if len(v.Stages) == 0 {
		v.Sentence = fmt.Sprintf("%s plays like %s: no functional change, no game was played.", head, base)
		return
	}
	last := &v.Stages[len(v.Stages)-1]
	speed := ""
	if !timed {
		v.Warnings = append(v.Warnings, "limits of nodes and depth hide slowdowns")
		if last.Speed != nil {
			speed = fmt.Sprintf(" It makes %.2f times the nodes a second of the base.", *last.Speed)
		}
		if last.Slower && v.Verdict == rating.H1 && !v.Slow {
			v.Verdict, v.Passed = slowed, false
		}
	}
	bounds := fmt.Sprintf("(H0: %g or less, H1: %g or more, %s Elo)", last.Test.Elo0, last.Test.Elo1, last.Test.Model)
	failed := head + " does not pass against " + base
	switch v.Verdict {
	case rating.H1:
		v.Sentence = fmt.Sprintf("%s passes against %s: H1 is accepted %s.", head, base, bounds)
	case slowed:
		v.Sentence = fmt.Sprintf("%s: H1 is accepted %s, but it is slower, and no limit of time was tested (--allow-slower).", failed, bounds)
	case sameMoves:
		v.Sentence = fmt.Sprintf("%s plays like %s: no functional change, the two games of each of %d pairs are the same.", head, base, last.Games/2)
	case rating.H0:
		v.Sentence = fmt.Sprintf("%s: H0 is accepted %s.", failed, bounds)
	case faulted:
		v.Sentence = fmt.Sprintf("%s: H1 is accepted, and engines were at fault in %s.", failed, arena.Plural(last.Faults[0]+last.Faults[1], "game"))
	default:
		v.Sentence = fmt.Sprintf("It is undecided whether %s passes against %s %s.", head, base, bounds)
	}
	v.Sentence += speed
}
