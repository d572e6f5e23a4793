package discord_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discord"
	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
)

// allow sets what the bot may do besides the usual, and without what.
func (b *bench) allow(more, less discordsim.Permissions) {
	b.sim.SetMemberPermissions(b.guild, b.sim.BotID(), discordsim.DefaultBotPermissions&^less|more)
}

// state gives a channel as it is.
func (b *bench) state(t *testing.T, id string) discordsim.Channel {
	t.Helper()
	for _, ch := range b.sim.Channels("") {
		if ch.ID == id {
			return ch
		}
	}
	t.Fatalf("there is no channel %s", id)
	return discordsim.Channel{}
}

func TestThreadsOnSimulator(t *testing.T) {
	requests := make(chan discord.Request, 10)
	b := newBench(t, func(ctx context.Context, b *bench, r discord.Request) {
		if err := b.rest.DeferUpdate(ctx, r); err != nil && !r.Archived {
			t.Errorf("answering: %v", err)
		}
		requests <- r
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	x := view.Message{Text: "x"}
	is := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	m, picture := board(1)
	id, err := b.rest.Post(ctx, b.channel, m, picture, "")
	is("posting", err, nil)
	b.allow(0, discordsim.CreatePublicThreads)
	_, err = b.rest.StartThreadFrom(ctx, b.channel, id, "Ann – Bob")
	is("a thread without the permission", err, discord.ErrForbidden)
	b.allow(0, 0)

	thread, err := b.rest.StartThreadFrom(ctx, b.channel, id, "Ann – Bob")
	is("a thread from a message", err, nil)
	if again, err := b.rest.StartThreadFrom(ctx, b.channel, id, "Ann – Bob"); thread != id || again != id || err != nil {
		t.Errorf("the thread is %s, again %s, %v, want %s", thread, again, err, id)
	}
	posted, err := b.rest.Post(ctx, thread, m, picture, "")
	is("posting in it", err, nil)

	// What is pressed there says whose thread it is and its state.
	press := func(archived, locked bool) {
		t.Helper()
		b.sim.SetThread(thread, archived, locked)
		press, done := context.WithCancel(ctx)
		defer done()
		go b.sim.As(b.ann).ClickLabel(press, thread, posted, "Next")
		if r := <-requests; !r.Thread || r.Parent != b.channel || r.Channel != thread || r.Archived != archived || r.Locked != locked {
			t.Errorf("archived %t, locked %t: %+v", archived, locked, r)
		}
	}
	press(false, false)
	press(true, false)
	b.sim.SetThread(thread, false, false)

	is("archiving", b.rest.ArchiveThread(ctx, thread), nil)
	is("archiving again", b.rest.ArchiveThread(ctx, thread), nil)
	is("an edit in an archived thread", b.rest.EditText(ctx, thread, posted, x), discord.ErrArchived)
	is("opening it", b.rest.ReopenThread(ctx, thread), nil)
	is("opening it again", b.rest.ReopenThread(ctx, thread), nil)
	is("an edit in the open thread", b.rest.EditText(ctx, thread, posted, x), nil)
	is("locking without the permission", b.rest.LockThread(ctx, thread), discord.ErrForbidden)
	b.sim.SetThread(thread, false, true)
	is("an edit in a locked thread", b.rest.EditText(ctx, thread, posted, x), discord.ErrLocked)
	b.sim.SetThread(thread, true, true)
	is("opening a locked thread", b.rest.ReopenThread(ctx, thread), discord.ErrForbidden)
	b.allow(discordsim.ManageThreads, 0)
	for _, archived := range []bool{false, true} {
		b.sim.SetThread(thread, archived, false)
		is("locking", b.rest.LockThread(ctx, thread), nil)
		if ch := b.state(t, thread); !ch.Archived || !ch.Locked {
			t.Errorf("locked: %+v", ch)
		}
	}
	b.allow(0, 0)

	beside, err := b.rest.StartThread(ctx, b.channel, "Game 7")
	is("a thread beside the messages", err, nil)
	if ch := b.state(t, beside); ch.Name != "Game 7" || ch.ParentID != b.channel || ch.AutoArchive != 7*24*60 {
		t.Errorf("%+v", ch)
	}
	forum := b.sim.AddForum(b.guild, "matches")
	m, picture = board(2, match.UserID(b.bob))
	post, first, err := b.rest.StartPost(ctx, forum, "Ann – Bob", m, picture)
	is("a forum post", err, nil)
	if got, ok := b.sim.Message(b.ann, post, first); !ok || len(got.Attachments) != 1 || len(got.Pings) != 1 {
		t.Errorf("its message: %+v", got)
	}
	b.allow(0, discordsim.SendMessages)
	_, _, err = b.rest.StartPost(ctx, forum, "Ann – Bob", m, picture)
	is("a forum post without the permission", err, discord.ErrForbidden)
	b.sim.RemoveChannel(thread)
	is("archiving what is gone", b.rest.ArchiveThread(ctx, thread), discord.ErrChannelGone)
}

func TestDirectMessagesOnSimulator(t *testing.T) {
	b := newBench(t, func(context.Context, *bench, discord.Request) {})
	channel, err := b.rest.OpenDM(t.Context(), match.UserID(b.ann))
	if err != nil || channel != b.sim.As(b.ann).OpenDM() {
		t.Fatalf("%q, %v", channel, err)
	}
	post := func() error {
		_, err := b.rest.Post(t.Context(), channel, view.Message{Text: "your turn"}, nil, "")
		return err
	}
	if err := post(); err != nil {
		t.Error(err)
	}
	b.sim.As(b.ann).CloseDMs(true)
	if again, err := b.rest.OpenDM(t.Context(), match.UserID(b.ann)); err != nil || again != channel {
		t.Errorf("opening them when they are closed: %v", err)
	}
	if err := post(); !errors.Is(err, discord.ErrDMClosed) {
		t.Errorf("closed: %v", err)
	}
	b.sim.As(b.ann).CloseDMs(false)
	b.sim.As(b.ann).BlockBot(true)
	if err := post(); !errors.Is(err, discord.ErrDMClosed) {
		t.Errorf("blocked: %v", err)
	}
	if _, err := b.rest.OpenDM(t.Context(), "42"); !errors.Is(err, discord.ErrRejected) {
		t.Errorf("nobody: %v", err)
	}
}
