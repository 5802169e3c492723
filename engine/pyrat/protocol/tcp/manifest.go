package tcp

import (
	"errors"
	"fmt"

	"github.com/BurntSushi/toml"
	"github.com/kballard/go-shellquote"

	"thera/engine/game"
)

// Manifest is the file in a bot's folder that says how the bot starts.
const Manifest = "bot.toml"

// ReadManifest reads it. Its agent_id is for hosts without ids of their own.
func ReadManifest(text []byte) (game.Package, error) {
	var bot struct {
		Settings struct {
			Name    string `toml:"name"`
			Command string `toml:"run_command"`
		}
	}
	if err := toml.Unmarshal(text, &bot); err != nil {
		return game.Package{}, err
	}
	words, err := shellquote.Split(bot.Settings.Command)
	if err == nil && len(words) == 0 {
		err = errors.New("no command")
	}
	if err != nil {
		return game.Package{}, fmt.Errorf("settings.run_command: %w", err)
	}
	return game.Package{Name: bot.Settings.Name, Command: words, Protocol: NewDialect().Name()}, nil
}
