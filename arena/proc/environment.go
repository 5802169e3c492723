package proc

import (
	"runtime"
	"slices"
	"strings"
)

// passed are the variables of the arena that engines get: where things are,
// who runs them and in which language. An engine gets no other one, because
// the rest may hold secrets, or change how it plays without being recorded.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_*",
	"LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "PYENV_VERSION",
	"JAVA_HOME", "CLASSPATH", "DOTNET_ROOT", "NODE_PATH",
}

// passedOnWindows are further ones, without which programs do not start there.
var passedOnWindows = []string{
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
	"PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",
}

// environment is what an engine gets of the arena's environment, and the variables
// added. Each name occurs once, because programs differ in which of two values
// they use.
func environment(arenas, added []string) []string {
	list := passed
	if runtime.GOOS == "windows" {
		list = slices.Concat(passed, passedOnWindows)
	}
	set := map[string]bool{}
	for _, v := range added {
		name, _, _ := strings.Cut(v, "=")
		set[name] = true
	}
	kept := slices.DeleteFunc(slices.Clone(arenas), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return set[name] || !slices.ContainsFunc(list, func(pattern string) bool { return matches(pattern, name) })
	})
	return append(kept, added...)
}

func matches(pattern, name string) bool {
	if runtime.GOOS == "windows" {
		name = strings.ToUpper(name)
	}
	start, open := strings.CutSuffix(pattern, "*")
	return name == pattern || open && strings.HasPrefix(name, start)
}
