package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/report"
	"thera/arena/store"
)

// page is the answer to a request: data for scripts, which a template shows.
type page struct {
	template string // "": JSON alone
	title    string
	data     any
	svg      string // a picture instead
	stream   string
	script   bool // the page has something to do for the script
}

// pageTime bounds one request, so that no visitor keeps the database busy.
const pageTime = 30 * time.Second

// httpError is an error with a status, for the visitor.
type httpError struct {
	status int
	text   string
}

func (e *httpError) Error() string { return e.text }

func notFound(format string, args ...any) error {
	return &httpError{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

// show makes a handler of a page.
func (s *Server) show(of func(*http.Request) (*page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), pageTime)
		defer cancel()
		p, err := of(r.WithContext(ctx))
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.write(w, r, http.StatusOK, p)
	}
}

// write answers with a page, as JSON if the request prefers that.
func (s *Server) write(w http.ResponseWriter, r *http.Request, status int, p *page) {
	w.Header().Add("Vary", "Accept")
	var b bytes.Buffer
	var err error
	kind := "text/html; charset=utf-8"
	switch {
	case p.svg != "":
		kind = "image/svg+xml"
		b.WriteString(p.svg)
	case p.template == "" || wantsJSON(r):
		kind = "application/json"
		err = report.NewJSON(&b).Encode(p.data)
	default:
		err = templates()[p.template].ExecuteTemplate(&b, "layout.html", map[string]any{
			"Title": p.title, "View": p.data, "Stream": p.stream, "Script": p.script,
		})
	}
	if err != nil {
		s.opts.Log.Error("page", "path", r.URL.Path, "error", err)
		http.Error(w, "the answer could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the visitor may be gone
}

// wantsJSON reports whether a request names JSON before any HTML.
func wantsJSON(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	json, html := strings.Index(accept, "application/json"), strings.Index(accept, "text/html")
	return json >= 0 && (html < 0 || json < html)
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, text := http.StatusInternalServerError, err.Error()
	var known *httpError
	switch {
	case errors.As(err, &known):
		status = known.status
	case errors.Is(err, store.ErrUnknown):
		status = http.StatusNotFound
	case errors.Is(err, context.DeadlineExceeded):
		status, text = http.StatusServiceUnavailable, "this took too long"
	case errors.Is(err, context.Canceled):
		return
	default:
		s.opts.Log.Error("page", "path", r.URL.Path, "error", err)
	}
	view := struct {
		Status     int    `json:"-"`
		StatusText string `json:"-"`
		Error      string `json:"error"`
	}{status, http.StatusText(status), report.Printable(text)}
	s.write(w, r, status, &page{template: "error", title: view.StatusText, data: view})
}

// templates are those of all pages, by name; "" has the parts of pages.
var templates = sync.OnceValue(func() map[string]*template.Template {
	base := template.New("").Funcs(functions)
	all := map[string]*template.Template{"": template.Must(base.ParseFS(files, "templates/layout.html", "templates/parts.html"))}
	for _, name := range []string{"runs", "run", "games", "faults", "gods", "game", "error", "offline"} {
		all[name] = template.Must(template.Must(base.Clone()).ParseFS(files, "templates/"+name+".html"))
	}
	return all
})

// fragment renders a part of a page.
func fragment(name string, view any) (string, error) {
	var b strings.Builder
	err := templates()[""].ExecuteTemplate(&b, name, view)
	return b.String(), err
}

// functions are those of the templates.
var functions = template.FuncMap{
	"short":  arena.Short,
	"plain":  report.Printable,
	"lines":  report.Lines,
	"svg":    func(text string) template.HTML { return template.HTML(text) }, // made by package svg
	"result": report.Result,
	"dict": func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i+1 < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	},
	"count": arena.Plural[int],
	"add":   func(a, b int) int { return a + b },
	"round": func(i, rounds int) string {
		if left := rounds - 1 - i; left < 3 {
			return [...]string{"Final", "Semi-finals", "Quarter-finals"}[left]
		}
		return "Round " + strconv.Itoa(i+1)
	},
	"signedScore": func(x *float64) string {
		if x == nil {
			return ""
		}
		return strings.Replace(fmt.Sprintf("%+g", *x), "-", "−", 1)
	},
}

// number reads a whole number of the query, and refuses one out of range.
func number(r *http.Request, name string, usual, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > most {
		text = fmt.Sprintf("%s=%s: want a number from 0 to %d", name, report.Printable(text), most)
		return 0, &httpError{http.StatusBadRequest, text}
	}
	return n, nil
}
