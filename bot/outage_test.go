package bot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func TestOutage(t *testing.T) {
	t.Parallel()
	t.Run("a game goes on after a lost connection", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.sim.Gateway().Reset()
		w.wait("the bot is offline", func(s *discordsim.Server) bool { return !s.BotOnline() })
		w.wait("the bot is back", (*discordsim.Server).BotOnline)
		w.says(w.moved(w.ann, board, "c3", "d4"), "1. c3-d4")
	})
	t.Run("the error names a damaged file, without a panic, and leaves it as it is", func(t *testing.T) {
		t.Parallel()
		_, api := newSim(t, discordsim.Options{})
		dir := t.TempDir()
		path := filepath.Join(dir, "games.db")
		rubbish := bytes.Repeat([]byte("not a file of games "), 1000)
		if err := os.WriteFile(path, rubbish, 0o600); err != nil {
			t.Fatal(err)
		}
		bot := startBot(t, api, dir)
		_ = bot.cmd.Wait()
		text := printed(dir)
		if bot.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(text, path) || strings.Contains(text, "goroutine") {
			t.Errorf("the bot ended with %v and printed\n%s", bot.cmd.ProcessState, text)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, rubbish) {
			t.Errorf("the file has changed (%v)", err)
		}
	})
}

// fullDisk is a store on a disk that a test can fill.
type fullDisk struct {
	storage.Store
	full atomic.Bool
}

func (f *fullDisk) err() error {
	if f.full.Load() {
		return fmt.Errorf("%w: %w", storage.ErrNotWritten, syscall.ENOSPC)
	}
	return nil
}

func (f *fullDisk) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	if err := f.err(); err != nil {
		return err
	}
	return f.Store.Create(ctx, r, on...)
}

func (f *fullDisk) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	if err := f.err(); err != nil {
		return err
	}
	return f.Store.Save(ctx, m, prev, on...)
}

func (f *fullDisk) Shown(ctx context.Context, id match.ID, s storage.Screen) error {
	if err := f.err(); err != nil {
		return err
	}
	return f.Store.Shown(ctx, id, s)
}

func (f *fullDisk) SaveState(ctx context.Context, key string, v []byte, on ...storage.Basis) error {
	if err := f.err(); err != nil {
		return err
	}
	return f.Store.SaveState(ctx, key, v, on...)
}

func TestAFullDiskIsReportedAndLosesNothing(t *testing.T) {
	w := newWorld(t)
	w.stop()
	disk := &fullDisk{Store: w.store}
	w.store = disk
	w.start()
	board := w.duel()
	board = w.click(w.ann, board, "c3")
	if err := w.bot.Ready(w.ctx); err != nil {
		t.Errorf("not ready: %v", err)
	}
	disk.full.Store(true)
	m := w.click(w.ann, board, "d4")
	w.says(m, "I cannot save anything right now")
	w.private(w.ann, m)
	w.says(w.typed(w.ben, "/lasca play level:1 colour:white"), "nichts speichern")
	if n := w.moveCount(w.ann); n != 0 {
		t.Errorf("%d moves are stored", n)
	}
	w.says(w.typed(w.ann, "/lasca games"), "Ben") // reading still works
	if err := w.bot.Ready(w.ctx); !errors.Is(err, storage.ErrNotWritten) {
		t.Errorf("ready with a full disk: %v", err)
	}
	disk.full.Store(false)
	if err := w.bot.Ready(w.ctx); err != nil {
		t.Errorf("not ready although there is room again: %v", err)
	}
	w.says(w.click(w.ann, board, "d4"), "move 1")
	if n := w.moveCount(w.ann); n != 1 {
		t.Errorf("%d moves are stored", n)
	}
}
