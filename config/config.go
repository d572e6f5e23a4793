package config

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"time"

	"github.com/lascabot/lascabot/config/cli"
)

// Log says how to log.
type Log struct {
	JSON  bool // lines of JSON instead of text
	Level slog.Level
}

// Logger returns a logger that writes to w.
func (l Log) Logger(w io.Writer) *slog.Logger {
	opt := &slog.HandlerOptions{Level: l.Level}
	if l.JSON {
		return slog.New(slog.NewJSONHandler(w, opt))
	}
	return slog.New(slog.NewTextHandler(w, opt))
}

// Discord says how to reach Discord.
type Discord struct {
	Token  Secret
	APIURL string // scheme, host and perhaps port, without a slash at the end
}

// Machine says what the machine opponent may use.
type Machine struct {
	Workers   int // searches at a time, at least 1
	HashBytes int // of each worker's table
}

// Copies says how the bot copies its file of games.
type Copies struct {
	Folder string
	Every  time.Duration // 0 for never
	Keep   int           // at least 1
}

// Run holds the settings of "lascabot run".
type Run struct {
	Data         string // the file of games
	Copies       Copies
	KeepFinished time.Duration // how long finished games are kept, 0 for forever
	KeepRemoved  time.Duration // how long the data of a server is kept after the bot was removed, 0 for forever
	Shards       int           // connections to Discord, 0 for as many as it recommends
	Ops          string        // host and port of the operations page, "" for none
	Discord      Discord
	Machine      Machine
	Log          Log
	Warnings     []string // sentences for the log: what works but should be changed
}

// maxShards is far beyond what any bot of this kind needs.
const maxShards = 10_000

// RunFlags declares the settings of "lascabot run".
func RunFlags(f *cli.Flags) *Run {
	r := new(Run)
	discordFlags(f, &r.Discord, &r.Warnings)
	dataFlag(f, &r.Data)
	copiesFlag(f, &r.Copies.Folder, &r.Data)
	f.Setting("backup-every", "LASCABOT_BACKUP_EVERY", "24h",
		"copy the games after every `DURATION`, such as 24h or 30m; 0 makes no copies",
		duration(&r.Copies.Every, time.Minute))
	f.Setting("backup-keep", "LASCABOT_BACKUP_KEEP", "7",
		"keep `N` copies; the oldest ones are removed",
		number(&r.Copies.Keep, 1, 1000))
	f.Setting("keep-finished", "LASCABOT_KEEP_FINISHED", "0",
		"keep games for a `DURATION` after they end, such as 720h or 90d; 0 keeps them forever",
		duration(&r.KeepFinished, time.Hour))
	f.Setting("keep-removed", "LASCABOT_KEEP_REMOVED", "30d",
		"keep a server's games and settings for a `DURATION` after the bot was removed from it, such as 720h or 90d; 0 keeps them forever",
		duration(&r.KeepRemoved, 24*time.Hour))
	f.Setting("shards", "LASCABOT_SHARDS", "auto",
		"divide the bot's servers among `N` connections, of 2,500 servers at most each; auto takes as many as Discord recommends",
		func(text string) error {
			if text == "auto" {
				r.Shards = 0
				return nil
			}
			if err := number(&r.Shards, 1, maxShards)(text); err != nil {
				return fmt.Errorf("%w, nor auto", err)
			}
			return nil
		})
	f.Setting("ops-addr", "LASCABOT_OPS_ADDR", "",
		"serve /healthz, /readyz and /metrics at `HOST:PORT`; without a host, on this machine only; unset, nowhere",
		func(text string) (err error) {
			r.Ops, err = opsAddr(text)
			if host, _, _ := net.SplitHostPort(r.Ops); err == nil && r.Ops != "" && !IsLoopback(host) {
				r.Warnings = append(r.Warnings,
					fmt.Sprintf("other machines can reach the operations page at %s: it shows the bot's state, but no games", r.Ops))
			}
			return err
		})
	machineFlags(f, &r.Machine)
	logFlags(f, &r.Log)
	return r
}

// Store holds the settings of the commands that look after the file of games:
// "lascabot backup", "check", "restore", "games export" and "games import".
type Store struct {
	Data   string // the file of games
	Copies string // the folder of copies; only for "restore"
	Output string // the file to write, "" for standard output; only for "games export"
}

// StoreFlags declares the settings of "lascabot backup", "check" and "games
// import".
func StoreFlags(f *cli.Flags) *Store {
	s := new(Store)
	dataFlag(f, &s.Data)
	return s
}

// RestoreFlags declares the settings of "lascabot restore".
func RestoreFlags(f *cli.Flags) *Store {
	s := StoreFlags(f)
	copiesFlag(f, &s.Copies, &s.Data)
	return s
}

