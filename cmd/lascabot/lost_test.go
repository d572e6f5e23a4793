//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/storagetest"
)

// shortFolder makes a folder whose path is short enough for a socket in it.
func shortFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "lasca")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// exits waits until a process has ended with a status.
func exits(t *testing.T, cmd interface{ Wait() error }, status func() int, want int) {
	t.Helper()
	_ = cmd.Wait()
	if got := status(); got != want {
		t.Errorf("exit status %d, want %d", got, want)
	}
}

// recorded waits until a running bot has stored that somebody's only game is shown, the
// last thing it writes after a press.
func recorded(t *testing.T, data string, who *discordsim.Actor) {
	t.Helper()
	folder := t.TempDir()
	for i := 0; ; i++ {
		copied := filepath.Join(folder, fmt.Sprint(i, ".db"))
		succeeds(t, "backup", copied, "-data", data)
		s, err := boltstore.Open(copied, boltstore.Options{ReadOnly: true, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		games, err := s.ListByUser(t.Context(), match.UserID(who.ID()), 2)
		if err := errors.Join(err, s.Close()); err != nil || len(games) != 1 {
			t.Fatalf("%d games, %v", len(games), err)
		}
		if g := games[0]; g.Screen.Version == g.Match.Version {
			return
		}
	}
}

// TestTheFileIsDeletedUnderARunningBot tells its whole story: what people read, that no
// second bot starts beside it, and that nothing is lost.
func TestTheFileIsDeletedUnderARunningBot(t *testing.T) {
	ctx := within(t, time.Minute)
	sim, url, channel, ann := discord(t)
	data := filepath.Join(shortFolder(t), "games.db")
	cmd, log := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Type(ctx, channel, "/lasca play level:1 colour:white"); err != nil {
		t.Fatal(err)
	}
	recorded(t, data, ann)
	if err := os.Remove(data); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	succeeds(t, "backup", copied, "-data", data)
	if out := succeeds(t, "check", "-data", copied); !strings.Contains(out, "running games: 1") {
		t.Errorf("the copy is not of the games that are played: %s", out)
	}
	code, _, stderr := calledWith(t, testToken, "run", "-data", data, "-discord-api-url", url)
	if code != cli.ExitFailed && code != exitDamaged || !strings.Contains(stderr, data) {
		t.Errorf("a second bot: exit status %d\n%s", code, stderr)
	}
	if _, err := os.Stat(data); err == nil {
		t.Error("a second bot has made a new file")
	}

	reply, err := ann.Type(ctx, channel, "/lasca play level:1 colour:black")
	if err == nil {
		m, _ := sim.Message(ann.ID(), channel, reply.MessageID)
		if m.EphemeralFor == "" || !strings.Contains(m.Content, "deleted or replaced") {
			t.Errorf("Ann reads %q", m.Content)
		}
	} else if err := sim.WaitFor(ctx, func(s *discordsim.Server) bool { return !s.BotOnline() }); err != nil {
		t.Errorf("the bot neither answers nor stops: %v", err)
	}
	exits(t, cmd, func() int { return cmd.ProcessState.ExitCode() }, exitDamaged)
	rescued, err := boltstore.Rescued(data)
	if err != nil || len(rescued) != 1 {
		t.Fatalf("rescue copies %v, %v", rescued, err)
	}
	for _, says := range []string{"level=ERROR", "deleted or replaced", rescued[0], "lascabot restore"} {
		if !strings.Contains(log.String(), says) {
			t.Errorf("the log does not say %q", says)
		}
	}

	// A service manager that starts it again does no harm.
	code, _, stderr = calledWith(t, testToken, "run", "-data", data, "-discord-api-url", url)
	if code != exitDamaged || !strings.Contains(stderr, "lascabot restore "+rescued[0]) || strings.Contains(strings.TrimSpace(stderr), "\n") {
		t.Errorf("a start without the file: exit status %d\n%s", code, stderr)
	}
	succeeds(t, "restore", rescued[0], "-data", data)
	if out := succeeds(t, "check", "-data", data); !strings.Contains(out, "running games: 1") {
		t.Errorf("after the restore: %s", out)
	}
	lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
}

// TestAStopAfterTheFileWasDeletedLosesNothing stops the bot before it has noticed.
func TestAStopAfterTheFileWasDeletedLosesNothing(t *testing.T) {
	ctx := within(t, time.Minute)
	sim, url, channel, ann := discord(t)
	data := filepath.Join(shortFolder(t), "games.db")
	cmd, _ := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Type(ctx, channel, "/lasca play level:1 colour:white"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(data), cmd.Process.Signal(os.Interrupt)); err != nil {
		t.Fatal(err)
	}
	exits(t, cmd, func() int { return cmd.ProcessState.ExitCode() }, exitDamaged)
	rescued, err := boltstore.Rescued(data)
	if err != nil || len(rescued) != 1 {
		t.Fatalf("rescue copies %v, %v", rescued, err)
	}
	if out := succeeds(t, "check", "-data", rescued[0]); !strings.Contains(out, "running games: 1") {
		t.Error(out)
	}
}

// TestTheFileIsBrokenUnderARunningBot cuts the file. The sentence does not say that
// other games are not affected.
func TestTheFileIsBrokenUnderARunningBot(t *testing.T) {
	for name, size := range map[string]int64{"cut to nothing": 0, "cut to its first pages": 2 * int64(os.Getpagesize())} {
		t.Run(name, func(t *testing.T) {
			ctx := within(t, time.Minute)
			sim, url, channel, ann := discord(t)
			data := filepath.Join(shortFolder(t), "games.db")
			cmd, log := lascabot(t, testToken, "run", "-data", data, "-discord-api-url", url)
			if err := sim.WaitFor(ctx, online); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(data, size); err != nil {
				t.Fatal(err)
			}
			if reply, err := ann.Type(ctx, channel, "/lasca play level:1 colour:white"); err == nil {
				m, _ := sim.Message(ann.ID(), channel, reply.MessageID)
				if m.EphemeralFor == "" || !strings.Contains(m.Content, "My file of games is damaged") {
					t.Errorf("Ann reads %q", m.Content)
				}
			}
			exits(t, cmd, func() int { return cmd.ProcessState.ExitCode() }, exitDamaged)
			if !strings.Contains(log.String(), "the file of games is damaged") || strings.Contains(log.String(), "goroutine ") {
				t.Errorf("the log:\n%s", log)
			}
		})
	}
}

// TestAwait checks that a bot that does not stop does not keep the process, and that
// the store's failure counts.
func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		quiet := slog.New(slog.DiscardHandler)
		done, failed := make(chan error, 1), make(chan error, 1)
		failed <- storage.ErrBroken
		begin := time.Now()
		if err := await(done, failed, quiet); !errors.Is(err, storage.ErrBroken) || program.Status(err) != exitDamaged {
			t.Errorf("a bot that hangs: %v", err)
		}
		if took := time.Since(begin); took > stopTime {
			t.Errorf("it took %v", took)
		}
		failed <- storage.ErrReplaced
		done <- nil
		if err := await(done, failed, quiet); !errors.Is(err, storage.ErrReplaced) || program.Status(err) != exitDamaged {
			t.Errorf("a bot that was stopping: %v", err)
		}
	})
}

