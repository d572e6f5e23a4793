package bot_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// threaded makes a world in a server of a language where each game gets a thread.
func threaded(t *testing.T, locale string) news {
	n := newsIn(t, locale)
	if err := n.store.SaveSettings(n.ctx, "guild "+n.guild, storage.Settings{Threads: true}); err != nil {
		t.Fatal(err)
	}
	return n
}

// threads returns the threads of the channel.
func (n news) threads() (list []discordsim.Channel) {
	for _, ch := range n.sim.Channels("") {
		if ch.ParentID == n.channel {
			list = append(list, ch)
		}
	}
	return list
}

// thread returns the only thread of the channel.
func (n news) thread() discordsim.Channel {
	n.t.Helper()
	list := n.threads()
	if len(list) != 1 {
		n.t.Fatalf("%d threads, want one", len(list))
	}
	return list[0]
}

// boardIn waits until a board in a channel is recorded as the screen of the newest game
// and returns it.
func (n news) boardIn(channel string) discordsim.Message {
	n.t.Helper()
	var r storage.Record
	n.stored("a board is recorded in "+channel, func() bool {
		r = n.latest()
		return r.Screen.Channel == channel && r.Place.Channel == channel && r.Screen.Version == r.Match.Version
	})
	m, ok := n.sim.Message(n.ann.ID(), channel, r.Screen.Message)
	if !ok {
		n.t.Fatal("the board is not there")
	}
	return m
}

// latest returns the newest game of the two.
func (n news) latest() (r storage.Record) {
	n.t.Helper()
	list, err := n.store.ListOf(n.ctx, storage.Of{User: match.UserID(n.ann.ID())}, "", 10)
	if err != nil || len(list) == 0 {
		n.t.Fatalf("%d games: %v", len(list), err)
	}
	return list[len(list)-1]
}

// leads waits until a message in the channel says where its game goes on.
func (n news) leads(m, board discordsim.Message) discordsim.Message {
	n.t.Helper()
	now := n.until(n.ben, m, board.ChannelID+"/"+board.ID)
	if !strings.HasPrefix(now.Content, "➡️ ") || len(labels(now)) != 0 {
		n.t.Errorf("%s", describe(now))
	}
	return now
}

// moves makes the next moves, whoever's turn it is, and returns the board.
func (n news) moves(board discordsim.Message, count int) discordsim.Message {
	n.t.Helper()
	for range count {
		r := n.latest()
		who := n.ann
		if r.Match.Seats[r.Match.Turn()].User == match.UserID(n.ben.ID()) {
			who = n.ben
		}
		for now := n.latest(); len(now.Match.Moves) == len(r.Match.Moves); now = n.latest() {
			board = n.click(who, board, labels(board)[0])
		}
	}
	return board
}

// resigned has Ann resign on a board, and waits until the end is shown.
func (n news) resigned(board discordsim.Message) discordsim.Message {
	n.t.Helper()
	n.click(n.ann, n.press(n.ann, board, i18n.ButtonResign), i18n.For("en-US").T(i18n.ButtonYesResign))
	n.stored("the end is shown", func() bool {
		r := n.latest()
		return r.Match.Phase == match.Finished && r.Screen.Version == r.Match.Version
	})
	r := n.latest()
	m, _ := n.sim.Message(n.ann.ID(), r.Screen.Channel, r.Screen.Message)
	return m
}

var languages = []string{"en-US", "de"}

