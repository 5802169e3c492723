package santorini

// The gods, in the order of the rule files. A new god is one line in each of
// these two lists and a file.
const (
	mortal God = iota
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
	godCount
)

var gods = [godCount]power{
	mortal:       mortalPower(),
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
}

func (g God) String() string { return gods[g].name }

// godNamed finds a god by its name in position strings.
func godNamed(name string) (God, bool) {
	for g := range gods {
		if gods[g].name == name {
			return God(g), true
		}
	}
	return 0, false
}
