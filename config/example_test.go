package config_test

import (
	"fmt"
	"os"

	"github.com/lascabot/lascabot/config"
)

func ExampleTable() {
	fmt.Print(config.Table())
	// Output:
	// | Flag | Variable | Default | Of | Meaning |
	// |---|---|---|---|---|
	// |  | `LASCABOT_TOKEN` |  | `run`, `register`, `doctor` | the bot's token; there is no flag for it, since everybody on a machine can read the command lines |
	// | `-token-file FILE` | `LASCABOT_TOKEN_FILE` |  | `run`, `register`, `doctor` | a file that holds the bot's token, in place of LASCABOT_TOKEN |
	// | `-data FILE` | `LASCABOT_DATA` | `lascabot.db` | `run`, `backup`, `check`, `restore`, `games export`, `games import`, `doctor` | the file that holds the games; `lascabot run` makes it when there is none |
	// | `-backup-dir FOLDER` | `LASCABOT_BACKUP_DIR` |  | `run`, `restore`, `doctor` | the folder of the copies that the bot takes of its games; without it, that of the games with -backups at its end, such as lascabot.db-backups |
	// | `-backup-every DURATION` | `LASCABOT_BACKUP_EVERY` | `24h` | `run` | how often a copy is taken, such as 24h or 30m; 0 takes none |
	// | `-backup-keep N` | `LASCABOT_BACKUP_KEEP` | `7` | `run` | how many copies are kept; the oldest are removed |
	// | `-keep-finished DURATION` | `LASCABOT_KEEP_FINISHED` | `0` | `run` | how long games are kept after their end, such as 720h or 90d; 0 keeps them for ever |
	// | `-keep-removed DURATION` | `LASCABOT_KEEP_REMOVED` | `30d` | `run` | how long the games and settings of a server are kept after the bot was removed from it, such as 720h or 90d; 0 keeps them for ever |
	// | `-ops-addr HOST:PORT` | `LASCABOT_OPS_ADDR` |  | `run` | where /healthz, /readyz and /metrics are served; without a host, on this machine only; left out, nowhere |
	// | `-o FILE` | `LASCABOT_OUTPUT` |  | `games export` | the file to write, which must not exist; without it, the standard output |
	// | `-data FOLDER` | `LASCABOT_PLAYGROUND_DATA` | `playground-data` | `playground` | the folder that keeps the games and the channels; `-data ""` forgets them at the end |
	// | `-addr HOST:PORT` | `LASCABOT_ADDR` | `127.0.0.1:8080` | `playground` | where the page is served, on this machine only; port 0 takes a free one |
	// | `-open` | `LASCABOT_OPEN` | `false` | `playground` | open the page in the browser |
	// | `-discord-api-url URL` | `LASCABOT_DISCORD_API_URL` | `https://discord.com` | `run`, `register`, `doctor` | where Discord is, such as a simulator; http is for this machine only |
	// | `-workers N` | `LASCABOT_WORKERS` | `0` | `run`, `playground` | how many games the machine thinks about at a time; 0 is one less than there are processors |
	// | `-hash MB` | `LASCABOT_HASH` | `16` | `run`, `playground` | the memory that each of them remembers positions in, in megabytes |
	// | `-log-format FORMAT` | `LASCABOT_LOG_FORMAT` | `text` | `run`, `register`, `playground` | text or json |
	// | `-log-level LEVEL` | `LASCABOT_LOG_LEVEL` | `info` | `run`, `register`, `playground` | the least that is logged: debug, info, warn or error |
}

func ExampleLoadRun() {
	environment := map[string]string{"LASCABOT_TOKEN": "not-a-real-token", "LASCABOT_WORKERS": "4"}
	c, err := config.LoadRun([]string{"-workers", "2"}, func(name string) string { return environment[name] }, os.Stderr)
	fmt.Println(c.Machine.Workers, c.Discord.Token, err)

	_, err = config.LoadPlayground([]string{"-addr", ":8080"}, os.Getenv, os.Stderr)
	fmt.Println(err)
	// Output:
	// 2 [secret] <nil>
	// -addr: ":8080" can be reached from other machines, and the page lets everybody be anybody: give 127.0.0.1, [::1] or localhost as host
}
