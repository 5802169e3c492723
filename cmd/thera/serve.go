package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"thera/arena/store"
	"thera/arena/web"
)

// defaultListen is where pages are served without an address.
const defaultListen = "127.0.0.1:8080"

// serveCommand shows stored runs in a browser.
func serveCommand() *cobra.Command {
	var path string
	o := serveOptions{listen: defaultListen}
	cmd := &cobra.Command{
		Use:   "serve [ADDRESS]",
		Short: "Show stored runs as pages in a browser",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.listen = args[0]
			}
			return withStore(cmd, path, func(ctx context.Context, db *store.Store) error {
				pages, link, err := o.open(ctx, db, nil, cmd.ErrOrStderr())
				if err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), link)
				<-ctx.Done()
				return pages.Close()
			})
		},
	}
	dbFlag(cmd, &path)
	o.flags(cmd)
	return cmd
}

// serveOptions are where pages are served, and to whom.
type serveOptions struct {
	listen string
	hosts  []string
}

func (o *serveOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&o.hosts, "host", nil,
		"a `NAME` of this server, besides addresses and localhost (repeatable)")
}

// joined are args with the address after --serve joined to the flag, which may also stand
// alone.
func joined(args []string) []string {
	at := slices.Index(args, "--serve") + 1
	if at == 0 || at == len(args) {
		return args
	}
	_, port, err := net.SplitHostPort(args[at])
	if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil {
		return args
	}
	return slices.Concat(args[:at-1], []string{"--serve=" + args[at]}, args[at+1:])
}

// open begins to serve db, with the run that this program plays unless live is nil. It
// returns the link to open.
func (o *serveOptions) open(
	ctx context.Context, db *store.Store, live *web.Live, errOut io.Writer,
) (*web.Server, string, error) {
	pages := web.New(web.Options{
		Store: db, Game: gameOfRun, Token: os.Getenv("THERA_TOKEN"), Hosts: o.hosts, Live: live,
		Log: slog.New(slog.NewTextHandler(errOut, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	link, err := pages.Listen(ctx, o.listen)
	return pages, link, err
}

// during serves the run that do plays, if --serve asks for it. When the run ends, its page
// stays up until the program is interrupted.
func (o *serveOptions) during(ctx context.Context, db *store.Store, errOut io.Writer, do func(*web.Live) error) error {
	if o.listen == "" {
		return do(nil)
	}
	live := web.NewLive()
	pages, link, err := o.open(ctx, db, live, errOut)
	if err != nil {
		return err
	}
	fmt.Fprintf(errOut, "watch it at %s\n", link)
	err = do(live)
	if status, known := errors.AsType[*exitError](err); (err == nil || known) && ctx.Err() == nil {
		if known && status.err != nil {
			complain(errOut, status.err)
			err = &exitError{code: status.code}
		}
		tell(errOut, "the run is over; its page stays up at %s until Ctrl-C", link)
		<-ctx.Done()
	}
	return errors.Join(err, pages.Close())
}
