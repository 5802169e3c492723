package net

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"thera/engine/santorini/rules"
	"thera/engine/train"
)

// randomWeights are small enough that no sum overflows.
func randomWeights(seed uint64, most int) []int16 {
	random := rand.New(rand.NewPCG(seed, 1))
	weights := make([]int16, Size)
	for i := range weights {
		if i >= Rows*Width {
			most = 200
		}
		weights[i] = int16(random.IntN(2*most+1) - most)
	}
	return weights
}

func everyGod() []rules.God {
	list := make([]rules.God, rules.GodCount)
	for i := range list {
		list[i] = rules.God(i)
	}
	return list
}

func mustNew(t testing.TB, weights []int16, gods []rules.God) *Net {
	t.Helper()
	if err := check(weights, gods); err != nil {
		t.Fatal(err)
	}
	n, err := New(weights)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// randomFamily has weights of its own for each god.
func randomFamily(t testing.TB, seed uint64, gods []rules.God) *Family {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 2))
	weights := randomWeights(seed, 80)
	for range len(gods) * Added {
		weights = append(weights, int16(random.IntN(41)-20))
	}
	f, err := NewFamily(weights, gods)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// slowSum is the weights of the network of two gods, by the definition.
func slowSum(f *Family, mover, other rules.God) []int16 {
	list := slices.Clone(f.list)
	n := len(f.gods)
	for as := range 2 {
		for set := range 2 {
			god := [2]rules.God{mover, other}[set^as]
			at := as*n + slices.Index(f.gods, god)
			for r := range setRows {
				if kind := Detail(r); kind < Details {
					for i := range Width {
						list[(set*setRows+r)*Width+i] += f.extra[((at*2+set)*Details+kind)*Width+i]
					}
				}
			}
			if set == 0 {
				for i := range 2*Width*Neurons + Neurons {
					list[Rows*Width+i] += f.extra[2*n*2*Details*Width+at*(2*Width*Neurons+Neurons)+i]
				}
			}
		}
	}
	return list
}

// TestFamilyIsTheSum compares the networks of match-ups with the definition.
func TestFamilyIsTheSum(t *testing.T) {
	gods, err := rules.ParseGods([]string{"mortal", "apollo", "hermes", "clio"})
	if err != nil {
		t.Fatal(err)
	}
	f := randomFamily(t, 21, gods)
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	nets := map[rules.Matchup]Nets{}
	slowly := map[rules.Matchup][2][]int16{}
	positions := 0
	walk(t, gods, 60, func(p *rules.State) {
		if _, ok := nets[p.Gods]; !ok {
			nets[p.Gods] = f.For(p.Gods)
			slowly[p.Gods] = [2][]int16{slowSum(f, p.Gods[0], p.Gods[1]), slowSum(f, p.Gods[1], p.Gods[0])}
		}
		positions++
		n := nets[p.Gods][p.Mover&1]
		want := slow(slowly[p.Gods][p.Mover&1], p)
		if got := n.Evaluate(p); got != want {
			t.Fatalf("%s: %d, want %d", rules.Text(p, rules.V2), got, want)
		}
		if got := NewEvaluator(n).Evaluate(p); got != want {
			t.Fatalf("%s: an evaluator says %d, want %d", rules.Text(p, rules.V2), got, want)
		}
	})
	if positions < 500 || len(nets) < 10 {
		t.Errorf("%d positions, %d match-ups", positions, len(nets))
	}
	f.extra[len(f.extra)/3] = 32000
	if err := f.check(); err == nil {
		t.Error("a sum that could overflow is taken")
	}
}

// slow is the definition of the network, number by number.
func slow(weights []int16, p *rules.State) int {
	var inputs [2 * Width]int
	for side := range uint8(2) {
		for s := range squares {
			if p.Workers[side]>>s&1 == 0 {
				continue
			}
			for i := range Width {
				view := 0
				for _, r := range AppendFeatures(nil, p, side, s) {
					view += int(weights[int(r)*Width+i])
				}
				inputs[int(side^p.Mover&1)*Width+i] += max(0, min(view, Top))
			}
		}
	}
	second := weights[Rows*Width:]
	bias, last := second[2*Width*Neurons:], second[2*Width*Neurons+Neurons:]
	total := 0
	for j := range Neurons {
		sum := int(bias[j]) * 256
		for i, x := range inputs {
			sum += x * int(second[i*Neurons+j])
		}
		if sum >>= 10; j > 0 {
			sum = max(0, sum)
		}
		total += sum * int(last[j])
	}
	return int(int64(total) * 150 >> 18)
}