func TestEachGameBetweenPeopleGetsAThreadWhereTheServerWantsThat(t *testing.T) {
	for _, locale := range languages {
		t.Run(locale, func(t *testing.T) {
			n := threaded(t, locale)
			asked := n.asked("white")
			if len(n.threads()) != 0 {
				t.Error("a challenge has a thread")
			}
			n.press(n.ben, asked, i18n.ButtonAccept)
			thread := n.thread()
			if thread.Name != "Ann – Ben" || thread.ID != asked.ID {
				t.Errorf("the thread is %q", thread.Name)
			}
			board := n.boardIn(thread.ID)
			n.picture(board)
			if pings := board.Pings; !slices.Contains(pings, n.ann.ID()) || !slices.Contains(pings, n.ben.ID()) {
				t.Errorf("the first board notifies %v", pings) // and so both see the thread
			}
			n.leads(asked, board)

			n.stop() // the record alone says where the game is
			n.start()
			board = n.moves(board, 1)
			if list := n.typed(n.ann, "/lasca games"); !strings.Contains(list.Content, thread.ID+"/"+board.ID) {
				t.Errorf("%s", describe(list))
			}
			board = n.moves(board, 1)
			if board.ChannelID != thread.ID {
				t.Errorf("the board is in %s", board.ChannelID)
			}
			m := n.typedIn(thread.ID, n.ann, "/lasca board")
			if m.ChannelID != thread.ID || m.EphemeralFor != "" {
				t.Errorf("%s", describe(m))
			}
			if len(n.threads()) != 1 {
				t.Errorf("%d threads", len(n.threads()))
			}
		})
	}
	t.Run("the one who joins an open challenge too", func(t *testing.T) {
		n := threaded(t, "de")
		asked := n.typed(n.ann, "/lasca open colour:white")
		n.press(n.ben, asked, i18n.ButtonJoin)
		n.leads(asked, n.boardIn(n.thread().ID))
	})
	t.Run("also when it is accepted from the list of challenges", func(t *testing.T) {
		n := threaded(t, "en-US")
		asked := n.asked("white")
		list := n.typed(n.ben, "/lasca challenges")
		n.click(n.ben, list, labels(list)[0])
		n.leads(asked, n.boardIn(asked.ID))
	})
	t.Run("and against the machine", func(t *testing.T) {
		n := threaded(t, "de")
		first := n.typed(n.ann, "/lasca play level:1 colour:white")
		n.stored("the game has moved", func() bool { return n.latest().Place.Channel != n.channel })
		thread := n.thread()
		if !strings.HasPrefix(thread.Name, "Ann – Lasca (Stufe 1") {
			t.Errorf("the thread is %q", thread.Name)
		}
		n.leads(first, n.boardIn(thread.ID))
		n.moves(n.boardIn(thread.ID), 1)
	})
}

func TestAnEqualGameAMomentLaterIsTheOneInTheThread(t *testing.T) {
	n := threaded(t, "de")
	n.typed(n.ann, "/lasca play level:1 colour:white")
	n.stored("the game has moved", func() bool { return n.latest().Place.Channel != n.channel })
	board := n.boardIn(n.thread().ID)
	m := n.typed(n.ann, "/lasca play level:1 colour:white")
	n.private(n.ann, m)
	n.says(m, board.ChannelID+"/"+board.ID)
	n.only(n.ann)
}

// Since when somebody was told of a turn does not change on the way into a thread; the
// message there counts from then on. Nobody knows when a thread was deleted.
func TestTheMessageInTheThreadTellsOfTheTurn(t *testing.T) {
	n := threaded(t, "en-US")
	n.asked("white")
	n.typed(n.ben, "/lasca challenge user:@Ann colour:black") // which shows the board in the channel first
	n.stored("the game has moved", func() bool { return n.latest().Place.Channel != n.channel })
	board := n.boardIn(n.thread().ID)
	begun := n.latest()
	if begun.Told().IsZero() || begun.Screen.Teller != board.ID {
		t.Errorf("told %v by %q", begun.Told(), begun.Screen.Teller)
	}
	n.later(4 * 24 * time.Hour)
	n.sim.RemoveChannel(board.ChannelID)
	copied := n.copyOf(n.ben, n.channel, begun.Match.ID)
	n.says(n.click(n.ben, n.click(n.ben, copied, "⋯ Mehr"), "Sieg beanspruchen"), "gelöscht")
	n.stored("the board is back and tells of the turn", func() bool {
		r := n.latest()
		return r.Screen.Channel == n.channel && !r.Told().Before(begun.Told().Add(4*24*time.Hour))
	})
}