// pipes is a listener that its dial method connects to, in memory.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }
func (p *pipes) dial() net.Conn { a, b := net.Pipe(); p.conns <- a; return b }

// TestACommandThatDoesNotTakeItsCopyIsCutOff asks for a copy and then reads nothing, or
// does not even ask. Meanwhile games are stored, and the file grows.
func TestACommandThatDoesNotTakeItsCopyIsCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games.db")
	synctest.Test(t, func(t *testing.T) {
		quiet := slog.New(slog.DiscardHandler)
		s, err := boltstore.Open(path, boltstore.Options{Log: quiet})
		if err != nil {
			t.Fatal(err)
		}
		fill := func() {
			for i := range 60 {
				r := storagetest.Challenge(t, match.ID(fmt.Sprint(time.Now().UnixNano(), i)), i)
				if err := errors.Join(s.Create(t.Context(), r), s.SaveState(t.Context(), string(r.Match.ID), make([]byte, storage.MaxState))); err != nil {
					t.Fatal(err)
				}
			}
		}
		fill()
		l := &pipes{conns: make(chan net.Conn, 1), done: make(chan struct{})}
		c := serveControl(t.Context(), l, s, nil, quiet)
		for name, ask := range map[string]string{"reads nothing": "GET /copy HTTP/1.1\r\nHost: lascabot\r\n\r\n", "asks nothing": "GET /co"} {
			conn := l.dial()
			if _, err := io.WriteString(conn, ask); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			time.Sleep(time.Second) // on the bubble's clock
			fill()
			time.Sleep(2 * writePatience)
			if took := time.Since(begin) - time.Second - 2*writePatience; took > 0 {
				t.Errorf("%s: the store waited %v", name, took)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if took := time.Since(begin); took > time.Second+2*writePatience {
				t.Errorf("%s: it was cut off after %v", name, took)
			}
		}
		c.close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestABotThatDoesNotAnswerKeepsNobody asks a bot that accepts and says nothing.
func TestABotThatDoesNotAnswerKeepsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		defer b.Close()
		begin := time.Now()
		go io.Copy(io.Discard, b)
		if _, err := (patient{a}).Write([]byte("x")); err != nil {
			t.Error(err)
		}
		if _, err := (patient{a}).Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(begin); took > readPatience {
			t.Errorf("it took %v", took)
		}
		a.Close()
	})
}

