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
	"time"

	"github.com/lascabot/lascabot/bot/discordsim/check"
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
func (s *Server) putBlob(channelID string, in check.Attachment) Attachment {
	u := in.File
	a := Attachment{ID: s.newID(), Filename: u.Filename, ContentType: fileType(u), Size: len(u.Data)}
	if in.Filename != "" {
		a.Filename = in.Filename
	}
	if in.Description != nil {
		a.Description = *in.Description
	}
	if c, _, err := image.DecodeConfig(bytes.NewReader(u.Data)); err == nil {
		a.Width, a.Height = c.Width, c.Height
	}
	a.Path = "/attachments/" + channelID + "/" + a.ID + "/" + a.Filename
	b := &blob{Attachment: a, Data: u.Data}
	s.blobs[a.ID] = b
	s.record(recBlob, b)
	return a
}

// fileType takes the media type of pictures from the content; otherwise the name
// decides, then what the bot declared.
func fileType(u *check.File) string {
	if t := http.DetectContentType(u.Data); strings.HasPrefix(t, "image/") {
		return t
	}
	if t := mime.TypeByExtension(path.Ext(u.Filename)); t != "" {
		return t
	}
	if u.ContentType != "" {
		return u.ContentType
	}
	return "application/octet-stream"
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

// Attachment gives a file of a message by the attachment's ID; false when it is
// not there. Files that an edit removed stay for a while.
func (s *Server) Attachment(id string) (Attachment, []byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.blobs[id]
	if b == nil {
		return Attachment{}, nil, false
	}
	return b.Attachment, slices.Clone(b.Data), true
}

func (s *Server) serveAttachment(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(r.URL.Path, "/") // "", attachments, channel, id, name
	s.mu.Lock()
	var b *blob
	if len(parts) == 5 {
		b = s.blobs[parts[3]]
	}
	s.mu.Unlock()
	if b == nil || b.Attachment.Path != r.URL.Path {
		http.Error(w, "This content is no longer available.", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", b.Attachment.ContentType)
	// The page shares its origin with these files, so no file may act as one.
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(b.Data))
}