func TestAGameStaysWhereThreadsAreNotWantedOrPossible(t *testing.T) {
	stays := func(n news, channel string) {
		n.t.Helper()
		board := n.boardIn(channel)
		if len(n.threads()) != 0 || n.latest().Place.Thread != "" {
			n.t.Errorf("%d threads, %+v", len(n.threads()), n.latest().Place)
		}
		if strings.Contains(board.Content, n.lang.T(i18n.ErrNoThread)) {
			n.t.Errorf("%s", describe(board))
		}
	}
	t.Run("no setting", func(t *testing.T) {
		n := newsIn(t, "en-US")
		n.begun()
		stays(n, n.channel)
	})
	t.Run("direct messages", func(t *testing.T) {
		n := threaded(t, "en-US")
		n.typedDM(n.ann, "/lasca play level:1 colour:white")
		stays(n, n.ann.OpenDM())
	})
	t.Run("a forum's post", func(t *testing.T) {
		n := threaded(t, "de")
		post, err := n.ben.StartPost(n.sim.AddForum(n.guild, "spiele"), "Lasca?", "Wer spielt?")
		if err != nil {
			t.Fatal(err)
		}
		n.typedIn(post, n.ann, "/lasca play level:1 colour:white")
		stays(n, post)
		n.moves(n.boardIn(post), 1)
	})
	t.Run("a thread, also for a rematch, and it is never archived", func(t *testing.T) {
		n := threaded(t, "en-US")
		there := n.sim.AddThread(n.channel, "chat")
		asked := n.typedIn(there, n.ann, "/lasca challenge user:@Ben colour:white")
		end := n.resigned(n.press(n.ben, asked, i18n.ButtonAccept))
		n.press(n.ann, end, i18n.ButtonRematch)
		n.later(storage.ThreadStays + 25*time.Hour)
		n.bot.Sweep(n.ctx)
		if ch := n.thread(); ch.Archived || ch.ID != there {
			t.Errorf("%+v", ch)
		}
	})
	for name, missing := range map[string]discordsim.Permissions{
		"to start threads": discordsim.CreatePublicThreads, "to write in them": discordsim.SendMessagesInThreads,
	} {
		t.Run("without the permission "+name+", which is said once", func(t *testing.T) {
			n := threaded(t, "de")
			n.sim.SetChannelPermissions(n.channel, n.sim.BotID(), n.sim.Permissions(n.channel, n.sim.BotID())&^missing)
			asked := n.asked("white")
			n.says(asked, "Öffentliche Threads erstellen")
			n.press(n.ben, asked, i18n.ButtonAccept)
			stays(n, n.channel)
			n.moves(n.boardIn(n.channel), 1)
		})
	}
}

func TestWhenDiscordRefusesAThreadTheGameIsPlayedInTheChannel(t *testing.T) {
	for name, fault := range map[string]discordsim.Fault{
		"forbidden": {Status: 403, Code: 50013}, "too many threads": {Status: 400, Code: 160006}, "no such place": {Status: 400, Code: 50024},
		"rate limited": {Status: 429, RetryAfter: time.Minute}, "failing": {Status: 500}, "lost": {DropBefore: true},
	} {
		t.Run(name, func(t *testing.T) {
			n := threaded(t, "de")
			refuse := true
			n.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
				if refuse && strings.HasSuffix(r.Path, "/threads") {
					return &fault
				}
				return nil
			})
			asked := n.asked("white")
			n.press(n.ben, asked, i18n.ButtonAccept)
			board := n.boardIn(n.channel)
			if board.ID != asked.ID || len(n.threads()) != 0 {
				t.Errorf("%d threads\n%s", len(n.threads()), describe(board))
			}
			n.says(board, n.lang.T(i18n.ErrNoThread))
			refuse = false
			board = n.moves(board, 1)
			if strings.Contains(board.Content, n.lang.T(i18n.ErrNoThread)) || len(n.threads()) != 0 {
				t.Errorf("it is said twice, or tried again:\n%s", describe(board))
			}
		})
	}
	t.Run("the command's game too", func(t *testing.T) {
		n := threaded(t, "en-US")
		n.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if strings.HasSuffix(r.Path, "/threads") {
				return &discordsim.Fault{Status: 400, Code: 160006}
			}
			return nil
		})
		board := n.typed(n.ann, "/lasca play level:1 colour:white")
		n.says(n.until(n.ann, board, n.lang.T(i18n.ErrNoThread)), "move 1")
		n.moves(n.see(n.ann, board), 1)
	})
}