// TestLookingLeavesTheFileAlone runs every command that only looks.
func TestLookingLeavesTheFileAlone(t *testing.T) {
	data := fileOf(t)
	before, err := os.ReadFile(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(data, 0o400); err != nil {
		t.Fatal(err)
	}
	succeeds(t, "check", "-data", data)
	succeeds(t, "backup", filepath.Join(t.TempDir(), "copy.db"), "-data", data)
	succeeds(t, "games", "export", "-data", data)
	succeeds(t, "restore", data, "-data", filepath.Join(t.TempDir(), "other.db"))
	if now, err := os.ReadFile(data); err != nil || !bytes.Equal(now, before) {
		t.Errorf("the file has changed, %v", err)
	}
	if list, err := os.ReadDir(filepath.Dir(data)); err != nil || len(list) != 1 {
		t.Errorf("left beside it: %v, %v", list, err)
	}
}

// TestWhatIsNoFileOfGamesIsNamed has a folder, a device, a pipe, and a link that leads
// nowhere in place of the file.
func TestWhatIsNoFileOfGamesIsNamed(t *testing.T) {
	folder := t.TempDir()
	link, pipe := filepath.Join(folder, "link.db"), filepath.Join(folder, "pipe.db")
	if err := errors.Join(os.Symlink(filepath.Join(folder, "away", "games.db"), link), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	for data, says := range map[string]string{
		t.TempDir(): "this is a folder", "/dev/zero": "a device", pipe: "a pipe", link: "does not exist: is a disk missing?",
	} {
		for _, args := range [][]string{
			{"check"}, {"backup", filepath.Join(t.TempDir(), "copy.db")}, {"games", "export"}, {"restore", fileOf(t)},
			{"run", "-discord-api-url", "http://127.0.0.1:1"},
		} {
			code, stdout, stderr := calledWith(t, testToken, append(args, "-data", data)...)
			if code != cli.ExitFailed || !strings.Contains(stderr, data) || !strings.Contains(stderr, says) || strings.Contains(stderr, `with "lascabot restore"`) {
				t.Errorf("%v with %s: exit status %d\n%s%s", args, data, code, stdout, stderr)
			}
		}
		if _, err := os.Lstat(data); err != nil {
			t.Errorf("%s was moved: %v", data, err)
		}
	}
}

// TestRestoreOfAnEndlessFileEnds gives restore things that have no end, or one that is
// far away.
func TestRestoreOfAnEndlessFileEnds(t *testing.T) {
	data := fileOf(t)
	pipe, huge, long := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "huge"), filepath.Join(t.TempDir(), "long")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(huge, nil, 0o600), os.Truncate(huge, 1<<40)); err != nil {
		t.Fatal(err)
	}
	for from, says := range map[string]string{
		"/dev/zero": "a device", "/dev/urandom": "a device", pipe: "a pipe", huge: "not those of a file of games", filepath.Dir(pipe): "this is a folder",
	} {
		code, stdout, stderr := called(t, "restore", from, "-data", data)
		if code == cli.ExitDone || !strings.Contains(stderr, from) || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit status %d\n%s%s", from, code, stdout, stderr)
		}
	}
	// A copy with something endless behind it is a copy.
	succeeds(t, "backup", long, "-data", data)
	if err := os.Truncate(long, 1<<40); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	succeeds(t, "restore", long, "-data", other)
	if info, err := os.Stat(other); err != nil || info.Size() > 1<<24 {
		t.Errorf("%d bytes, %v", info.Size(), err)
	}
	if list, err := os.ReadDir(filepath.Dir(data)); err != nil || len(list) != 1 {
		t.Errorf("left %v, %v", list, err)
	}
}

// TestRestoreWithoutANameLeavesOutCopiesFromTheFuture has a copy that a clock that was
// ahead has dated: nobody knows how old it is.
func TestRestoreWithoutANameLeavesOutCopiesFromTheFuture(t *testing.T) {
	data := fileOf(t)
	folder := data + "-backups"
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	ahead := "games-" + time.Now().AddDate(1, 0, 0).UTC().Format("20060102-150405") + ".db"
	for _, name := range []string{"games-20260301-120000.db", ahead} {
		succeeds(t, "backup", "-data", data, filepath.Join(folder, name))
	}
	code, stdout, stderr := called(t, "restore", "-data", data)
	if code != cli.ExitDone || !strings.Contains(stdout, "games-20260301-120000.db") || !strings.Contains(stderr, ahead) {
		t.Errorf("exit status %d\n%s%s", code, stdout, stderr)
	}
}
