//go:build !unix

package tcp

import "errors"

func start([]string) error {
	return errors.New("bots that speak over TCP are not started on this system")
}
