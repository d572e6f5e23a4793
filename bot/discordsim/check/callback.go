package check

import "slices"

// Interaction callback types: how a bot can answer an interaction first.
const (
	AnswerMessage        = 4 // a new message
	AnswerDeferred       = 5 // "thinking"; the message follows
	AnswerDeferredUpdate = 6 // nothing to see; an edit may follow
	AnswerUpdate         = 7 // an edit of the message that carries the component
	AnswerChoices        = 8 // suggestions for an option
	AnswerModal          = 9 // a form to fill in
)

// Modal is a form that a bot opens.
type Modal struct {
	CustomID   string
	Title      string
	Components []Component
}

// Callback checks the body of a first answer, except for what is in its "data".
// allowed are the types that fit the interaction. It gives the type and the data
// (nil if there is none); false if the type is missing, does not fit, or lacks
// the data it needs.
func (f *Form) Callback(v any, allowed []int) (typ int, data any, ok bool) {
	o, ok := f.object("", v)
	if !ok || !o.require("type") {
		return 0, nil, false
	}
	if typ, ok = o.integer("type", 1, 12); !ok {
		return 0, nil, false
	}
	if !slices.Contains(allowed, typ) {
		f.fail("type", "BASE_TYPE_CHOICES", "Value must be one of {%s}.", commaList(allowed))
		return 0, nil, false
	}
	data, _ = o.get("data")
	o.done()
	if typ == AnswerMessage || typ == AnswerUpdate {
		ok = o.require("data")
	}
	return typ, data, ok
}

// Deferred checks the data of an [AnswerDeferred] and reports whether the answer
// will be ephemeral.
func (f *Form) Deferred(data any) (ephemeral bool) {
	if data == nil {
		return false
	}
	o, ok := f.callbackData(data, "flags", "allowed_mentions")
	if !ok {
		return false
	}
	flags, _ := o.integer("flags", 0, 1<<30)
	if bad := flags &^ FlagEphemeral; bad != 0 {
		f.breaks("data.flags", "a deferred answer takes EPHEMERAL only, not %d", bad)
	}
	o.done("allowed_mentions")
	return flags&FlagEphemeral != 0
}

// DeferredUpdate checks the data of an [AnswerDeferredUpdate], which should be
// missing or empty.
func (f *Form) DeferredUpdate(data any) {
	if data != nil {
		f.callbackData(data)
	}
}

// Choices checks the data of an [AnswerChoices] for an option of a type such as
// [StringOption] and gives the suggestions.
func (f *Form) Choices(data any, optionType int) []Choice {
	o, ok := f.callbackData(data, "choices")
	if !ok {
		return nil
	}
	o.require("choices")
	list, _ := o.array("choices", 0, maxChoices)
	o.done()
	for i, v := range list {
		f.choice(o.at("choices", i), v, optionType)
	}
	if f.errs != nil {
		return nil
	}
	out, err := convert[[]Choice](list)
	if err != nil {
		f.fail("data.choices", "MODEL_TYPE_CONVERT", "%v", err)
	}
	return out
}

// Modal checks the data of an [AnswerModal]. emoji reports whether the application has
// an emoji of its own; nil if it has none.
func (f *Form) Modal(data any, emoji func(id string) bool) Modal {
	var m Modal
	o, ok := f.callbackData(data, "custom_id", "title", "components")
	if !ok {
		return m
	}
	o.require("custom_id")
	o.require("title")
	o.require("components")
	m.CustomID, _ = o.str("custom_id", 1, 100)
	m.Title, _ = o.str("title", 1, 45)
	if list, ok := o.array("components", 1, 5); ok {
		c := &layout{f: f, modal: true, emojiKnown: emoji}
		m.Components = c.components(o.at("components"), list)
	}
	o.done()
	return m
}

// callbackData reads the data of a callback type for which only the named keys
// mean something. Other keys may be there if they are empty, since discordgo
// always sends a few.
func (f *Form) callbackData(data any, keys ...string) (*object, bool) {
	o, ok := f.object("data", data)
	if !ok {
		return nil, false
	}
	for key, v := range o.m {
		if slices.Contains(keys, key) {
			continue
		}
		o.known[key] = true
		list, isList := v.([]any)
		if v != nil && v != "" && v != false && !(isList && len(list) == 0) {
			f.breaks(o.at(key), "means nothing for this type of answer")
		}
	}
	return o, true
}
