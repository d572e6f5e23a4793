package discordsim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// form checks a request body the way Discord does: it collects every mistake
// with its place and turns them into the nested "errors" object of code 50035.
// Keys that nobody knows are collected apart, Discord ignores them.
type form struct {
	errs    map[string]any
	list    []string // "place: text", for the violations
	unknown []string
	// own collects broken rules of this package rather than of Discord.
	own []string
}

// fail notes a mistake at a place such as "components.0.custom_id".
func (f *form) fail(place, code, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	f.list = append(f.list, place+": "+text)
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

// err gives the answer to a body with mistakes, nil when there are none.
func (f *form) err() *apiError {
	if len(f.list) == 0 {
		return nil
	}
	return &apiError{
		status: http.StatusBadRequest, code: 50035, fields: f.errs,
		message: "Invalid Form Body",
	}
}

// fields reads one JSON object. null counts as absent, as it does for the
// optional fields of Discord.
type fields struct {
	f     *form
	place string
	m     map[string]any
	known map[string]bool
}

func (f *form) object(place string, v any) (*fields, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		f.fail(place, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
		return nil, false
	}
	return &fields{f: f, place: place, m: m, known: map[string]bool{}}, true
}

func join(place, key string) string {
	if place == "" {
		return key
	}
	return place + "." + key
}

func (o *fields) at(key string) string { return join(o.place, key) }

// get gives a value and marks its key as known.
func (o *fields) get(key string) (any, bool) {
	o.known[key] = true
	v, ok := o.m[key]
	return v, ok && v != nil
}

// has says whether the key is there at all, null included.
func (o *fields) has(key string) bool {
	o.known[key] = true
	_, ok := o.m[key]
	return ok
}

func (o *fields) require(key string) bool {
	if _, ok := o.get(key); !ok {
		o.f.fail(o.at(key), "BASE_TYPE_REQUIRED", "This field is required")
		return false
	}
	return true
}

// str reads a text of min to max characters; max 0 is no limit.
func (o *fields) str(key string, min, max int) (string, bool) {
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

func (f *form) length(place, s string, min, max int) {
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

func (o *fields) integer(key string, min, max int) (int, bool) {
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

func (o *fields) boolean(key string) (value, ok bool) {
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
func (o *fields) array(key string, min, max int) ([]any, bool) {
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

// done notes the keys that nobody asked for, except the allowed ones, and takes
// them out: Discord ignores them, while [convert] would read "Name" as "name".
func (o *fields) done(allowed ...string) {
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
	sort.Strings(extra)
	o.f.unknown = append(o.f.unknown, extra...)
}

// decodeJSON reads one JSON value with numbers kept as text.
func decodeJSON(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("trailing data")
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
