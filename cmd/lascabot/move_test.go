package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lascabot/lascabot/config"
	"github.com/lascabot/lascabot/config/cli"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/boltstore"
	"github.com/lascabot/lascabot/storage/pgstore"
	"github.com/lascabot/lascabot/storage/pgstore/pgtest"
	"github.com/lascabot/lascabot/storage/storagetest"
	"github.com/lascabot/lascabot/storage/stored"
)

// routes are the ways of a move: the addresses of two stores, of which neither exists.
func routes(t *testing.T, f func(t *testing.T, from, to string)) {
	file := func(t *testing.T) string { return filepath.Join(t.TempDir(), "games.db") }
	t.Run("from a file to a file", func(t *testing.T) { f(t, file(t), file(t)) })
	t.Run("from a file to a database", func(t *testing.T) { f(t, file(t), pgtest.New(t)) })
	t.Run("from a database to a file", func(t *testing.T) { f(t, pgtest.New(t), file(t)) })
}

// opened opens a store that may not exist yet, until the end of the test or done.
func opened(t *testing.T, arg string) (g games, done func()) {
	t.Helper()
	set := &config.Store{Data: arg}
	if config.IsDatabase(arg) {
		set.Store = config.NewSecret(arg)
	}
	g, err := toWrite(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g, func() { g.Close() }
}

// openedToMove opens a store as a move does.
func openedToMove(t *testing.T, arg string) games {
	t.Helper()
	g, err := openToMove(t.Context(), arg, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// fill stores something of every kind.
func fill(t *testing.T, g games, n int) {
	t.Helper()
	ctx := t.Context()
	for i := range n {
		r := storagetest.Rated(t, match.ID(fmt.Sprint("rated", i)), i)
		for _, r := range []storage.Record{storagetest.Challenge(t, match.ID(fmt.Sprint("open", i)), i), storagetest.AgainstMachine(t, match.ID(fmt.Sprint("machine", i)), i, true), r} {
			if err := g.Create(ctx, r); err != nil {
				t.Fatal(err)
			}
		}
		u := r.Match.Seats[0].User
		prev, err := g.Rating(ctx, "g", u)
		if err != nil {
			t.Fatal(err)
		}
		next := storage.Rating{Value: 1500 + float64(i), Deviation: 50, Volatility: 0.06, Games: i + 1, Last: r.Match.Changed}
		if err := g.Rate(ctx, r.Match.ID, []storage.RatingChange{{Scope: "g", User: u, Prev: prev, Next: next}}, map[match.UserID]storage.Outcome{u: {Jump: i}}); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(g.SaveSettings(ctx, fmt.Sprint("user/", i), storage.Settings{Theme: "dark"}), g.SaveState(ctx, fmt.Sprint("note", i), []byte{0, byte(i)})); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEverythingMovesAndMovesBack: games, settings, notes, ratings and outcomes, to the
// byte; and no bot runs on what was left.
func TestEverythingMovesAndMovesBack(t *testing.T) {
	routes(t, func(t *testing.T, from, to string) {
		g, done := opened(t, from)
		fill(t, g, 40)
		count, sum, err := digest(t.Context(), g)
		if err != nil || count != 40*7-39 { // one rating
			t.Fatalf("%d values, %v", count, err)
		}
		done()
		out := succeeds(t, "move-store", from, to)
		if want := fmt.Sprintf("values moved or there already: %d, SHA-256 of both %x", count, sum); !strings.Contains(out, want) {
			t.Errorf("%q lacks %q", out, want)
		}
		g, done = opened(t, to)
		if n, s, err := digest(t.Context(), g); n != count || !bytes.Equal(s, sum) || err != nil {
			t.Errorf("%d values with %x, %v", n, s, err)
		}
		if err := g.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if list, total, err := g.Ranking(t.Context(), "g", 0, 5); total != 1 || len(list) != 1 || err != nil {
			t.Errorf("the ranking: %v, %d, %v", list, total, err)
		}
		if err := notMoved(t.Context(), g, to); err != nil {
			t.Errorf("no bot may run on what was filled: %v", err)
		}
		if err := g.Delete(t.Context(), "open0", 1); err != nil { // the bot goes on there
			t.Fatal(err)
		}
		if err := g.SaveState(t.Context(), "note1", []byte("later")); err != nil {
			t.Fatal(err)
		}
		added := storagetest.Challenge(t, "new", 99)
		if err := g.Create(t.Context(), added); err != nil {
			t.Fatal(err)
		}
		_, sum, err = digest(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		done()

		fails(t, cli.ExitFailed, "were moved to", "move-store", from, to)
		g, done = opened(t, from)
		if err := notMoved(t.Context(), g, from); !errors.Is(err, errMoved) {
			t.Errorf("a bot may run on what was left: %v", err)
		}
		done()
		succeeds(t, "move-store", to, from)
		g, _ = opened(t, from)
		if _, s, err := digest(t.Context(), g); !bytes.Equal(s, sum) || err != nil {
			t.Errorf("after the way back: %x, want %x (%v)", s, sum, err)
		}
		if err := errors.Join(notMoved(t.Context(), g, from), g.Check(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

// budget is how many writes are made before the process is killed.
type budget struct{ left int }

var errKilled = errors.New("killed")

func (b *budget) write(do func() error) error {
	if b.left--; b.left < 0 {
		return errKilled
	}
	return do()
}

// mortal is one side of a move, which shares its budget with the other.
type mortal struct {
	games
	*budget
}

func (m mortal) Replace(ctx context.Context, put, gone []stored.Value) error {
	return m.write(func() error { return m.games.Replace(ctx, put, gone) })
}

func (m mortal) SaveState(ctx context.Context, key string, value []byte, on ...storage.Basis) error {
	return m.write(func() error { return m.games.SaveState(ctx, key, value, on...) })
}

func (m mortal) Freeze(ctx context.Context) (func(context.Context, string, []byte) error, func(), error) {
	mark, release, err := m.games.Freeze(ctx)
	return func(ctx context.Context, key string, value []byte) error {
		return m.write(func() error { return mark(ctx, key, value) })
	}, release, err
}

// TestAKilledMoveGoesOn: at every step of it, at most one of the two stores can be served,
// that one has everything, and the same command finishes the move.
func TestAKilledMoveGoesOn(t *testing.T) {
	routes(t, func(t *testing.T, from, to string) {
		ctx := t.Context()
		first, done := opened(t, from)
		fill(t, first, 400) // more than one batch
		done()
		_, done = opened(t, to)
		done()
		a, b := openedToMove(t, from), openedToMove(t, to)
		whole, sum, err := digest(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			life := &budget{n}
			_, _, err := move(ctx, mortal{a, life}, mortal{b, life}, "from", "to")
			served := 0
			for _, s := range []games{a, b} {
				if notMoved(ctx, s, "") != nil {
					continue
				}
				count, _, err := digest(ctx, s)
				if count == 0 && err == nil {
					continue // before the first write it is as good as new
				}
				if served++; err != nil || count != whole {
					t.Fatalf("killed at write %d: a store with %d of %d values can be served (%v)", n, count, whole, err)
				}
			}
			if served > 1 {
				t.Fatalf("killed at write %d: both can be served", n)
			}
			if err == nil {
				if n < 3 || served != 1 {
					t.Errorf("%d writes, %d can be served", n, served)
				}
				break
			}
			if !errors.Is(err, errKilled) {
				t.Fatalf("killed at write %d: %v", n, err)
			}
		}
		if _, s, err := digest(ctx, b); !bytes.Equal(s, sum) || err != nil {
			t.Errorf("the hash is %x, want %x (%v)", s, sum, err)
		}
	})
}

// TestAMoveRefusesWhatWouldLoseGames says what to do instead.
func TestAMoveRefusesWhatWouldLoseGames(t *testing.T) {
	dir := t.TempDir()
	a, b, c := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db"), filepath.Join(dir, "c.db")
	for _, path := range []string{a, b} {
		g, done := opened(t, path)
		fill(t, g, 1)
		done()
	}
	fails(t, cli.ExitUsage, "the same", "move-store", a, filepath.Join(dir, ".", "a.db"))
	fails(t, cli.ExitUsage, "holds games already", "move-store", a, b)
	fails(t, cli.ExitFailed, "there is no file of games", "move-store", c, filepath.Join(dir, "d.db"))
	g, _ := opened(t, a)
	fails(t, cli.ExitFailed, "another process is using the file", "move-store", a, c)
	g.Close()
	succeeds(t, "move-store", a, c)
	fails(t, cli.ExitFailed, "were moved to "+c, "move-store", a, filepath.Join(dir, "e.db"))
	code, _, stderr := calledWith(t, testToken, "run", "-data", a, "-discord-api-url", "http://127.0.0.1:1")
	if code != cli.ExitFailed || !strings.Contains(stderr, "were moved to "+c) {
		t.Errorf("run on a store that was left: %d, %s", code, stderr)
	}
	text := filepath.Join(dir, "games.txt")
	succeeds(t, "games", "export", "-data", c, "-o", text)
	fails(t, cli.ExitFailed, "were moved to "+c, "games", "import", "-data", a, text)
	s, err := boltstore.Open(c, boltstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveState(t.Context(), stored.MovingNote, []byte("x")); err != nil {
		t.Fatal(err)
	}
	s.Close()
	code, _, stderr = calledWith(t, testToken, "run", "-data", c, "-discord-api-url", "http://127.0.0.1:1")
	if code != cli.ExitFailed || !strings.Contains(stderr, "is not finished") {
		t.Errorf("run on a store that is being filled: %d, %s", code, stderr)
	}
}

// TestAMoveNamesWhatIsDamaged and moves nothing then, in either direction.
func TestAMoveNamesWhatIsDamaged(t *testing.T) {
	url, file := pgtest.New(t), filepath.Join(t.TempDir(), "games.db")
	g, done := opened(t, url)
	fill(t, g, 3)
	done()
	pgtest.Execute(t, url, `update games set body = set_byte(body, length(body) - 3, get_byte(body, length(body) - 3) # 1) where id = 'open1'`)
	fails(t, exitDamaged, "open1", "move-store", url, file)
	code, _, stderr := calledWith(t, testToken, "run", "-data", file, "-discord-api-url", "http://127.0.0.1:1")
	if code != cli.ExitFailed || !strings.Contains(stderr, "is not finished") {
		t.Errorf("run on a store that lacks a game: %d, %s", code, stderr)
	}
	g, _ = opened(t, url)
	if err := notMoved(t.Context(), g, url); err != nil {
		t.Errorf("the bot must go on where the games are: %v", err)
	}
	if err := g.SaveState(t.Context(), "note1", []byte("goes on")); err != nil {
		t.Error(err)
	}
}

// TestAMoveRefusesADatabaseInUse, whether games are to leave it or to come, and says why.
func TestAMoveRefusesADatabaseInUse(t *testing.T) {
	url, file := pgtest.New(t), filepath.Join(t.TempDir(), "games.db")
	g, done := opened(t, url)
	fill(t, g, 1)
	fails(t, cli.ExitFailed, "stop every bot, worker and command", "move-store", url, file)
	other := filepath.Join(t.TempDir(), "other.db")
	_, closed := opened(t, other)
	closed()
	fails(t, cli.ExitFailed, "stop every bot, worker and command", "move-store", other, url)
	done()
	succeeds(t, "move-store", url, file)
	g, _ = opened(t, url)
	if err := g.SaveState(t.Context(), "note0", []byte("late")); !errors.Is(err, pgstore.ErrMoved) {
		t.Errorf("a process that has not heard of the move: %v", err)
	}
}

// TestCommandsWorkOnADatabase as they do on a file.
func TestCommandsWorkOnADatabase(t *testing.T) {
	url := pgtest.New(t)
	g, done := opened(t, url)
	fill(t, g, 3)
	done()
	if out := succeeds(t, "check", "-store", url); !strings.Contains(out, "sound; running games: 3, open challenges: 3, finished games: 3") {
		t.Error(out)
	}
	text := filepath.Join(t.TempDir(), "games.txt")
	succeeds(t, "games", "export", "-store", url, "-o", text)
	other := pgtest.New(t)
	fails(t, cli.ExitFailed, "has no games of this version", "check", "-store", other)
	if out := succeeds(t, "games", "import", "-store", other, text); !strings.Contains(out, "games stored: 6") {
		t.Error(out)
	}
	fails(t, cli.ExitUsage, "pg_dump", "backup", "-store", url, "x")
	fails(t, cli.ExitUsage, "pg_restore", "restore", "-store", url)
	fails(t, cli.ExitUsage, "-data and -store", "check", "-store", url, "-data", "x.db")
	fails(t, cli.ExitUsage, "begins with postgres://", "check", "-store", "mysql://x")
	found := ""
	for _, f := range examineDatabase(t.Context(), config.NewSecret(url)) {
		found += fmt.Sprintln(f.Verdict, f.Subject, f.Text)
	}
	if !strings.Contains(found, "can be written to") || !strings.Contains(found, "has the tables of this version") {
		t.Error(found)
	}
	if found := examineDatabase(t.Context(), config.NewSecret("postgres://ann:geheim@127.0.0.1:1/x")); len(found) != 1 || strings.Contains(found[0].Text, "geheim") {
		t.Errorf("a database that nobody serves: %v", found)
	}
}

// TestABotOnADatabaseGoesOnAfterAKill as on a file.
func TestABotOnADatabaseGoesOnAfterAKill(t *testing.T) {
	ctx := t.Context()
	url := pgtest.New(t)
	sim, api, channel, ann := discord(t)
	cmd, out := lascabot(t, testToken, "run", "-store", url, "-discord-api-url", api)
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), url) {
		t.Error("the address was printed, in which there may be a password")
	}
	r, err := ann.Type(ctx, channel, "/lasca play level:1 colour:white")
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	lascabot(t, testToken, "run", "-store", url, "-discord-api-url", api)
	if err := sim.WaitFor(ctx, online); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.ClickLabel(ctx, channel, r.MessageID, "c3"); err != nil {
		t.Error(err)
	}
}
