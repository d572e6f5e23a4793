package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot"
	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
)

// doctorTime limits how long doctor waits for Discord.
const doctorTime = 45 * time.Second

// leastSpace is how much disk space should be free besides room for one more
// copy, in bytes.
const leastSpace = 100 << 20

// maxSkew is how far the clocks of two machines may be apart without a note.
const maxSkew = time.Second

// errUnwell says that doctor found a problem.
var errUnwell = errors.New("something is wrong; see above")

var doctorCommand = cli.Command{
	Name: "doctor", Short: "tests everything that run needs and says what is wrong",
	Setup: func(f *cli.Flags) cli.Action {
		set := config.DoctorFlags(f)
		return func(ctx context.Context, c *cli.Call) error { return doctor(ctx, set, c.Out) }
	},
}

// doctor tests everything that run needs and prints what it finds.
func doctor(ctx context.Context, c *config.Doctor, out io.Writer) error {
	var list []bot.Finding
	for _, w := range c.Warnings {
		list = append(list, bot.Finding{Subject: "token", Verdict: bot.Note, Text: w})
	}
	asking, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	list = append(list, bot.Diagnose(asking, bot.Options{Token: c.Discord.Token.Reveal(), API: c.Discord.APIURL, Log: quiet()})...)
	if c.Store.IsZero() {
		list = append(list, examineStore(ctx, c, time.Now())...)
	} else {
		list = append(list, examineDatabase(ctx, c.Store)...)
	}
	wrong := 0
	for _, f := range list {
		if f.Verdict == bot.Wrong {
			wrong++
		}
		fmt.Fprintf(out, "%-5s  %s: %s\n", f.Verdict, f.Subject, f.Text)
	}
	if wrong > 0 {
		return errUnwell
	}
	return ctx.Err()
}

// examineStore tests the file of games, its folder and its copies.
func examineStore(ctx context.Context, c *config.Doctor, now time.Time) (list []bot.Finding) {
	found := func(subject string, v bot.Verdict, format string, args ...any) {
		list = append(list, bot.Finding{Subject: subject, Verdict: v, Text: fmt.Sprintf(format, args...)})
	}
	size := int64(0)
	running := answers(c.Data)
	switch err := boltstore.Verify(ctx, c.Data); {
	case running && !errors.Is(err, storage.ErrInUse):
		found("games", bot.Wrong, "the bot that runs has another file open than the one that is now at %s; stop it, and look for a rescue copy", c.Data)
	case err == nil:
		found("games", bot.Good, "%s is sound", c.Data)
	case errors.Is(err, fs.ErrNotExist):
		found("games", bot.Note, "there is no file %s yet; \"lascabot run\" creates it", c.Data)
	case errors.Is(err, storage.ErrInUse):
		running = true
		found("games", bot.Note, `%s is in use: the bot is running; "lascabot check" can read it anyway`, c.Data)
	case errors.Is(err, storage.ErrDamaged), errors.Is(err, storage.ErrBroken):
		found("games", bot.Wrong, `%s; "lascabot check" says more, "lascabot restore" puts a copy in its place`, firstLine(err))
	default:
		found("games", bot.Wrong, "%s", firstLine(err))
	}
	if info, err := os.Stat(c.Data); err == nil {
		size = info.Size()
	}

	folder := filepath.Dir(c.Data)
	if err := writable(folder); err != nil {
		found("disk", bot.Wrong, "cannot write into %s: %v; free some space, or give the folder to the user that runs the bot", folder, err)
	} else if free, ok := freeSpace(folder); !ok {
		found("disk", bot.Good, "%s is writable", folder)
	} else if need := uint64(size) + leastSpace; free < need {
		found("disk", bot.Wrong, "%s has %d MB of free space but should have %d: free some", folder, free>>20, need>>20)
	} else {
		found("disk", bot.Good, "%s is writable and has %d MB of free space", folder, free>>20)
	}

	if rescued, err := boltstore.Rescued(c.Data); err == nil && len(rescued) > 0 {
		found("games", bot.Wrong, "the bot will not start: %s is a rescue copy; restore it or move it elsewhere", rescued[len(rescued)-1])
	}

	copies, err := boltstore.Copies{Of: c.Data, Folder: c.Copies}.List()
	all := len(copies)
	copies = slices.DeleteFunc(copies, func(one boltstore.Copy) bool { return one.At.After(now) })
	if ahead := all - len(copies); ahead > 0 {
		found("copies", bot.Note, "%d in %s are dated in the future: a clock was ahead; the bot sets them aside", ahead, c.Copies)
	}
	switch {
	case err != nil:
		found("copies", bot.Wrong, "%v", err)
	case len(copies) == 0:
		found("copies", bot.Note, "%s holds no copy yet; the bot makes the first one when it starts", c.Copies)
	case running && now.Sub(copies[0].At) > 8*24*time.Hour:
		found("copies", bot.Note, "the newest one in %s is from %s; the log says why there is no newer one",
			c.Copies, copies[0].At.Format(time.DateOnly))
	default:
		found("copies", bot.Good, "%s holds %d, the newest from %s", c.Copies, len(copies), copies[0].At.Format(time.RFC3339))
	}
	return list
}

// writable writes a small file into a folder and removes it.
func writable(folder string) error {
	f, err := os.CreateTemp(folder, ".lascabot-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}
