package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"iter"
	"slices"

	"thera/arena"
	"thera/arena/match"
	"thera/arena/plot"
	"thera/arena/report"
	"thera/arena/store"
)

// WriteReport writes a run as one file that needs nothing else: tables, plots and
// up to most games to be replayed. Its one script and its one style sheet are
// allowed by their hashes. Damaged games are left out; the error names them, and
// the report says so too.
func WriteReport(ctx context.Context, w io.Writer, opts Options, info arena.RunInfo, most int) error {
	l, err := opts.load(ctx, info)
	if err != nil {
		return err
	}
	view := newOffline(partsOf(l.sum, true))
	var counted []string
	var faulty []int // of counted
	for i := range l.games {
		if l.games[i].Status.Counts() {
			if l.games[i].Source == arena.Faulted {
				faulty = append(faulty, len(counted))
			}
			counted = append(counted, l.games[i].ID)
		}
	}
	take := chosen(len(counted), faulty, most)
	var ids []string
	for _, i := range take {
		ids = append(ids, counted[i])
	}
	note := fmt.Sprintf("%d of %d games. ", len(take), len(counted))
	if len(take) < len(counted) {
		note += "Those that ended by a fault come before others; these are spread over the run. "
	}
	note += "Open one, then → ← Home End and the space bar step through it."
	err = opts.replays(ctx, l, view, "Games", note, ids)
	if err != nil {
		return err
	}
	if l.damage != nil {
		view.Damage = report.Lines(l.damage.Error())
	}
	if err := view.write(w); err != nil {
		return err
	}
	return l.damage
}

// stored are games of a run. Damaged ones are left out, and noted in l.
func (o *Options) stored(ctx context.Context, l *loaded, ids []string) iter.Seq2[*arena.Game, error] {
	return func(yield func(*arena.Game, error) bool) {
		for _, id := range ids {
			rec, err := o.Store.Stored(ctx, l.info.ID, id)
			switch {
			case errors.Is(err, store.ErrDamaged):
				l.damage = errors.Join(l.damage, err)
				continue
			case err == nil && rec == nil:
				err = fmt.Errorf("game %s of run %s: %w", id, l.info.Name, store.ErrGone)
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// replays adds games, if there are any, to a report.
func (o *Options) replays(ctx context.Context, l *loaded, view *offline, title, note string, ids []string) error {
	g, err := o.Game(&l.info)
	if err != nil {
		return err
	}
	of := group{Title: title, Note: note}
	for rec, err := range o.stored(ctx, l, ids) {
		if err != nil {
			return err
		}
		played, err := match.NewReplay(g, l.info, rec)
		if err != nil {
			return err
		}
		shown, err := packed(played)
		if err != nil {
			return err
		}
		of.Games = append(of.Games, shown)
	}
	if len(of.Games) > 0 {
		view.Groups = append(view.Groups, of)
	}
	return nil
}

// offline is what a report shows.
type offline struct {
	parts
	Engine                *enginePage // of the page of an engine
	Damage                string
	Groups                []group
	Style                 template.CSS
	Script                template.JS
	ScriptHash, StyleHash template.HTMLAttr
}

// group are games with a heading.
type group struct {
	Title, Note string
	Games       []*gamePage
}

func newOffline(p parts) *offline {
	style, styleHash := sheet("style.css")
	script, scriptHash := sheet("thera.js")
	p.ID = 0
	return &offline{parts: p, Style: template.CSS(style), StyleHash: styleHash, Script: template.JS(script), ScriptHash: scriptHash}
}

func (v *offline) write(w io.Writer) error {
	return templates()["offline"].ExecuteTemplate(w, "offline.html", v)
}

// sheet is the style sheet or the script, and its hash.
func sheet(name string) (string, template.HTMLAttr) {
	text, _ := files.ReadFile("static/" + name) // it is embedded
	sum := sha256.Sum256(text)
	return string(text), template.HTMLAttr("sha256-" + base64.StdEncoding.EncodeToString(sum[:]))
}

// chosen returns the games of a report, of n in job order: all if there are few, else
// those that ended by a fault, up to half of them, and others spread over the run.
func chosen(n int, faulty []int, most int) (take []int) {
	take = slices.Clone(faulty[:min(len(faulty), most/2)])
	if n <= most {
		most, take = n, nil
	}
	var others []int
	for i := range n {
		if _, taken := slices.BinarySearch(take, i); !taken {
			others = append(others, i)
		}
	}
	for i, rest := 0, most-len(take); i < rest; i++ {
		take = append(take, others[i*len(others)/rest])
	}
	slices.Sort(take)
	return take
}

// packed returns a game of a report: its last position for all, and the rest for the
// script. That is compressed: the boards of a game are nearly the same text many times.
func packed(g *match.Replay) (*gamePage, error) {
	v := gameOf(g)
	v.Offline = true
	v.At = frameOf(g, v.Turns, g.Last())
	v.Graphs = plot.Game(v.Names, graphed(v.Turns), func(int) string { return "#g-" + v.ID })
	frames, err := framesOf(g, v, 0, g.Last()+1)
	if err != nil {
		return nil, err
	}
	data := map[string]any{"frames": frames}
	for _, name := range []string{"moves", "graphs", "about"} {
		if data[name], err = fragment(name, v); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		err = errors.Join(json.NewEncoder(z).Encode(data), z.Close())
	}
	v.Packed = base64.StdEncoding.EncodeToString(b.Bytes())
	return v, err
}
