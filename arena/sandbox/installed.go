package sandbox

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// installs are where programs are installed on this machine beside the
// system's folders. The user's PATH and the usual version managers name them;
// no engine does.
type installs struct {
	bins  []string // folders of programs
	roots []string // folders with all that is below
}

// managers are folders of version managers: the variable that names one, and
// where it is below the home folder without it.
var managers = map[string]string{
	"ASDF_DATA_DIR": ".asdf", "MISE_DATA_DIR": ".local/share/mise", "PYENV_ROOT": ".pyenv", "RBENV_ROOT": ".rbenv",
	"UV_PYTHON_INSTALL_DIR": ".local/share/uv/python",
	"NVM_DIR":               ".nvm", "FNM_DIR": ".local/share/fnm", "VOLTA_HOME": ".volta", "SDKMAN_DIR": ".sdkman",
	"JAVA_HOME": "", "DOTNET_ROOT": ".dotnet",
	"GOROOT": "", "CONDA_PREFIX": "", "RUSTUP_HOME": ".rustup",
}

func findInstalls(home string) installs {
	var i installs
	add := func(list *[]string, dir string) {
		if _, err := os.Stat(dir); err == nil && filepath.IsAbs(dir) && !Within(real(home), real(dir)) {
			*list = append(*list, slices.Compact([]string{filepath.Clean(dir), real(dir)})...)
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		add(&i.bins, dir)
		above := filepath.Dir(filepath.Clean(dir))
		switch base := filepath.Base(dir); {
		case base == "shims":
			add(&i.roots, above)
		case (base == "bin" || base == "Scripts") && !Within(real(home), real(above)):
			for _, name := range libraries {
				if lib := filepath.Join(above, name); straight(above, lib) { // an engine may have brought both
					add(&i.roots, lib)
				}
			}
		}
	}
	for variable, usual := range managers {
		if usual != "" {
			usual = filepath.Join(home, usual)
		}
		add(&i.roots, cmp.Or(os.Getenv(variable), usual))
	}
	i.roots = slices.DeleteFunc(i.roots, system)
	return i
}

// without leaves out what is in folders of an engine, such as an active
// virtual environment.
func (i *installs) without(dirs []string) {
	its := func(path string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return Within(real(path), dir) })
	}
	i.bins, i.roots = slices.DeleteFunc(i.bins, its), slices.DeleteFunc(i.roots, its)
}

// installed reports whether a path is that of an installed program: the user
// put it there, also if it is a link.
func (i installs) installed(path string) bool {
	return slices.Contains(i.bins, filepath.Dir(path)) || i.interpreter(path)
}

// interpreter reports whether a path leads to an installed program that others
// may name, or to what belongs to one. Scripts of the user are none.
func (i installs) interpreter(path string) bool {
	path, err := filepath.EvalSymlinks(path)
	return err == nil && (i.everybodys(path) || slices.Contains(i.bins, filepath.Dir(path)) && machineCode(path))
}

// everybodys reports whether a path is the system's or a version manager's.
func (i installs) everybodys(path string) bool {
	return system(path) || slices.ContainsFunc(i.roots, func(root string) bool { return Within(path, root) })
}

// machineCode reports whether a file is a program of the machine, in ELF.
func machineCode(path string) bool { return strings.HasPrefix(firstLine(path), "\x7fELF") }
