package openapicheck

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

var (
	// ErrDocument says that a file is not an OpenAPI 3.1 document.
	ErrDocument = errors.New("not an OpenAPI 3.1 document")
	// ErrRoute says that the document does not have this method and path.
	ErrRoute = errors.New("no such route")
	// ErrBody says that a body does not match its description in the document.
	ErrBody = errors.New("body does not match the document")
)

// Checker checks requests and answers. It is safe for concurrent use.
type Checker struct {
	routes   []route
	compiler *jsonschema.Compiler

	mu      sync.Mutex // guards compiler and schemas
	schemas map[string]*jsonschema.Schema
}

// route is an operation of the document.
type route struct {
	method   string // upper case
	segments []string
	body     string // JSON pointer to the schema of the body, "" without a body
	required bool
	answers  map[string]string // by status, such pointers to the schemas of answers
}

// document is the name of the document within the compiler.
const document = "openapi.json"

// Load reads an OpenAPI document. The error wraps [ErrDocument], or is the one
// from reading the file.
func Load(path string) (*Checker, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDocument, path, err)
	}
	root, _ := doc.(map[string]any)
	if version, _ := root["openapi"].(string); !strings.HasPrefix(version, "3.1.") {
		return nil, fmt.Errorf("%w: %s: version is %q", ErrDocument, path, version)
	}
	c := &Checker{schemas: map[string]*jsonschema.Schema{}, compiler: jsonschema.NewCompiler()}
	paths, _ := root["paths"].(map[string]any)
	for template, operations := range paths {
		operations, _ := operations.(map[string]any)
		for method, operation := range operations {
			if operation, ok := operation.(map[string]any); ok && method != "parameters" {
				c.routes = append(c.routes, newRoute(method, template, operation))
			}
		}
	}
	if len(c.routes) == 0 {
		return nil, fmt.Errorf("%w: %s: it has no paths", ErrDocument, path)
	}
	closeObjects(root)
	c.compiler.AssertFormat()
	if err := c.compiler.AddResource(document, doc); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDocument, path, err)
	}
	return c, nil
}

func newRoute(method, template string, operation map[string]any) route {
	r := route{method: strings.ToUpper(method), segments: strings.Split(template, "/"), answers: map[string]string{}}
	body, _ := operation["requestBody"].(map[string]any)
	content, _ := body["content"].(map[string]any)
	r.required, _ = body["required"].(bool)
	// A form's payload_json is what the JSON body would be.
	for _, kind := range []string{"application/json", "multipart/form-data"} {
		if _, ok := content[kind]; ok {
			r.body = pointer("paths", template, strings.ToLower(method), "requestBody", "content", kind, "schema")
			break
		}
	}
	responses, _ := operation["responses"].(map[string]any)
	for status, response := range responses {
		response, _ := response.(map[string]any)
		r.answers[status] = ""
		if content, _ := response["content"].(map[string]any); content["application/json"] != nil {
			r.answers[status] = pointer("paths", template, strings.ToLower(method), "responses", status, "content", "application/json", "schema")
		}
	}
	return r
}

// pointer returns the URL of a place in the document.
func pointer(steps ...string) string {
	var b strings.Builder
	for _, step := range steps {
		step = strings.NewReplacer("~", "~0", "/", "~1").Replace(step)
		b.WriteString("/" + url.PathEscape(step))
	}
	return document + "#" + b.String()
}

// closeObjects forbids unknown fields in every schema that describes an object
// by its fields. Schemas that are combined with allOf stay open.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, fields := v["properties"].(map[string]any)
		_, said := v["additionalProperties"]
		_, parts := v["allOf"]
		if fields && !said && !parts && isObject(v["type"]) {
			v["additionalProperties"] = false
		}
		for key, inner := range v {
			if parts, ok := inner.([]any); ok && key == "allOf" {
				for _, part := range parts {
					if part, ok := part.(map[string]any); ok {
						closeInside(part)
					}
				}
				continue
			}
			closeObjects(inner)
		}
	case []any:
		for _, inner := range v {
			closeObjects(inner)
		}
	}
}

// closeInside closes the schemas inside a part of an allOf, but not the part
// itself.
func closeInside(part map[string]any) {
	for _, inner := range part {
		closeObjects(inner)
	}
}

func isObject(kind any) bool {
	switch kind := kind.(type) {
	case string:
		return kind == "object"
	case []any:
		return slices.Contains(kind, any("object"))
	}
	return false
}

