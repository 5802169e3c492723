package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"thera/arena/remote"
	"thera/arena/remote/keys"
	"thera/arena/report"
)

// defaultPort is that of NATS.
const defaultPort = "4222"

func keysFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "keys", "",
		"the `DIR` with the keys of this host and its workers (default: thera/keys in the user's configuration)")
}

// inviteCommand makes, ends and lists the keys of workers.
func inviteCommand() *cobra.Command {
	o := inviteOptions{}
	cmd := &cobra.Command{
		Use:   "invite [NAME]",
		Short: "Make the key of a worker of this host; end one, or list them",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && (o.revoke || o.address != "" || o.out != ""):
				return errors.New("--revoke, --for and --out: expected the NAME of a worker")
			case len(args) > 0:
				if err := remote.CheckName(args[0]); err != nil {
					return err
				}
			}
			ring, err := keys.Open(o.dir)
			switch {
			case err != nil:
				return err
			case len(args) == 0:
				list, damaged := ring.List()
				return printList(cmd, o.json, list, report.KeyTable(list), damaged)
			case !o.revoke:
				return o.invite(cmd, ring, args[0])
			}
			if err := ring.Revoke(args[0]); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "worker %s is revoked\n", args[0])
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.address, "for", "",
		"where the worker finds this host: `HOST:PORT` (default: this machine's name and port "+defaultPort+")")
	f.StringVar(&o.out, "out", "", "the `FILE` to write (default: NAME.invitation)")
	f.BoolVar(&o.revoke, "revoke", false, "end the key of a worker")
	jsonFlag(cmd, &o.json, eachObject)
	keysFlag(cmd, &o.dir)
	for _, flag := range []string{"for", "out"} {
		cmd.MarkFlagsMutuallyExclusive("revoke", flag)
	}
	return cmd
}

type inviteOptions struct {
	address, out, dir string
	revoke, json      bool
}

// invite makes the key of a worker.
func (o *inviteOptions) invite(cmd *cobra.Command, ring *keys.Ring, name string) error {
	address := o.address
	if address == "" {
		machine, err := os.Hostname()
		if err != nil {
			return fmt.Errorf("%w: say where this host is (--for HOST:PORT)", err)
		}
		address = net.JoinHostPort(machine, defaultPort)
	}
	if host, port, err := net.SplitHostPort(address); err != nil || host == "" || port == "" || port == "0" {
		return fmt.Errorf("--for %q: expected HOST:PORT, where workers find this host", address)
	}
	file := cmp.Or(o.out, name+".invitation")
	if err := ring.Invite(name, address, file); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s lets worker %s connect to %s. On its machine: thera worker %s\n",
		file, name, address, shellquote.Join(file))
	return nil
}
