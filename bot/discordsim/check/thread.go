package check

import (
	"fmt"
	"slices"
)

// autoArchive are the minutes without messages after which a thread may leave the list
// of channels.
var autoArchive = []int{60, 1440, 4320, 10080}

// MaxThreadName is the most characters that the name of a thread can have.
const MaxThreadName = 100

// publicThread is Discord's number for a thread that everybody in the channel sees.
const publicThread = 11

// Start says how a thread is started. The keys that the body may have differ.
type Start int

// The ways to start a thread.
const (
	FromMessage    Start = iota // POST /channels/…/messages/…/threads
	WithoutMessage              // POST /channels/…/threads in a text channel
	ForumPost                   // POST /channels/…/threads in a forum
)

// Thread is a checked body of a request that starts a thread or changes one.
type Thread struct {
	Name        string // "" in a change that leaves it as it is
	AutoArchive int    // minutes; 0 if the body does not say it
	// Archived and Locked are for changes; nil leaves them as they are.
	Archived, Locked *bool
	Message          *Message // the first message of a forum post
}

// StartThread checks the body of a request that starts a thread. r is for the message
// of a forum post.
func (f *Form) StartThread(v any, how Start, r Request) Thread {
	var t Thread
	o, ok := f.object("", v)
	if !ok {
		return t
	}
	if o.require("name") {
		t.Name, _ = o.str("name", 1, MaxThreadName)
	}
	f.threadSettings(o, &t)
	switch how {
	case WithoutMessage:
		f.threadType(o)
		o.boolean("invitable")
	case ForumPost:
		o.array("applied_tags", 0, 5)
		if message, ok := o.get("message"); ok {
			t.Message = f.Message(o.at("message"), message, r)
		} else {
			o.require("message")
		}
	}
	o.done()
	return t
}

// threadType refuses private threads, which are not modelled: Discord makes one where
// the body names no type.
func (f *Form) threadType(o *object) {
	typ, ok := o.integer("type", 10, 12)
	if !ok && o.has("type") {
		return // and it has been said
	}
	if typ != publicThread {
		f.fail(o.at("type"), "BASE_TYPE_CHOICES", "only public threads are modelled here: say type 11")
	}
}

// threadSettings reads what can be set at any time. Slow mode is read and left out.
func (f *Form) threadSettings(o *object, t *Thread) {
	if minutes, ok := o.integer("auto_archive_duration", 0, 1<<30); ok {
		t.AutoArchive = minutes
		if !slices.Contains(autoArchive, minutes) {
			f.fail(o.at("auto_archive_duration"), "BASE_TYPE_CHOICES", "Value must be one of {60, 1440, 4320, 10080}.")
		}
	}
	o.integer("rate_limit_per_user", 0, 21600)
}

// ChangeThread checks the body of a request that changes a thread.
func (f *Form) ChangeThread(v any) Thread {
	var t Thread
	o, ok := f.object("", v)
	if !ok {
		return t
	}
	t.Name, _ = o.str("name", 1, MaxThreadName)
	f.threadSettings(o, &t)
	for key, to := range map[string]**bool{"archived": &t.Archived, "locked": &t.Locked} {
		if b, ok := o.boolean(key); ok {
			*to = &b
		}
	}
	o.done("invitable", "flags", "applied_tags")
	return t
}

// Recipient checks the body of a request for the channel of direct messages, and gives
// the ID of the person.
func (f *Form) Recipient(v any) string {
	o, ok := f.object("", v)
	if !ok || !o.require("recipient_id") {
		return ""
	}
	id, isText := o.get("recipient_id")
	text := fmt.Sprint(id)
	if _, ok := id.(bool); ok || !isText || !IsSnowflake(text) {
		f.fail(o.at("recipient_id"), "NUMBER_TYPE_COERCE", "Value %q is not snowflake.", text)
	}
	o.done()
	return text
}