// walk calls each with positions of random games between mortals or all gods.
func walk(t testing.TB, gods []rules.God, games int, each func(p *rules.State)) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 9))
	l := rules.NewMoveList()
	for range games {
		m := rules.Matchup{gods[random.IntN(len(gods))], gods[random.IntN(len(gods))]}
		if rules.Banned(m) != nil {
			continue
		}
		p := rules.Start(m, false)
		for range 60 {
			if l.Generate(&p); len(l.Moves) == 0 {
				break
			}
			if p = l.Child(&p, l.Moves[random.IntN(len(l.Moves))]); !p.Placing() && p.Workers[p.Mover&1] != 0 {
				each(&p)
			}
		}
	}
}

func TestEvaluateIsTheDefinition(t *testing.T) {
	for _, tt := range []struct {
		name string
		gods []rules.God
		most int
	}{
		{"mortals", []rules.God{rules.Mortal}, 900},
		{"gods", everyGod(), 120},
	} {
		weights := randomWeights(5, tt.most)
		n := mustNew(t, weights, tt.gods)
		follows, portable := NewEvaluator(n), NewEvaluator(n)
		positions, far := 0, 0
		walk(t, tt.gods, 60, func(p *rules.State) {
			positions++
			got, want := n.Evaluate(p), slow(weights, p)
			if got != want {
				t.Fatalf("%s: %d, want %d", rules.Text(p, rules.V2), got, want)
			}
			for range 2 {
				if got := follows.Evaluate(p); got != want {
					t.Fatalf("%s: an evaluator says %d, want %d", rules.Text(p, rules.V2), got, want)
				}
			}
			fast := vector
			vector = false
			if got := portable.Evaluate(p); got != want {
				t.Fatalf("%s: without vector instructions %d, want %d", rules.Text(p, rules.V2), got, want)
			}
			vector = fast
			if got > 100 || got < -100 {
				far++
			}
		})
		if positions < 500 || far == 0 {
			t.Errorf("%s: %d positions, %d far from 0", tt.name, positions, far)
		}
	}
}

// TestSymmetry turns boards. A worker between an axis and a diagonal has the same
// features; one on them may see the board mirrored.
func TestSymmetry(t *testing.T) {
	equal := 0
	walk(t, []rules.God{rules.Mortal}, 30, func(p *rules.State) {
		for turn := range 8 {
			q := *p
			q.Above, q.Workers = [4]uint32{}, [2]uint32{}
			for s := range squares {
				to := Turned(s, turn)
				for k := range q.Above {
					q.Above[k] |= p.Above[k] >> s & 1 << to
				}
				for side := range q.Workers {
					q.Workers[side] |= p.Workers[side] >> s & 1 << to
				}
			}
			for s := range squares {
				if p.Workers[0]>>s&1 == 0 {
					continue
				}
				a, b := AppendFeatures(nil, p, 0, s), AppendFeatures(nil, &q, 0, Turned(s, turn))
				slices.Sort(a)
				slices.Sort(b)
				switch same := slices.Equal(a, b); {
				case a[0] != b[0] || len(a) != len(b) || classOf[s] == 1 && !same:
					t.Fatalf("%s, symmetry %d: features %v and %v", rules.Text(p, rules.V2), turn, a, b)
				case same && turn > 0:
					equal++
				}
			}
		}
	})
	if equal == 0 {
		t.Error("no two boards had the same features")
	}
}