// A kill may come after each step on the way into a thread. There is one thread then, with
// one board in it, and the message in the channel leads there.
func TestAKillOnTheWayIntoAThreadLosesNothing(t *testing.T) {
	steps := []string{"the challenge is accepted", "the thread is started", "the game has moved there"}
	for done, name := range steps {
		t.Run(name, func(t *testing.T) {
			n := threaded(t, "en-US")
			asked := n.asked("white")
			n.stored("the challenge is recorded", func() bool { return n.latest().Screen.Message == asked.ID })
			n.stop()
			r := n.latest()
			m, err := r.Match.Apply(match.Accept{By: r.Match.By.Other()}, n.clock.Now())
			if err == nil {
				err = n.store.Save(n.ctx, m, r.Match.Version)
			}
			if err == nil && done >= 1 {
				_, err = n.ann.StartThread(n.channel, asked.ID, "Ann – Ben") // whoever it was
			}
			if err == nil && done >= 2 {
				err = n.store.Move(n.ctx, m.ID, r.Place, storage.Place{Channel: asked.ID, Thread: storage.ThreadOpen, Parent: n.channel})
			}
			if err != nil {
				t.Fatal(err)
			}
			n.start()
			board := n.boardIn(asked.ID)
			if len(n.threads()) != 1 || len(n.sim.Messages(n.ben.ID(), asked.ID)) != 1 {
				t.Errorf("%d threads with %d messages", len(n.threads()), len(n.sim.Messages(n.ben.ID(), asked.ID)))
			}
			n.leads(asked, board)
			n.moves(board, 2)
		})
	}
	t.Run("the board is posted there", func(t *testing.T) {
		n := threaded(t, "en-US")
		asked := n.asked("white")
		n.press(n.ben, asked, i18n.ButtonAccept)
		board := n.boardIn(asked.ID)
		n.stop()
		r := n.latest()
		r.Screen.Channel, r.Screen.Message = n.channel, asked.ID
		if err := n.store.Shown(n.ctx, r.Match.ID, r.Screen); err != nil {
			t.Fatal(err)
		}
		n.clock.Advance(time.Hour) // long after Discord has forgotten that it was posted
		n.start()
		if now := n.boardIn(asked.ID); now.ID != board.ID || len(n.sim.Messages(n.ben.ID(), asked.ID)) != 1 {
			t.Errorf("%d messages", len(n.sim.Messages(n.ben.ID(), asked.ID)))
		}
	})
	t.Run("also where the message shows the newest version already", func(t *testing.T) {
		n := threaded(t, "de")
		n.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if strings.HasSuffix(r.Path, "/threads") {
				n.sim.SetFault(nil)
				return &discordsim.Fault{Status: 403, Code: 50013}
			}
			return nil
		})
		first := n.typed(n.ann, "/lasca play level:1 colour:white")
		n.stored("the thread is given up", func() bool { r := n.latest(); return r.Place.Thread == "" && !r.Behind() })
		n.stop()
		r := n.latest()
		thread, err := n.ann.StartThread(n.channel, first.ID, "Ann")
		if err == nil {
			err = n.store.Move(n.ctx, r.Match.ID, r.Place, storage.Place{Channel: thread, Thread: storage.ThreadOpen, Parent: n.channel})
		}
		if err != nil {
			t.Fatal(err)
		}
		n.start()
		n.leads(first, n.boardIn(thread))
	})
}

func TestTheThreadIsArchivedOnceAnHourAfterTheGame(t *testing.T) {
	for _, locale := range languages {
		t.Run(locale, func(t *testing.T) {
			n := threaded(t, locale)
			n.press(n.ben, n.asked("white"), i18n.ButtonAccept)
			thread := n.thread().ID
			n.resigned(n.moves(n.boardIn(thread), 2))
			n.bot.Sweep(n.ctx)
			n.clock.Advance(10 * time.Minute)
			n.bot.Sweep(n.ctx) // reminds Ben of the end
			n.stored("everybody knows of the end", func() bool { return n.latest().Screen.Quiet.IsZero() })
			n.clock.Advance(storage.ThreadStays - 11*time.Minute)
			n.bot.Sweep(n.ctx)
			n.stop()
			n.start()
			if n.thread().Archived {
				t.Error("archived too early")
			}
			n.clock.Advance(time.Minute)
			n.bot.Sweep(n.ctx)
			n.stored("it is recorded as archived", func() bool { return n.latest().Place.Thread == storage.ThreadClosed })
			if ch := n.thread(); !ch.Archived || ch.Locked {
				t.Fatalf("%+v", ch)
			}

			// Its buttons still work, and open it.
			end, _ := n.sim.Message(n.ann.ID(), thread, n.latest().Screen.Message)
			n.private(n.ann, n.press(n.ann, end, i18n.ButtonReview))
			if n.thread().Archived {
				t.Error("still archived")
			}
			n.later(48 * time.Hour)
			n.bot.Sweep(n.ctx)
			n.stop()
			n.start()
			n.bot.Sweep(n.ctx)
			if n.thread().Archived {
				t.Error("archived twice")
			}
		})
	}
	t.Run("a restart does what is due, and Discord's failure is tried again", func(t *testing.T) {
		n := threaded(t, "de")
		n.typed(n.ann, "/lasca play level:1 colour:white")
		n.stored("the game has moved", func() bool { return n.latest().Place.Channel != n.channel })
		n.resigned(n.boardIn(n.thread().ID))
		n.stop()
		n.clock.Advance(3 * storage.ThreadStays)
		failed := make(chan struct{}, 10)
		n.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
			if r.Method == "PATCH" && strings.HasSuffix(r.Path, "/channels/"+n.thread().ID) {
				failed <- struct{}{}
				return &discordsim.Fault{Status: 500}
			}
			return nil
		})
		n.start()
		<-failed
		n.sim.SetFault(nil)
		n.clock.Advance(2 * time.Hour)
		n.bot.Sweep(n.ctx)
		n.stored("archived", func() bool { return n.latest().Place.Thread == storage.ThreadClosed })
		if !n.thread().Archived {
			t.Error("not archived")
		}
	})
}

