package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // the kinds of picture that Discord shows
	_ "image/jpeg"
	_ "image/png"
	"io"
	"mime"
	"mime/multipart"
	"path"
	"slices"
	"strconv"
	"strings"
)

// MaxFileSize is the most bytes that one uploaded file can have.
const MaxFileSize = 10 << 20

const maxAttachments = 10 // of one message

// File is an uploaded file of a multipart body.
type File struct {
	N           int    // its number, see [File.Field]
	Filename    string // as Discord stores it, see [ReadMultipart]
	SentName    string // as the bot sent it
	ContentType string // as the bot declared it
	Data        []byte
}

// Field gives the name of the file's part, "files[0]".
func (f File) Field() string { return fmt.Sprintf("files[%d]", f.N) }

// ReadMultipart takes a multipart body apart: the JSON in "payload_json" (nil if
// there is none) and the files in "files[0]", "files[1]" and so on. Any other
// part is an error. In file names, folders are removed, spaces become
// underscores, and of the rest only ASCII letters, digits, dots, hyphens and
// underscores stay.
func ReadMultipart(body []byte, boundary string) (payload []byte, files []File, err error) {
	for mr := multipart.NewReader(bytes.NewReader(body), boundary); ; {
		p, err := mr.NextPart()
		if errors.Is(err, io.EOF) {
			return payload, files, nil
		}
		if err != nil {
			return nil, nil, err
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return nil, nil, err
		}
		name := p.FormName()
		if name == "payload_json" {
			payload = data
			continue
		}
		file := File{Filename: CleanFilename(p.FileName()), SentName: p.FileName(), ContentType: p.Header.Get("Content-Type"), Data: data}
		if _, err := fmt.Sscanf(name, "files[%d]", &file.N); err != nil || name != file.Field() || file.N < 0 {
			return nil, nil, fmt.Errorf("unknown part %q; call the files files[0], files[1], …", name)
		}
		if file.Filename == "" || file.Filename == "." {
			return nil, nil, fmt.Errorf("part %q has no file name", name)
		}
		if fileNumber(files, file.N) != nil {
			return nil, nil, fmt.Errorf("part %q appears twice", name)
		}
		files = append(files, file)
	}
}

// fileNumber gives the upload with a number; nil if there is none.
func fileNumber(files []File, n int) *File {
	if i := slices.IndexFunc(files, func(u File) bool { return u.N == n }); i >= 0 {
		return &files[i]
	}
	return nil
}

// CleanFilename does to a name what Discord does.
func CleanFilename(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-', r == '_':
			return r
		case r == ' ':
			return '_'
		}
		return -1
	}, name)
}

// Attachment is a file that a message will have: one that was uploaded with the
// body, or one that the message has already.
type Attachment struct {
	// File is the upload; nil for a file that the message keeps.
	File *File
	// ID is the kept file's; "" for an upload.
	ID string
	// Filename replaces the name of the upload; "" keeps it.
	Filename string
	// Description is the alt text; nil leaves that of a kept file as it is.
	Description *string
}

// attachments reads the list of attachments and adds the files that the request
// implies: uploads that are not listed and, for an edit without a list, all the
// files that the message has.
func (f *Form) attachments(o *object, m *Message, r Request) {
	_, listed := o.get("attachments")
	list, _ := o.array("attachments", 0, maxAttachments)
	for i, v := range list {
		if a, ok := f.attachment(o.at("attachments", i), v, m, r); ok {
			m.Attachments = append(m.Attachments, a)
		}
	}
	for i := range r.Files {
		file := &r.Files[i]
		if slices.ContainsFunc(m.Attachments, func(a Attachment) bool { return a.File != nil && a.File.N == file.N }) {
			continue
		}
		if r.Old != nil && r.Version >= 10 {
			if listed {
				f.breaks(o.at("attachments"), "files[%d] is not listed, version 10 drops it", file.N)
				continue
			}
			f.breaks(o.at("attachments"), "missing although version 10 wants every retained and new file listed")
		}
		m.Attachments = append(m.Attachments, Attachment{File: file})
	}
	if r.Old != nil && !listed {
		var kept []Attachment
		for _, a := range r.Old.Attachments {
			kept = append(kept, Attachment{ID: a.ID})
		}
		m.Attachments = append(kept, m.Attachments...)
	}
	if len(m.Attachments) > maxAttachments {
		f.fail(o.at("attachments"), "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", maxAttachments)
	}
}

