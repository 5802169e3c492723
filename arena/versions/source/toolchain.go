package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/files"
)

// compilers are part of every toolchain, because a Makefile calls them.
var compilers = []string{"cc", "c++", "gcc", "g++", "clang", "clang++", "ld", "go", "rustc", "cargo", "javac", "dotnet", "ghc", "zig"}

// tool is a program that builds may use.
type tool struct{ name, path, sum string }

// tools are those of one recipe, by name.
type tools []tool

var word = regexp.MustCompile(`[A-Za-z0-9_+.-]+`)

// toolchain finds the compilers of this machine and the programs in PATH that
// the commands name.
func toolchain(commands string) tools {
	names := append(slices.Clone(compilers), word.FindAllString(commands, -1)...)
	slices.Sort(names)
	var list tools
	for _, name := range slices.Compact(names) {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			continue
		}
		sum, err := files.Sum(path)
		if err != nil {
			continue // it cannot be read, so it is no part of the identity
		}
		list = append(list, tool{name, path, sum})
	}
	return list
}

func (t tools) sums() []string {
	return arena.Map(t, func(of tool) string { return of.name + " " + of.sum })
}

// read are the folders of the tools, what is installed with the compilers, and with caches
// those of the user's modules.
func (t tools) read(caches bool) []string {
	home, _ := os.UserHomeDir()
	if resolved, err := filepath.EvalSymlinks(home); err == nil {
		home = resolved // as the paths of the tools are
	}
	list := []string{rustupHome()}
	for _, tool := range t {
		list = append(list, tool.path)
		if slices.Contains(compilers, tool.name) {
			list = append(list, installedWith(tool.path, home)...)
		}
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil && filepath.IsAbs(dir) && resolved != home {
			list = append(list, dir)
		}
	}
	if caches {
		list = append(list, goModules())
		for _, name := range []string{"bin", "registry", "git", "config.toml"} { // and no credentials
			list = append(list, filepath.Join(cargoHome(), name))
		}
		for _, name := range []string{".m2/repository", ".gradle/caches", ".nuget/packages"} {
			list = append(list, filepath.Join(home, name))
		}
	}
	return list
}

// installedWith are the files of a compiler: PREFIX/bin/program has them in PREFIX. A prefix in
// the home folder may have files of the user's beside them, as ~/.local and ~/.cargo have.
func installedWith(program, home string) []string {
	dir := filepath.Dir(program)
	prefix := filepath.Dir(dir)
	switch {
	case filepath.Base(dir) != "bin" || prefix == "/" || prefix == home || strings.HasPrefix(home, prefix+"/"):
		return nil
	case !strings.HasPrefix(prefix, home+"/"):
		return []string{prefix}
	}
	names := []string{"lib", "lib64", "libexec", "include", "conf", "jmods", "release"}
	if _, err := os.Stat(filepath.Join(prefix, "VERSION")); err == nil { // of Go
		names = append(names, "VERSION", "go.env", "pkg", "src")
	}
	return arena.Map(names, func(name string) string { return filepath.Join(prefix, name) })
}

// inHome is the folder that a variable names, or one in the home folder.
func inHome(variable, usual string) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, usual)
}

func goModules() string {
	if dir := os.Getenv("GOMODCACHE"); filepath.IsAbs(dir) {
		return dir
	}
	first, _, _ := strings.Cut(inHome("GOPATH", "go"), string(filepath.ListSeparator))
	return filepath.Join(first, "pkg", "mod")
}

func cargoHome() string  { return inHome("CARGO_HOME", ".cargo") }
func rustupHome() string { return inHome("RUSTUP_HOME", ".rustup") }
