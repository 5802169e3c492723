package sandbox

import (
	"slices"
	"sync"
)

// System are the folders and files that programs of every kind need: shared
// libraries and interpreters, settings without secrets, and what the kernel
// says about the machine.
func System() []string {
	return []string{
		"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store", "/snap",
		"/run/current-system", "/etc/static",
		"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives",
		"/etc/os-release", "/etc/debian_version",
		"/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/locale.conf", "/etc/default/locale",
		"/etc/inputrc", "/etc/terminfo",
		"/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf",
		"/etc/gai.conf", "/etc/services", "/etc/protocols",
		"/etc/profile", "/etc/bash.bashrc", "/etc/perl", "/etc/python3", "/etc/mono", "/etc/dotnet", "/etc/fonts",
		"/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/ca-trust", "/etc/pki/java",
		"/etc/ca-certificates", "/etc/crypto-policies",
		"/etc/java", "/etc/java-8-openjdk", "/etc/java-11-openjdk", "/etc/java-17-openjdk",
		"/etc/java-21-openjdk", "/etc/java-25-openjdk",
		"/proc",
		"/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage", "/sys/kernel/mm/hugepages", "/sys/class/dmi/id",
	}
}

// system reports whether a path is readable for every engine.
func system(path string) bool {
	return slices.ContainsFunc(systemNames(), func(known string) bool { return Within(path, known) })
}

// systemNames are the paths of System, and what they lead to.
var systemNames = sync.OnceValue(func() []string {
	names := System()
	for _, path := range System() {
		if to := real(path); to != path {
			names = append(names, to)
		}
	}
	return names
})