// Check compares one request with the document: its method, its path (with or
// without /api and a version) and its JSON body, which is the part payload_json
// of a form and nil for a request without a body. Check ignores files, headers
// and queries. The error wraps [ErrRoute] or [ErrBody] and names the places in
// the body, or wraps [ErrDocument] when the document's own schema is broken.
func (c *Checker) Check(method, path string, body []byte) error {
	r, err := c.route(method, path)
	if err != nil {
		return err
	}
	where := r.method + " " + strings.Join(r.segments, "/")
	switch {
	case len(body) == 0 && !r.required:
		return nil
	case len(body) == 0:
		return fmt.Errorf("%w: %s needs a body", ErrBody, where)
	case r.body == "":
		return fmt.Errorf("%w: %s takes no body", ErrBody, where)
	}
	return c.validate(where, r.body, body)
}

// CheckAnswer compares one answer that succeeded with the document: the status and the
// JSON body, nil for none. Errors are those of [Checker.Check].
func (c *Checker) CheckAnswer(method, path string, status int, body []byte) error {
	r, err := c.route(method, path)
	if err != nil {
		return err
	}
	where := fmt.Sprintf("%s %s: answer %d", r.method, strings.Join(r.segments, "/"), status)
	schema, ok := r.answers[strconv.Itoa(status)]
	switch {
	case !ok:
		return fmt.Errorf("%w: %s is not in the document", ErrBody, where)
	case schema == "" && len(body) == 0:
		return nil
	case schema == "":
		return fmt.Errorf("%w: %s has no body", ErrBody, where)
	}
	return c.validate(where, schema, body)
}

// validate compares JSON with the schema at a place of the document.
func (c *Checker) validate(where, at string, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrBody, where, err)
	}
	schema, err := c.schema(at)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDocument, where, err)
	}
	err = schema.Validate(value)
	var fault *jsonschema.ValidationError
	if errors.As(err, &fault) {
		return fmt.Errorf("%w: %s: %s", ErrBody, where, strings.Join(reasons(fault), "; "))
	}
	return err
}

// route finds the template of a path. When several match, it takes the one with
// the most fixed segments.
func (c *Checker) route(method, path string) (route, error) {
	path, _, _ = strings.Cut(path, "?")
	if rest, ok := strings.CutPrefix(path, "/api/"); ok {
		if version, rest, ok := strings.Cut(rest, "/"); ok && strings.HasPrefix(version, "v") {
			path = "/" + rest
		} else {
			path = "/" + path[len("/api/"):]
		}
	}
	segments := strings.Split(path, "/")
	var best *route
	for i := range c.routes {
		r := &c.routes[i]
		if r.method == method && r.fits(segments) && (best == nil || r.fixed() > best.fixed()) {
			best = r
		}
	}
	if best == nil {
		return route{}, fmt.Errorf("%w: %s %s", ErrRoute, method, path)
	}
	return *best, nil
}

func isParameter(segment string) bool { return strings.HasPrefix(segment, "{") }

func (r *route) fits(segments []string) bool {
	return slices.EqualFunc(r.segments, segments, func(template, segment string) bool {
		return template == segment || isParameter(template) && segment != ""
	})
}

// fixed returns the number of segments that are not parameters.
func (r *route) fixed() (n int) {
	for _, s := range r.segments {
		if !isParameter(s) {
			n++
		}
	}
	return n
}

// schema returns a compiled schema; it compiles each one once.
func (c *Checker) schema(at string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.schemas[at]; s != nil {
		return s, nil
	}
	s, err := c.compiler.Compile(at)
	if err == nil {
		c.schemas[at] = s
	}
	return s, err
}

// reasons lists what is wrong and where. In a union it leaves out the
// alternatives that the value was not meant to be.
func reasons(fault *jsonschema.ValidationError) []string {
	causes := fault.Causes
	switch fault.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		meant := slices.DeleteFunc(slices.Clone(causes), func(cause *jsonschema.ValidationError) bool {
			return isOfOtherType(cause, fault.InstanceLocation)
		})
		if len(meant) > 0 {
			causes = meant
		}
	}
	if len(causes) == 0 {
		text := fault.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		return []string{"/" + strings.Join(fault.InstanceLocation, "/") + ": " + text}
	}
	var all []string
	for _, cause := range causes {
		for _, reason := range reasons(cause) {
			if !slices.Contains(all, reason) {
				all = append(all, reason)
			}
		}
	}
	return all
}

// isOfOtherType reports whether the fault says that the value at a place is of
// another JSON type, or that its field "type" names another alternative.
func isOfOtherType(fault *jsonschema.ValidationError, place []string) bool {
	if len(fault.Causes) == 0 {
		_, wrong := fault.ErrorKind.(*kind.Type)
		return wrong && slices.Equal(fault.InstanceLocation, place) ||
			slices.Equal(fault.InstanceLocation, append(slices.Clip(place), "type"))
	}
	return slices.ContainsFunc(fault.Causes, func(cause *jsonschema.ValidationError) bool {
		return isOfOtherType(cause, place)
	})
}
