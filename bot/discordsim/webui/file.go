package webui

import (
	"bytes"
	"mime"
	"net/http"
	"time"
)

// pictureType gives a media type without its parameters; "" if it is malformed.
func pictureType(contentType string) string {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return mediaType
}

// file serves the bytes of an attachment. Unless the bytes themselves are those
// of a picture, it is sent as a file to be saved, whatever the uploader called
// it.
func (u *ui) file(w http.ResponseWriter, r *http.Request) {
	attachment, body, ok := u.sim.Attachment(r.PathValue("id"))
	if !ok {
		writeError(w, notFound("the attachment does not exist"))
		return
	}
	header := w.Header()
	if kind := pictureType(http.DetectContentType(body)); pictureTypes[kind] {
		header.Set("Content-Type", kind)
	} else {
		header.Set("Content-Type", "application/octet-stream")
		header.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": attachment.Filename}))
	}
	// An attachment never changes; an edit makes a new one.
	header.Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// emoji serves the picture of one of the application's emoji.
func (u *ui) emoji(w http.ResponseWriter, r *http.Request) {
	e, ok := u.sim.EmojiPicture(r.PathValue("id"))
	kind := pictureType(e.ContentType)
	if !ok || !pictureTypes[kind] {
		writeError(w, notFound("the emoji does not exist"))
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable") // an emoji's picture never changes
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(e.Data))
}
