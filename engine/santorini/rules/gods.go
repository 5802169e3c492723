package rules

// The gods, basic ones first. A new god has a file and a line in each of these two
// lists.
const (
	Mortal God = iota
	pan
	artemis
	hephaestus
	atlas
	demeter
	hestia
	zeus
	prometheus
	pegasus
	urania
	eros
	maenads
	iris
	chronus
	athena
	nike
	hera
	hades
	limus
	hypnus
	persephone
	aphrodite
	harpies
	aeolus
	europa
	clio
	hippolyta
	apollo
	apollov2
	minotaur
	scylla
	charon
	charonv2
	nemesis
	bia
	medusa
	theseus
	graeae
	proteus
	stymphalians
	hermes
	castor
	hydra
	poseidon
	ares
	asteria
	selene
	morpheus
	achilles
	bellerophon
	jason
	polyphemus
	GodCount // the number of gods
)

var gods = derived([GodCount]power{
	Mortal:       mortalPower(),
	pan:          panPower(),
	artemis:      artemisPower(),
	hephaestus:   hephaestusPower(),
	atlas:        atlasPower(),
	demeter:      demeterPower(),
	hestia:       hestiaPower(),
	zeus:         zeusPower(),
	prometheus:   prometheusPower(),
	pegasus:      pegasusPower(),
	urania:       uraniaPower(),
	eros:         erosPower(),
	maenads:      maenadsPower(),
	iris:         irisPower(),
	chronus:      chronusPower(),
	athena:       athenaPower(),
	nike:         nikePower(),
	hera:         heraPower(),
	hades:        hadesPower(),
	limus:        limusPower(),
	hypnus:       hypnusPower(),
	persephone:   persephonePower(),
	aphrodite:    aphroditePower(),
	harpies:      harpiesPower(),
	aeolus:       aeolusPower(),
	europa:       europaPower(),
	clio:         clioPower(),
	hippolyta:    hippolytaPower(),
	apollo:       apolloPower(),
	apollov2:     apollov2Power(),
	minotaur:     minotaurPower(),
	scylla:       scyllaPower(),
	charon:       charonPower(),
	charonv2:     charonv2Power(),
	nemesis:      nemesisPower(),
	bia:          biaPower(),
	medusa:       medusaPower(),
	theseus:      theseusPower(),
	graeae:       graeaePower(),
	proteus:      proteusPower(),
	stymphalians: stymphaliansPower(),
	hermes:       hermesPower(),
	castor:       castorPower(),
	hydra:        hydraPower(),
	poseidon:     poseidonPower(),
	ares:         aresPower(),
	asteria:      asteriaPower(),
	selene:       selenePower(),
	morpheus:     morpheusPower(),
	achilles:     achillesPower(),
	bellerophon:  bellerophonPower(),
	jason:        jasonPower(),
	polyphemus:   polyphemusPower(),
})

// derived fills in what follows from the declarations of the gods.
func derived(gods [GodCount]power) [GodCount]power {
	for i := range gods {
		g := &gods[i]
		special := g.hints.irregular || g.hints.startsLower > 0 || g.hints.drops || g.hints.elsewhere || g.wins != nil || g.buildWins
		g.plainWins = g.fast == nil && !special
	}
	return gods
}
