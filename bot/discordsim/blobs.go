package discordsim

import (
	"bytes"
	"image"
	_ "image/gif" // the sizes of pictures
	_ "image/jpeg"
	_ "image/png"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
)

// blob is the content of an attachment.
type blob struct {
	Attachment Attachment
	Data       []byte
}

// keptBlobs is how many files that no message shows any more are still served,
// so that a page that is just loading one gets it.
const keptBlobs = 32

// putBlob stores an upload and gives its attachment. The caller holds s.mu.
func (s *Server) putBlob(channelID string, u upload, in attachmentInput) Attachment {
	a := Attachment{ID: s.newID(), Filename: u.filename, ContentType: fileType(u), Size: len(u.data)}
	if in.filename != "" {
		a.Filename = cleanFilename(in.filename)
	}
	if in.description != nil {
		a.Description = *in.description
	}
	if c, _, err := image.DecodeConfig(bytes.NewReader(u.data)); err == nil {
		a.Width, a.Height = c.Width, c.Height
	}
	a.Path = "/attachments/" + channelID + "/" + a.ID + "/" + a.Filename
	b := &blob{Attachment: a, Data: u.data}
	s.blobs[a.ID] = b
	s.record(recBlob, b)
	return a
}

// retireBlob forgets a file some time after the last message let go of it.
func (s *Server) retireBlob(id string) {
	s.oldBlobs = append(s.oldBlobs, id)
	for len(s.oldBlobs) > keptBlobs {
		delete(s.blobs, s.oldBlobs[0])
		s.oldBlobs = slices.Delete(s.oldBlobs, 0, 1)
	}
}

func (s *Server) forgetBlobs(m *message) {
	for _, a := range m.Attachments {
		s.retireBlob(a.ID)
	}
}

// Attachment gives a file of a message by the attachment's ID. Files that an
// edit removed stay for a while.
func (s *Server) Attachment(id string) (Attachment, []byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.blobs[id]
	if b == nil {
		return Attachment{}, nil, false
	}
	return b.Attachment, slices.Clone(b.Data), true
}

// cleanFilename does to a name what Discord does: no folders, no spaces.
func cleanFilename(name string) string {
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

// fileType tells the media type from the content, else from the name, else as declared.
func fileType(u upload) string {
	if t := http.DetectContentType(u.data); strings.HasPrefix(t, "image/") {
		return t
	}
	if t := mime.TypeByExtension(path.Ext(u.filename)); t != "" {
		return t
	}
	if u.contentType != "" {
		return u.contentType
	}
	return "application/octet-stream"
}

// describedInLayout says whether a gallery or thumbnail of the newer layout
// shows the file with a description of its own.
func describedInLayout(list []Component, filename string) bool {
	found := false
	walk(list, func(c *Component) bool {
		if c.Media != nil && c.Media.URL == "attachment://"+filename && strings.TrimSpace(c.Description) != "" {
			found = true
		}
		for _, it := range c.Items {
			if it.Media.URL == "attachment://"+filename && strings.TrimSpace(it.Description) != "" {
				found = true
			}
		}
		return !found
	})
	return found
}

// pictureRules notes pictures without alt text and files that only claim to be
// pictures.
func pictureRules(f *form, place string, in *messageInput, files []upload) {
	for _, a := range in.attachments {
		if a.n < 0 {
			continue
		}
		i := slices.IndexFunc(files, func(u upload) bool { return u.n == a.n })
		u := files[i]
		claims := strings.HasPrefix(u.contentType, "image/") || strings.HasPrefix(mime.TypeByExtension(path.Ext(u.filename)), "image/")
		_, _, err := image.DecodeConfig(bytes.NewReader(u.data))
		if !claims && err != nil {
			continue
		}
		if err != nil {
			f.own = append(f.own, join(place, "files")+": "+u.filename+" is not a readable PNG, JPEG or GIF picture")
		}
		if (a.description == nil || strings.TrimSpace(*a.description) == "") && !describedInLayout(in.components, u.filename) {
			f.own = append(f.own, join(place, "attachments")+": picture "+u.filename+" has no description (alt text)")
		}
	}
}