// ExportFlags declares the settings of "lascabot games export".
func ExportFlags(f *cli.Flags) *Store {
	s := StoreFlags(f)
	f.Setting("o", "LASCABOT_OUTPUT", "",
		"write to `FILE`, which must not exist; unset or -, to standard output", text(&s.Output))
	return s
}

// Doctor holds the settings of "lascabot doctor".
type Doctor struct {
	Data     string // the file of games
	Copies   string // the folder of copies
	Discord  Discord
	Warnings []string // as in Run
}

// DoctorFlags declares the settings of "lascabot doctor".
func DoctorFlags(f *cli.Flags) *Doctor {
	d := new(Doctor)
	discordFlags(f, &d.Discord, &d.Warnings)
	dataFlag(f, &d.Data)
	copiesFlag(f, &d.Copies, &d.Data)
	return d
}

// Register holds the settings of "lascabot register".
type Register struct {
	Discord  Discord
	Log      Log
	Warnings []string // as in Run
}

// RegisterFlags declares the settings of "lascabot register".
func RegisterFlags(f *cli.Flags) *Register {
	r := new(Register)
	discordFlags(f, &r.Discord, &r.Warnings)
	logFlags(f, &r.Log)
	return r
}

// Playground holds the settings of the playground.
type Playground struct {
	Addr    string // host and port to listen on; the host is this machine
	Data    string // a folder, "" to keep nothing
	Open    bool   // open the browser
	Machine Machine
	Log     Log
}

// PlaygroundFlags declares the settings of the playground.
func PlaygroundFlags(f *cli.Flags) *Playground {
	p := new(Playground)
	// Not LASCABOT_DATA: that is the file of the bot's games.
	f.Setting("data", "LASCABOT_PLAYGROUND_DATA", "playground-data",
		"keep games and channels in `FOLDER`; with -data \"\" they are gone when the playground ends", text(&p.Data))
	f.Setting("addr", "LASCABOT_ADDR", "127.0.0.1:8080",
		"serve the page at `HOST:PORT`, on this machine only; port 0 takes a free one",
		func(text string) error {
			p.Addr = text
			return checkLoopback(text)
		})
	f.Switch("open", "LASCABOT_OPEN", "open the page in the browser", &p.Open)
	machineFlags(f, &p.Machine)
	logFlags(f, &p.Log)
	return p
}

// dataFlag declares the file of games.
func dataFlag(f *cli.Flags, to *string) {
	f.Setting("data", "LASCABOT_DATA", "lascabot.db",
		"the `FILE` that holds the games; \"lascabot run\" creates it if it does not exist",
		func(text string) error {
			if *to = text; text == "" {
				return errors.New("it is empty: give the name of a file")
			}
			return nil
		})
}

// copiesFlag declares the folder of copies of the file of games.
func copiesFlag(f *cli.Flags, to, data *string) {
	f.Setting("backup-dir", "LASCABOT_BACKUP_DIR", "",
		"the `FOLDER` of the bot's own copies of the games; unset, the file of games with -backups appended, such as lascabot.db-backups",
		text(to))
	f.Check(func() error {
		if *to == "" {
			*to = *data + "-backups"
		}
		return nil
	})
}

// discordFlags declares the token and where Discord is. A token is required.
func discordFlags(f *cli.Flags, to *Discord, warnings *[]string) {
	tokenFlags(f, &to.Token, warnings)
	f.Setting("discord-api-url", "LASCABOT_DISCORD_API_URL", "https://discord.com",
		"the `URL` of Discord, or of a simulator; http is allowed for this machine only",
		func(text string) (err error) {
			to.APIURL, err = checkAPIURL(text)
			return err
		})
}

// machineFlags declares what the machine opponent may use.
func machineFlags(f *cli.Flags, to *Machine) {
	f.Setting("workers", "LASCABOT_WORKERS", "0",
		"run `N` workers: the machine thinks about that many games at a time; 0 is one less than there are processors",
		number(&to.Workers, 0, 256))
	hash := 0
	f.Setting("hash", "LASCABOT_HASH", "16",
		"use `MB` megabytes per worker to remember positions",
		number(&hash, 1, 1024))
	f.Check(func() error {
		to.HashBytes = hash << 20
		if to.Workers == 0 {
			// One processor stays free for the gateway's heartbeats.
			to.Workers = max(1, runtime.GOMAXPROCS(0)-1)
		}
		return nil
	})
}

// logFlags declares how to log.
func logFlags(f *cli.Flags, to *Log) {
	f.Setting("log-format", "LASCABOT_LOG_FORMAT", "text", "the `FORMAT` of the log: text or json",
		func(text string) error {
			if to.JSON = text == "json"; !to.JSON && text != "text" {
				return fmt.Errorf("%s is not a format: choose text or json", cli.Quote(text))
			}
			return nil
		})
	f.Setting("log-level", "LASCABOT_LOG_LEVEL", "info", "the lowest `LEVEL` that is logged: debug, info, warn or error",
		func(text string) error { return level(text, &to.Level) })
}