// A series of games is one conversation: whoever wants a rematch presses in the thread,
// and looks for it there.
func TestARematchIsPlayedInTheThreadWhichIsArchivedAfterIt(t *testing.T) {
	for _, locale := range languages {
		t.Run(locale, func(t *testing.T) {
			n := threaded(t, locale)
			n.press(n.ben, n.asked("white"), i18n.ButtonAccept)
			thread := n.thread().ID
			n.resigned(n.moves(n.boardIn(thread), 2))
			n.clock.Advance(10 * time.Minute)
			n.bot.Sweep(n.ctx)
			n.stored("everybody knows of the end", func() bool { return n.latest().Screen.Quiet.IsZero() })
			first := n.latest()
			n.clock.Advance(2 * storage.ThreadStays)
			n.bot.Sweep(n.ctx)
			n.stored("archived", func() bool { return n.latest().Place.Thread == storage.ThreadClosed })
			n.stop()
			n.start()
			end, _ := n.sim.Message(n.ann.ID(), thread, first.Screen.Message)
			asked := n.press(n.ann, end, i18n.ButtonRematch)
			if ch := n.thread(); ch.Archived || asked.ChannelID != thread {
				t.Errorf("%+v, asked in %s", ch, asked.ChannelID)
			}
			end = n.resigned(n.moves(n.press(n.ben, asked, i18n.ButtonAccept), 2))
			if end.ChannelID != thread || len(n.threads()) != 1 {
				t.Errorf("the rematch is in %s; %d threads", end.ChannelID, len(n.threads()))
			}
			n.clock.Advance(10 * time.Minute)
			n.bot.Sweep(n.ctx)
			n.stored("everybody knows of the end", func() bool { return n.latest().Screen.Quiet.IsZero() })
			n.clock.Advance(storage.ThreadStays)
			n.bot.Sweep(n.ctx)
			n.stored("archived again", func() bool { return n.latest().Place.Thread == storage.ThreadClosed })
			if !n.thread().Archived {
				t.Error("not archived")
			}
		})
	}
	t.Run("not while a rematch goes on that was begun within the hour", func(t *testing.T) {
		n := threaded(t, "en-US")
		n.press(n.ben, n.asked("white"), i18n.ButtonAccept)
		end := n.resigned(n.moves(n.boardIn(n.thread().ID), 2))
		first := n.latest().Match.ID
		n.moves(n.press(n.ben, n.press(n.ann, end, i18n.ButtonRematch), i18n.ButtonAccept), 1)
		n.boardIn(n.thread().ID) // is recorded
		if r, err := n.store.Load(n.ctx, first); err != nil || r.Place.Thread != storage.ThreadClosed {
			t.Errorf("the first game still has the thread: %+v, %v", r.Place, err)
		}
		n.clock.Advance(3 * storage.ThreadStays)
		n.bot.Sweep(n.ctx)
		n.stop()
		n.start()
		n.bot.Sweep(n.ctx)
		n.stored("both know", func() bool { return n.latest().Screen.Quiet.IsZero() })
		if n.thread().Archived {
			t.Error("archived while a game goes on in it")
		}
	})
}

