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
	p, err := newPages()
	if err != nil {
		return err
	}
	c := &cache{db: opts.Store, game: opts.Game}
	l, err := c.load(ctx, info)
	if err != nil {
		return err
	}
	view := offline{parts: partsOf(l.sum, true), damage: l.damage}
	view.ID = 0
	for i := range l.games {
		if l.games[i].Status.Counts() {
			view.Total++
		}
	}
	if err := view.sheets(); err != nil {
		return err
	}
	g, err := opts.Game(&l.info)
	if err != nil {
		return err
	}
	for _, f := range chosen(l.games, most) {
		rec, err := opts.Store.Stored(ctx, l.info.ID, f.ID)
		if errors.Is(err, store.ErrDamaged) {
			view.damage = errors.Join(view.damage, err)
			continue
		}
		if err == nil && rec == nil {
			err = fmt.Errorf("game %s of run %s: %w", f.ID, l.info.Name, store.ErrGone)
		}
		if err != nil {
			return err
		}
		played, err := match.NewReplay(g, l.info, rec)
		if err != nil {
			return err
		}
		packed, err := p.pack(played)
		if err != nil {
			return err
		}
		view.Games = append(view.Games, packed)
	}
	if view.damage != nil {
		view.Damage = report.Lines(view.damage.Error())
	}
	if err := p.offline.Execute(w, view); err != nil {
		return err
	}
	return view.damage
}

// offline is what a report shows.
type offline struct {
	parts
	Damage                string
	Total                 int // games that count
	Games                 []packedGame
	Style                 template.CSS
	Script                template.JS
	ScriptHash, StyleHash template.HTMLAttr
	damage                error
}

// packedGame is a game of a report: its last position for all, and the rest packed
// for the script.
type packedGame struct {
	Page   *gamePage
	Frames string
}

// sheets reads the style sheet and the script and hashes them.
func (o *offline) sheets() error {
	style, err := files.ReadFile("static/style.css")
	if err != nil {
		return err
	}
	script, err := files.ReadFile("static/thera.js")
	if err != nil {
		return err
	}
	hash := func(text []byte) template.HTMLAttr {
		sum := sha256.Sum256(text)
		return template.HTMLAttr("sha256-" + base64.StdEncoding.EncodeToString(sum[:]))
	}
	o.Style, o.StyleHash = template.CSS(style), hash(style)
	o.Script, o.ScriptHash = template.JS(script), hash(script)
	return nil
}

// chosen returns the games of a report in job order: all if there are few, else
// those that ended by a fault, up to half of them, and others spread over the run.
func chosen(games []arena.Game, most int) []*arena.Game {
	var all, out []*arena.Game
	for i := range games {
		if games[i].Status.Counts() {
			all = append(all, &games[i])
		}
	}
	if len(all) <= most {
		return all
	}
	take := map[*arena.Game]bool{}
	for _, f := range all {
		if f.Source == arena.Faulted && len(take) < most/2 {
			take[f] = true
		}
	}
	rest := most - len(take)
	for i := range rest {
		at := i * len(all) / rest
		for take[all[at]] {
			at = (at + 1) % len(all)
		}
		take[all[at]] = true
	}
	for _, f := range all {
		if take[f] {
			out = append(out, f)
		}
	}
	return out
}

// pack renders a game. What only the script can show is compressed: the boards of
// a game are nearly the same text many times.
func (p *pages) pack(g *match.Replay) (packedGame, error) {
	v := gameOf(g)
	v.Offline = true
	v.At = frameOf(g, v.Turns, g.Last())
	v.Graphs = plot.Game(v.Names, graphed(v.Turns), func(int) string { return "#g-" + v.ID })
	data := struct {
		Frames []frameJSON `json:"frames"`
		Moves  string      `json:"moves"`
		Graphs string      `json:"graphs"`
		About  string      `json:"about"`
	}{}
	var err error
	if data.Frames, err = p.framesOf(g, v, 0, g.Last()+1); err != nil {
		return packedGame{}, err
	}
	for name, into := range map[string]*string{"moves": &data.Moves, "graphs": &data.Graphs, "about": &data.About} {
		if *into, err = p.part("game", name, v); err != nil {
			return packedGame{}, err
		}
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return packedGame{}, err
	}
	if err := errors.Join(json.NewEncoder(z).Encode(data), z.Close()); err != nil {
		return packedGame{}, fmt.Errorf("game %s: %w", v.ID, err)
	}
	return packedGame{Page: v, Frames: base64.StdEncoding.EncodeToString(b.Bytes())}, nil
}
