package rules

// declared are the gods, basic ones first. A new god has a file and a line here.
var declared = [...]func() power{
	mortalPower,
	panPower,
	artemisPower,
	hephaestusPower,
	atlasPower,
	demeterPower,
	hestiaPower,
	zeusPower,
	prometheusPower,
	pegasusPower,
	uraniaPower,
	erosPower,
	maenadsPower,
	irisPower,
	chronusPower,
	athenaPower,
	nikePower,
	heraPower,
	hadesPower,
	limusPower,
	hypnusPower,
	persephonePower,
	aphroditePower,
	harpiesPower,
	aeolusPower,
	europaPower,
	clioPower,
	hippolytaPower,
	apolloPower,
	apollov2Power,
	minotaurPower,
	scyllaPower,
	charonPower,
	charonv2Power,
	nemesisPower,
	biaPower,
	medusaPower,
	theseusPower,
	graeaePower,
	proteusPower,
	stymphaliansPower,
	hermesPower,
	castorPower,
	hydraPower,
	poseidonPower,
	aresPower,
	asteriaPower,
	selenePower,
	morpheusPower,
	achillesPower,
	bellerophonPower,
	jasonPower,
	polyphemusPower,
	tritonPower,
	dionysusPower,
	heraclesPower,
}

const (
	Mortal   God = 0                  // no power
	GodCount     = God(len(declared)) // the number of gods
)

var gods = derived()

// derived is the table of gods, with what follows from their declarations.
func derived() (gods [GodCount]power) {
	for i, declare := range declared {
		g := declare()
		if g.workers == 0 {
			g.workers = 2
		}
		if g.turns == nil {
			g.turns = commonTurns
		}
		special := g.hints.irregular || g.hints.startsLower > 0 || g.hints.drops || g.hints.elsewhere || g.wins != nil || g.buildWins
		g.plainWins = g.fast == nil && !special
		gods[i] = g
	}
	return gods
}
