package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Form collects what is wrong with one request body. The zero value is ready to
// use. Several parts of a body can be read with the same form.
type Form struct {
	errs     map[string]any
	mistakes []string // "place: text"
	unknown  []string // places of keys that Discord does not know
	house    []string // "place: text", rules of this project rather than of Discord
}

// Errors gives the nested "errors" object that Discord sends with code 50035; nil
// if it would accept the body. Unknown keys and broken house rules are not in it:
// Discord lets them pass.
func (f *Form) Errors() map[string]any { return f.errs }

// Problems lists everything that is wrong, one line each with its place
// ("components.0.custom_id: This field is required"): first unknown keys, then
// broken house rules, then the mistakes for which Discord refuses the body.
func (f *Form) Problems() []string {
	var out []string
	for _, place := range f.unknown {
		out = append(out, "unknown field "+place)
	}
	return slices.Concat(out, f.house, f.mistakes)
}

// fail records a mistake at a place such as "components.0.custom_id".
func (f *Form) fail(place, code, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	f.mistakes = append(f.mistakes, place+": "+text)
	if f.errs == nil {
		f.errs = map[string]any{}
	}
	node := f.errs
	for key := range strings.SplitSeq(place, ".") {
		if key == "" {
			continue
		}
		next, ok := node[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			node[key] = next
		}
		node = next
	}
	old, _ := node["_errors"].([]any)
	node["_errors"] = append(old, map[string]any{"code": code, "message": text})
}

// breaks records a broken house rule.
func (f *Form) breaks(place, format string, args ...any) {
	f.house = append(f.house, place+": "+fmt.Sprintf(format, args...))
}

// length checks a text of min to max characters; max 0 means no limit.
func (f *Form) length(place, s string, min, max int) {
	n := utf8.RuneCountInString(s)
	switch {
	case n == 0 && min > 0:
		f.fail(place, "BASE_TYPE_REQUIRED", "This field is required")
	case max > 0 && n > max && min == 0:
		f.fail(place, "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", max)
	case n < min || max > 0 && n > max:
		f.fail(place, "BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", min, max)
	}
}

// object is a JSON object being read. It counts null as absent, as Discord does
// for optional fields.
type object struct {
	f     *Form
	place string
	m     map[string]any
	known map[string]bool
}

func (f *Form) object(place string, v any) (*object, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		f.fail(place, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
		return nil, false
	}
	return &object{f: f, place: place, m: m, known: map[string]bool{}}, true
}

func join(place, key string) string {
	if place == "" {
		return key
	}
	return place + "." + key
}

// at gives the place of a key or, with more keys, of something below it.
func (o *object) at(keys ...any) string {
	place := o.place
	for _, key := range keys {
		place = join(place, fmt.Sprint(key))
	}
	return place
}

// commaList writes numbers as Discord's error texts do: "4, 5, 9".
func commaList(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ", "), "[]")
}

// get gives a value and marks its key as known.
func (o *object) get(key string) (any, bool) {
	o.known[key] = true
	v, ok := o.m[key]
	return v, ok && v != nil
}

// has reports whether the key is there at all, even with the value null.
func (o *object) has(key string) bool {
	o.known[key] = true
	_, ok := o.m[key]
	return ok
}

func (o *object) require(key string) bool {
	if _, ok := o.get(key); !ok {
		o.f.fail(o.at(key), "BASE_TYPE_REQUIRED", "This field is required")
		return false
	}
	return true
}

// str reads a text of min to max characters; max 0 means no limit.
func (o *object) str(key string, min, max int) (string, bool) {
	v, ok := o.get(key)
	if !ok {
		return "", false
	}
	s, ok := v.(string)
	if !ok {
		o.f.fail(o.at(key), "STRING_TYPE_CONVERT", "Could not interpret value as string.")
		return "", false
	}
	o.f.length(o.at(key), s, min, max)
	return s, true
}

func (o *object) integer(key string, min, max int) (int, bool) {
	v, ok := o.get(key)
	if !ok {
		return 0, false
	}
	num, ok := v.(json.Number)
	if !ok {
		o.f.fail(o.at(key), "NUMBER_TYPE_COERCE", "Value %q is not int.", fmt.Sprint(v))
		return 0, false
	}
	n, err := strconv.Atoi(num.String())
	if err != nil {
		o.f.fail(o.at(key), "NUMBER_TYPE_COERCE", "Value %q is not int.", num.String())
		return 0, false
	}
	if n < min {
		o.f.fail(o.at(key), "NUMBER_TYPE_MIN", "int value should be greater than or equal to %d.", min)
		return 0, false
	}
	if n > max {
		o.f.fail(o.at(key), "NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", max)
		return 0, false
	}
	return n, true
}

func (o *object) boolean(key string) (value, ok bool) {
	v, ok := o.get(key)
	if !ok {
		return false, false
	}
	b, ok := v.(bool)
	if !ok {
		o.f.fail(o.at(key), "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
		return false, false
	}
	return b, true
}

// array reads a list of min to max entries.
func (o *object) array(key string, min, max int) ([]any, bool) {
	v, ok := o.get(key)
	if !ok {
		return nil, false
	}
	a, ok := v.([]any)
	if !ok {
		o.f.fail(o.at(key), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
		return nil, false
	}
	if len(a) < min || len(a) > max {
		if min == 0 {
			o.f.fail(o.at(key), "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", max)
		} else {
			o.f.fail(o.at(key), "BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", min, max)
		}
		return nil, false
	}
	return a, true
}

// done reports the keys that have not been read and are not allowed, and removes
// them: Discord ignores them, but [convert] would read "Name" as "name".
func (o *object) done(allowed ...string) {
	for _, k := range allowed {
		o.known[k] = true
	}
	var extra []string
	for k := range o.m {
		if !o.known[k] {
			extra = append(extra, o.at(k))
			delete(o.m, k)
		}
	}
	slices.Sort(extra)
	o.f.unknown = append(o.f.unknown, extra...)
}

// Decode reads one JSON value as [Form] needs it: numbers stay as they were
// written. Anything after the value is an error.
func Decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

// convert turns a checked generic value into a typed one.
func convert[T any](v any) (T, error) {
	var out T
	data, err := json.Marshal(v)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		err = d.Decode(&out)
	}
	return out, err
}

// IsSnowflake reports whether s is written like one of Discord's IDs: a decimal
// number of 64 bits.
func IsSnowflake(s string) bool {
	if s == "" || len(s) > 20 {
		return false
	}
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}
