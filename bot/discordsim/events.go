package discordsim

import "context"

// EventKind says what an [Event] is about.
type EventKind string

// The kinds of event.
const (
	EventMessageCreate EventKind = "message_create"
	EventMessageUpdate EventKind = "message_update"
	EventMessageDelete EventKind = "message_delete"
	// EventMention says that UserID was notified by message MessageID.
	EventMention EventKind = "mention"
	// EventWorld says that users, guilds, channels or permissions changed.
	EventWorld EventKind = "world"
	// EventCommands says that the registered commands changed.
	EventCommands EventKind = "commands"
	// EventBot says that the bot came online or went offline.
	EventBot EventKind = "bot"
	// EventResync says that this subscriber was too slow and missed events: read
	// everything again.
	EventResync EventKind = "resync"
)

// Event is a change of the world, see [Server.Subscribe].
type Event struct {
	// Seq grows by at least one from event to event over the life of the process.
	Seq       uint64
	Kind      EventKind
	ChannelID string
	MessageID string
	// UserID is the only user who may learn of the event (ephemeral messages,
	// mentions); "" means everybody who can see the channel.
	UserID string
	// Message is the new state, nil unless the event creates or updates a message.
	Message *Message
}

// maxBacklog is how many events a subscriber may fall behind.
const maxBacklog = 512

// subscriber is one Subscribe call. Its fields are guarded by the server's mutex.
type subscriber struct {
	queue  []Event
	signal chan struct{} // buffered, size 1
	ended  bool
}

func (sub *subscriber) end() {
	sub.ended = true
	select {
	case sub.signal <- struct{}{}:
	default:
	}
}

// Subscribe gives the changes from now on until ctx is done or the server is
// closed; then the channel is closed. A subscriber that falls more than 512
// events behind loses them and gets one [EventResync] instead; it never blocks
// the server. Events of ephemeral messages carry their owner in UserID: the
// receiver has to hide them from everybody else.
func (s *Server) Subscribe(ctx context.Context) <-chan Event {
	sub := &subscriber{signal: make(chan struct{}, 1)}
	out := make(chan Event)
	s.mu.Lock()
	if s.closed {
		sub.ended = true
		sub.signal <- struct{}{}
	}
	s.subs[sub] = struct{}{}
	s.mu.Unlock()
	go func() {
		defer close(out)
		defer func() {
			s.mu.Lock()
			delete(s.subs, sub)
			s.mu.Unlock()
		}()
		for {
			s.mu.Lock()
			batch, ended := sub.queue, sub.ended
			sub.queue = nil
			s.mu.Unlock()
			for _, e := range batch {
				select {
				case out <- e:
				case <-ctx.Done():
					return
				}
			}
			if ended {
				return
			}
			select {
			case <-sub.signal:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// emit queues an event for the subscribers and wakes the waiters. The caller
// holds s.mu.
func (s *Server) emit(e Event) {
	s.seq++
	e.Seq = s.seq
	for sub := range s.subs {
		if len(sub.queue) >= maxBacklog {
			sub.queue = append(sub.queue[:0:0], Event{Seq: s.seq, Kind: EventResync})
		} else {
			sub.queue = append(sub.queue, e)
		}
		select {
		case sub.signal <- struct{}{}:
		default:
		}
	}
	s.wake()
}

// emitMessage announces m to those who can see it. The caller holds s.mu.
func (s *Server) emitMessage(kind EventKind, m *message) {
	e := Event{Kind: kind, ChannelID: m.ChannelID, MessageID: m.ID, UserID: m.EphemeralFor}
	if kind != EventMessageDelete {
		c := m.view()
		e.Message = &c
	}
	s.emit(e)
}