func TestAThreadThatIsArchivedWhileTheGameRunsIsOpenedToShowAMove(t *testing.T) {
	n := threaded(t, "de")
	n.press(n.ben, n.asked("white"), i18n.ButtonAccept)
	thread := n.thread().ID
	board := n.moves(n.boardIn(thread), 2)
	n.sim.SetThread(thread, true, false)
	n.stop()
	n.start()
	copied := n.copyOf(n.ann, n.ann.OpenDM(), n.latest().Match.ID)
	n.moves(copied, 1)
	n.until(n.ben, board, "2. ")
	if n.thread().Archived {
		t.Error("still archived")
	}
}

func TestInALockedThreadNothingIsDoneAndWhoeverPressesIsTold(t *testing.T) {
	for name, archived := range map[string]bool{"locked": false, "locked and archived": true} {
		t.Run(name, func(t *testing.T) {
			n := threaded(t, "en-US")
			n.press(n.ben, n.asked("white"), i18n.ButtonAccept)
			thread := n.thread().ID
			board := n.moves(n.boardIn(thread), 1)
			n.sim.SetThread(thread, archived, true)
			before, answers := n.latest().Match.Version, len(n.requests("/callback"))
			for i := range 3 { // and once
				pressed := n.pressing(n.ben, board, labels(board)[0])
				n.wait("Ben is told", func(s *discordsim.Server) bool {
					return len(n.requests("/callback")) == answers+i+1 && len(s.Messages(n.ben.ID(), n.ben.OpenDM())) == 1
				})
				n.clock.Advance(4 * time.Second)
				if r := <-pressed; !errors.Is(r.err, discordsim.ErrNoAnswer) {
					t.Errorf("a press in a locked thread was answered: %+v", r)
				}
			}
			n.says(n.sim.Messages(n.ben.ID(), n.ben.OpenDM())[0], "gesperrt", thread)
			if n.latest().Match.Version != before {
				t.Error("something was done")
			}
			n.stop()
			n.start()
			n.sim.SetThread(thread, false, false)
			n.moves(board, 1)
		})
	}
}

func TestWhenTheThreadIsDeletedTheGameGoesOnInTheChannel(t *testing.T) {
	for _, locale := range languages {
		t.Run(locale, func(t *testing.T) {
			n := threaded(t, locale)
			n.press(n.ben, n.asked("white"), i18n.ButtonAccept)
			thread := n.thread().ID
			n.moves(n.boardIn(thread), 2)
			n.sim.RemoveChannel(thread)
			n.stop()
			n.start()
			copied := n.copyOf(n.ann, n.channel, n.latest().Match.ID)
			n.moves(copied, 1)
			board := n.boardIn(n.channel)
			n.says(board, n.lang.T(i18n.BoardBack), "2. ")
			n.stop()
			n.start()
			board = n.moves(board, 1)
			if board.ChannelID != n.channel || strings.Contains(board.Content, n.lang.T(i18n.BoardBack)) || len(n.threads()) != 0 {
				t.Errorf("it is said twice, or in %d threads:\n%s", len(n.threads()), describe(board))
			}
		})
	}
	t.Run("a finished game stays what it is, once both know of its end", func(t *testing.T) {
		n := threaded(t, "en-US")
		n.press(n.ben, n.asked("white"), i18n.ButtonAccept)
		n.resigned(n.moves(n.boardIn(n.thread().ID), 2))
		n.sim.RemoveChannel(n.thread().ID)
		n.clock.Advance(10 * time.Minute)
		n.bot.Sweep(n.ctx)
		end := n.boardIn(n.channel)
		n.says(end, n.lang.T(i18n.BoardBack), "Ann resigned")
		if !slices.Contains(end.Pings, n.ben.ID()) {
			t.Errorf("notified: %v", end.Pings)
		}
		said := len(n.sim.Messages(n.ann.ID(), n.channel))
		n.clock.Advance(2 * storage.ThreadStays)
		n.bot.Sweep(n.ctx)
		n.stop()
		n.start()
		n.bot.Sweep(n.ctx)
		if got := len(n.sim.Messages(n.ann.ID(), n.channel)); got != said {
			t.Errorf("%d new messages in the channel", got-said)
		}
	})
}