// attachment reads one entry of the list; false if it does not name a file that
// the message can have.
func (f *Form) attachment(place string, v any, m *Message, r Request) (Attachment, bool) {
	var out Attachment
	a, ok := f.object(place, v)
	if !ok || !a.require("id") {
		return out, false
	}
	id := ""
	switch raw := a.m["id"].(type) {
	case string:
		id = raw
	case json.Number:
		id = raw.String()
	}
	filename, _ := a.str("filename", 0, 1024)
	if filename != "" {
		out.Filename = CleanFilename(filename)
	}
	if description, ok := a.str("description", 0, 1024); ok {
		out.Description = &description
	}
	// discordgo sends the whole attachment object; Discord takes it.
	a.done("url", "proxy_url", "content_type", "width", "height", "size", "ephemeral",
		"duration_secs", "waveform", "flags", "title", "is_spoiler", "is_remix")

	if n, err := strconv.Atoi(id); err == nil {
		out.File = fileNumber(r.Files, n)
	}
	if out.File == nil {
		out.ID = id
		if r.Old == nil || !slices.ContainsFunc(r.Old.Attachments, func(x StoredFile) bool { return x.ID == id }) {
			f.fail(a.at("id"), "ATTACHMENT_NOT_FOUND", "Attachment data not found")
			return out, false
		}
	}
	if slices.ContainsFunc(m.Attachments, func(x Attachment) bool { return x.File == out.File && x.ID == out.ID }) {
		f.fail(a.at("id"), "ATTACHMENT_ID_DUPLICATED", "Attachment ID %s is used twice", id)
		return out, false
	}
	return out, true
}

// filesAfter gives the file names that attachment:// may refer to: those of the
// uploads and of the files that the message keeps.
func filesAfter(m *Message, r Request) map[string]bool {
	names := map[string]bool{}
	for _, file := range r.Files {
		names[file.Filename] = true
	}
	if r.Old != nil {
		for _, old := range r.Old.Attachments {
			if slices.ContainsFunc(m.Attachments, func(a Attachment) bool { return a.File == nil && a.ID == old.ID }) {
				names[old.Filename] = true
			}
		}
	}
	return names
}

// pictures applies the house rules for pictures: each has alt text and can be
// decoded.
func (f *Form) pictures(place string, m *Message, files []File) {
	for _, a := range m.Attachments {
		if a.File == nil {
			continue
		}
		name := a.File.Filename
		claims := strings.HasPrefix(a.File.ContentType, "image/") || strings.HasPrefix(mime.TypeByExtension(path.Ext(name)), "image/")
		_, _, err := image.DecodeConfig(bytes.NewReader(a.File.Data))
		if !claims && err != nil {
			continue
		}
		if err != nil {
			f.breaks(join(place, "files"), "%s is not a readable PNG, JPEG or GIF picture", name)
		}
		if (a.Description == nil || strings.TrimSpace(*a.Description) == "") && !describedInLayout(m.Components, name) {
			f.breaks(join(place, "attachments"), "picture %s has no description (alt text)", name)
		}
	}
}

// describedInLayout reports whether a gallery or thumbnail of the newer layout
// shows the file with a description of its own.
func describedInLayout(list []Component, filename string) bool {
	shows := func(m *Media, description string) bool {
		return m != nil && m.URL == "attachment://"+filename && strings.TrimSpace(description) != ""
	}
	found := false
	Walk(list, func(c *Component) {
		found = found || shows(c.Media, c.Description)
		for _, item := range c.Items {
			found = found || shows(&item.Media, item.Description)
		}
	})
	return found
}
