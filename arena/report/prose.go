package report

import "io"

// prose writes sentences and tables in one form, up to the first error.
type prose struct {
	w     io.Writer
	form  Format
	width int // of a line of the terminal form; 0: no limit
	begun bool
	err   error
}

// print writes text as it is.
func (p *prose) print(text string) {
	if p.begun = true; p.err == nil {
		_, p.err = io.WriteString(p.w, text)
	}
}

// part sets apart what follows.
func (p *prose) part() {
	if p.begun {
		p.print("\n")
	}
}

// safe is text of any origin.
func (p *prose) safe(text string) string {
	if p.form == Markdown {
		return markdown(text)
	}
	return Wrap(Printable(text), p.width, 2)
}

// say writes a sentence.
func (p *prose) say(sentence string) { p.print(p.safe(sentence) + "\n") }

// list writes sentences after an empty line.
func (p *prose) list(sentences []string) {
	for i, sentence := range sentences {
		if i == 0 {
			p.part()
		}
		if p.form == Markdown {
			p.print("- ")
		}
		p.say(sentence)
	}
}

// table writes a table after an empty line.
func (p *prose) table(t *Table) {
	p.part()
	if p.begun = true; p.err == nil {
		p.err = t.Fit(p.width).Write(p.w, p.form)
	}
}