func TestFile(t *testing.T) {
	for _, tt := range []struct {
		gods  []string
		added bool
	}{{[]string{"mortal"}, false}, {[]string{"mortal", "clio", "europa"}, false}, {[]string{"mortal", "clio", "europa"}, true}} {
		gods := tt.gods
		list, _ := rules.ParseGods(gods)
		family, err := NewFamily(randomWeights(11, 120), list)
		if err != nil {
			t.Fatal(err)
		}
		if tt.added {
			family = randomFamily(t, 11, list)
		}
		file, err := Encode(Record{Training: train.Training{Games: 12, Lambda: 0.7}}, family)
		if err != nil {
			t.Fatal(err)
		}
		n, record, err := Decode(file)
		if err != nil || record.Games != 12 || record.Lambda != 0.7 || !slices.Equal(record.Gods, gods) || record.Added != tt.added {
			t.Fatalf("%+v, %v", record, err)
		}
		walk(t, list, 10, func(p *rules.State) {
			a, b := n.For(p.Gods)[p.Mover&1].Evaluate(p), family.For(p.Gods)[p.Mover&1].Evaluate(p)
			if a != b || !slices.Equal(n.gods, list) {
				t.Fatalf("%s: %d, was %d", rules.Text(p, rules.V2), a, b)
			}
		})
		for _, at := range []int{0, 20, len(file) / 2, len(file) - 1} {
			bad := bytes.Clone(file)
			bad[at] ^= 1
			if _, _, err := Decode(bad); err == nil || !strings.Contains(err.Error(), "checksum") {
				t.Errorf("byte %d changed: %v", at, err)
			}
		}
		if _, _, err := Decode(file[:20]); err == nil {
			t.Error("a short file is read")
		}
	}
}

// TestGroupsShareMeaning checks that rows of neighbours share one wherever the worker stands.
func TestGroupsShareMeaning(t *testing.T) {
	members := map[int]bool{}
	for r := range Rows {
		for _, g := range AppendGroups(nil, r) {
			if g < 0 || g >= Groups {
				t.Fatalf("row %d: group %d of %d", r, g, Groups)
			}
			members[g] = true
		}
	}
	east := func(class, square int) []int { // level 2 next to a worker on the ground
		return AppendGroups(nil, atBlock+(class*squares+square)*levels+1)
	}
	if a, b := east(0, 1), east(5, 13); len(a) != 2 || !slices.Equal(a, b) {
		t.Errorf("a block east of a corner is in groups %v, one east of the centre in %v", a, b)
	}
	if a, b := east(0, 1), east(0, 5); a[0] == b[0] || a[1] != b[1] {
		t.Errorf("blocks east and south of a corner are in groups %v and %v", a, b)
	}
	if len(members) < Groups/2 {
		t.Errorf("only %d of %d groups have rows", len(members), Groups)
	}
}

// TestEmbedded reads the weights of the program.
func TestEmbedded(t *testing.T) {
	if n := len(mortalsFile) + len(twelveFile) + len(godsFile); n > 4<<20 {
		t.Errorf("%d bytes of weights, at most 4 MiB", n)
	}
	for _, file := range [][]byte{mortalsFile, twelveFile, godsFile} {
		_, r, err := Decode(file)
		if err != nil {
			t.Fatal(err)
		}
		if r.Games == 0 || r.Positions == 0 || r.HeldOut == 0 || r.Epochs == 0 || len(r.Sources) == 0 || r.Loss <= 0 || r.Loss >= r.HandLoss {
			t.Errorf("record %+v", r)
		}
	}
	seen := 0
	for _, first := range everyGod() {
		for _, second := range everyGod() {
			gods := rules.Matchup{first, second}
			want := all.family()
			switch {
			case first == rules.Mortal && second == rules.Mortal:
				want = mortals.family()
			case slices.Contains(twelve.family().gods, first) && slices.Contains(twelve.family().gods, second):
				want = twelve.family()
			case !Seen(first) || !Seen(second):
				want = nil // evaluated by hand
			}
			if n := Embedded(gods); n != want {
				t.Errorf("%s against %s: another net, or none", first, second)
			}
		}
		if Seen(first) {
			seen++
		}
	}
	if seen < 53 {
		t.Errorf("only %d gods were seen", seen)
	}
}

func TestOverflowIsRefused(t *testing.T) {
	weights := randomWeights(1, 100)
	family, err := NewFamily(weights, everyGod())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Encode(Record{}, family); err != nil {
		t.Fatal(err)
	}
	weights[(setRows+atBlock+7)*Width+3] = 32000
	if _, err := Encode(Record{}, family); err == nil || !strings.Contains(err.Error(), "element 3") {
		t.Errorf("a sum that could overflow: %v", err)
	}
	if _, err := NewFamily(weights[1:], nil); err == nil {
		t.Error("a missing weight is not seen")
	}
}
