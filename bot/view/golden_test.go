package view_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/ai"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

var update = flag.Bool("update", false, "write the golden files")

// describe writes a message as text that can be read and compared.
func describe(msg view.Message) string {
	var b strings.Builder
	if msg.Private {
		b.WriteString("(private) ")
	}
	b.WriteString(msg.Text + "\n")
	if msg.Picture != nil {
		fmt.Fprintf(&b, "{%s: %s}\n", msg.Picture.Name, msg.Picture.Alt)
	}
	if msg.File != nil {
		fmt.Fprintf(&b, "{%s: %s}\n", msg.File.Name, msg.File.Alt)
	}
	for _, row := range msg.Rows {
		for _, button := range row {
			label := strings.TrimSpace(button.Emoji + " " + button.Label)
			switch {
			case button.Disabled:
				label = "(" + label + ")"
			case button.Style == view.Primary:
				label = "[[" + label + "]]"
			default:
				label = "[" + label + "]"
			}
			b.WriteString(label + " ")
		}
		b.WriteString("\n")
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// startedAt returns a game of Ann against the machine from a position, in which she
// plays a side.
func startedAt(t *testing.T, me engine.Color, position string) match.Match {
	t.Helper()
	setup, err := notation.ParsePosition(position, engine.Kawu)
	if err != nil {
		t.Fatal(err)
	}
	n := match.New{ID: "1234567890123456789", By: me, Start: &setup}
	n.Seats[me], n.Seats[me.Other()] = match.Seat{User: ann, Name: "Ann"}, match.Seat{Level: 4}
	m, err := match.Start(n, start)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// openMatch returns Ann's challenge to whoever comes first.
func openMatch(t *testing.T, terms match.Terms) match.Match {
	t.Helper()
	m, err := match.Start(match.New{
		ID: "1234567890123456789", Seats: [2]match.Seat{{User: ann, Name: "Ann"}}, Open: true, Terms: terms, Expires: start.Add(24 * time.Hour),
	}, start)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMessages compares the main messages with testdata/<language>.golden.
func TestMessages(t *testing.T) {
	two := matchOf(true, engine.White, engine.Lasker, [2]string{"Ann", "Ben"})
	on := after(t, two, match.Accept{By: engine.Black})
	capture := moves(t, on, "c3-d4", "e5xc3")
	fork := startedAt(t, engine.White, ",,,/,b,b/,,,/,b,/,w,w,/,,/,,, w 0 1")
	lone := startedAt(t, engine.Black, "W,,,/,,/,,,/,b,/,,,/,,/,,, b 0 1")
	blocked := moves(t, startedAt(t, engine.White, ",,,/,,/,,,/,,/,,,b/,,w/w,,w, w 0 1"), "a1-b2")
	nothing := moves(t, startedAt(t, engine.White, ",,,/,,/,,,/,b,/,w,,/,,/,,, w 0 1"), "c3xe5")
	machine := matchOf(false, engine.White, engine.Kawu, [2]string{"Ann"})
	asked := after(t, capture, moveBy(engine.White, "b2xd4"), match.OfferDraw{By: engine.White}, match.RequestUndo{By: engine.White, To: 2})
	open := openMatch(t, match.Terms{Days: 1, Rated: true})
	expired, err := open.Apply(match.Expire{}, open.Expires.Add(time.Second))
	if err != nil {
		t.Fatal(err)
	}
	joined := after(t, openMatch(t, match.Terms{Days: match.NoLimit, Hints: true}), match.Join{Seat: match.Seat{User: ben, Name: "Ben"}})
	record := storage.Record{
		Match: capture, Place: storage.Place{Guild: "7", Channel: "8"}, Screen: storage.Screen{Channel: "8", Message: "9", Version: 1},
	}
	byBlack := two
	byBlack.By, byBlack.Seen[0], byBlack.Seen[1] = engine.Black, two.Seen[1], two.Seen[0]
	waiting := record
	waiting.Match = moves(t, on, "c3-d4")
	hint := ai.Report{Best: move("b2xd4"), PV: []engine.Move{move("b2xd4"), move("c5xe3"), move("d2xf4")}, Score: 90}

	for _, l := range languages() {
		t.Run(l.Tag(), func(t *testing.T) {
			wrong := func(kind string, err error) (string, view.Message) { return kind, view.Problem(l, err, &record) }
			var b strings.Builder
			add := func(title string, msg view.Message) {
				keeps(t, msg)
				fmt.Fprintf(&b, "=== %s\n%s\n", title, describe(msg))
			}
			game := func(m match.Match, look view.Look, path ...engine.Square) view.Message {
				return view.Game(l, look, &m, path)
			}
			add("challenge", game(two, view.Look{}))
			add("open challenge", game(open, view.Look{}))
			add("open challenge without limit, with hints", game(openMatch(t, match.Terms{Days: match.NoLimit, Hints: true}), view.Look{}))
			add("open challenge withdrawn", game(after(t, open, match.Withdraw{By: engine.White}), view.Look{}))
			add("open challenge expired", game(expired, view.Look{}))
			add("challenge removed", game(after(t, two, match.Stop{}), view.Look{}))
			add("challenges", view.Challenges(l, []storage.Record{{Match: two}}, []storage.Record{{Match: open, Place: record.Place, Screen: record.Screen}}))
			add("no challenges", view.Challenges(l, nil, nil))
			add("first move on other terms", game(joined, view.Look{}))
			add("stopped", game(after(t, joined, match.Stop{}), view.Look{}))
			add("stop one", view.AskStop(l, &joined))
			add("stop which", view.WhichStop(l, []storage.Record{{Match: open}, record}))
			add("resign or call off", view.AskResign(l, &on, engine.White))
			add("first move", game(on, view.Look{}))
			add("capture", game(capture, view.Look{}))
			add("capture of two paths", game(fork, view.Look{}))
			add("capture begun", game(fork, view.Look{}, move("c3xe5").Path()...))
			add("whole moves", game(fork, view.Look{Moves: true}))
			add("one column", game(lone, view.Look{}))
			add("blocked", game(blocked, view.Look{}))
			add("nothing left", game(nothing, view.Look{}))
			add("thinking", game(moves(t, machine, "c3-d4"), view.Look{}))
			add("draw offered, undo asked for", game(asked, view.Look{}))
			add("in letters", game(capture, view.Look{Boards: view.InLetters}))
			add("resigned", game(after(t, capture, match.Resign{By: engine.White}), view.Look{}))
			news := func(m match.Match) view.Message {
				r := storage.Record{Match: m, Place: record.Place}
				return view.News(l, &r, view.Game(l, view.Look{}, &m, nil))
			}
			add("told of the end", news(after(t, capture, match.Resign{By: engine.White})))
			add("told of the beginning", news(after(t, byBlack, match.Accept{By: engine.White})))
			add("told of a declined challenge", news(after(t, two, match.Decline{By: engine.Black})))
			add("copy elsewhere", view.Copy(l, view.Look{}, &record, nil))
			add("replaced", view.Replaced(l, &record))
			add("replaced and over", view.Replaced(l, &storage.Record{
				Match: after(t, capture, match.Resign{By: engine.White}), Place: record.Place, Screen: record.Screen,
			}))
			add("deleted", view.Replaced(l, &storage.Record{}))
			add(wrong("not told", match.ErrNotTold))
			add("hint", view.Hint(l, view.Look{}, &capture, hint, false))
			add("hint that makes a game casual", view.Hint(l, view.Look{}, &capture, hint, true))
			add(wrong("board deleted", play.ErrBoardGone))
			add(wrong("board perhaps deleted", play.ErrUnsure))
			add(wrong("overtaken by a deletion", play.ErrOvertaken))
			replay, _ := view.Replay(l, view.Look{}, &capture, engine.White)
			review, _ := view.Review(l, view.Look{}, &capture, play.Review{
				Chances: []float64{0.52, 0.2, 0.31}, Best: []engine.Move{move("c3-b4"), move("e5xc3")},
			})
			add("review", review)
			add("replay", replay)
			add("more", view.More(l, view.Look{}, &waiting.Match, engine.White, waiting.Match.Moved, start.Add(time.Hour)))
			watched := record
			watched.Match = waiting.Match
			add("watch", view.Watch(l, view.Look{}, &watched, engine.Black))
			watched.Match = after(t, capture, match.Resign{By: engine.White})
			add("watch the end", view.Watch(l, view.Look{}, &watched, engine.White))
			against := storage.Record{Match: machine, Place: record.Place}
			against.Match.ID = "77"
			add("games of a channel", view.Watching(l, "303", []storage.Record{record, against}, 0))
			add("no games in a channel", view.Watching(l, "303", nil, 0))
			next := view.Said(l, i18n.DonePlayed, "Move", move("c3-d4"))
			view.OfferNext(l, &next, intent.Ref{Game: two.ID}, 3)
			add("next game", next)
			film, _ := view.Film(l, view.Look{}, &watched.Match)
			view.OfferShare(l, &film, intent.ShareFilm{Ref: intent.Ref{Game: two.ID}})
			add("film", film)
			view.Share(l, &film, "A*n*n")
			add("film for everybody", film)
			add("shown", view.Shared(l, &record, "10", false))
			add("shown before", view.Shared(l, &record, "10", true))
			refused := view.Problem(l, match.ErrNotAPlayer, &record)
			view.OfferWatch(l, &refused, &record.Match)
			add("somebody without a part", refused)
			add("no other game waits", view.Problem(l, play.ErrNoneWaits, nil))
			add("games", view.Games(l, ann, []storage.Record{waiting, {Match: two, Place: record.Place}, record}, 0))
			add("if-then lines", view.Planning(l, view.Look{}, planned(&waiting, nil, []engine.Move{move("e5xc3"), move("d2xb4"), move("a5xc3"), move("b2xd4")})))
			add("if-then, own reply", view.Planning(l, view.Look{}, planned(&waiting, []engine.Move{move("e5xc3")})))
			add("lines left", view.LeftLines(l, &waiting))
			add("stranger", view.Problem(l, match.ErrNotAPlayer, &record))
			add("stale", view.Problem(l, play.ErrStale, &record))
			add(wrong("must capture", find(&capture, "a3-b4")))
			add(wrong("no square", find(&capture, "c3-z9")))
			add("help", view.Help(l, view.Look{}))
			add("rules", view.Rules(l, view.Look{}, 2))
			add("a look", view.Sample(l, view.Look{Moves: true}, false, 2))
			add("the server's look", view.Sample(l, view.Look{Theme: render.Dark}, true, 0))

			addRatings(t, l, add)

			name := "testdata/" + l.Tag() + ".golden"
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
				t.Errorf("%s differs (go test -update writes it):\n%s", name, diff)
			}
		})
	}
}
