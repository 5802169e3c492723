// Command pagepng takes pictures of pages with Chromium.
//
//	pagepng [-width 1300] [-height 1150] [-dark] [-full] [-wait SELECTOR] URL FILE [URL FILE]…
//
// A page is ready when the selector matches something in it. With -full the picture
// has the whole page.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

func main() {
	width := flag.Int64("width", 1300, "of the window, in pixels")
	height := flag.Int64("height", 1150, "of the window, in pixels")
	dark := flag.Bool("dark", false, "a dark page")
	full := flag.Bool("full", false, "the whole page")
	wait := flag.String("wait", "main", "what must be there")
	flag.Parse()
	if err := run(*width, *height, *dark, *full, *wait, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pagepng:", err)
		os.Exit(1)
	}
}

func run(width, height int64, dark, full bool, wait string, args []string) error {
	if len(args) == 0 || len(args)%2 != 0 {
		return fmt.Errorf("want URL FILE, got %q", args)
	}
	options := []chromedp.ExecAllocatorOption{chromedp.WSURLReadTimeout(time.Minute)}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // chromium refuses to be root otherwise
	}
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	ctx, cancel := chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(options...))
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		return err
	}
	scheme := map[bool]string{false: "light", true: "dark"}[dark]
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}); err != nil {
		return err
	}
	for i := 0; i < len(args); i += 2 {
		picture := chromedp.CaptureScreenshot()
		if full {
			picture = chromedp.FullScreenshot(100)
		}
		if err := chromedp.Do(ctx, chromedp.Navigate(args[i]), chromedp.WaitVisible(chromedp.CSS(wait))); err != nil {
			return fmt.Errorf("%s: %w", args[i], err)
		}
		png, err := chromedp.Run(ctx, picture)
		if err != nil {
			return fmt.Errorf("%s: %w", args[i], err)
		}
		if err := os.WriteFile(args[i+1], png, 0o644); err != nil {
			return err
		}
	}
	return nil
}
