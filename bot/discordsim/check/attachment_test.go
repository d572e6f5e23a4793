package check

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/textproto"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAttachmentsOfAnEdit has both versions of the API, which differ in what
// happens to files that the list leaves out.
func TestAttachmentsOfAnEdit(t *testing.T) {
	at := func(id string, more ...obj) []obj { return append([]obj{{"id": id, "description": "p"}}, more...) }
	old := obj{"id": "7"}
	cases := []struct {
		name    string
		version int
		list    any // nil: no attachments field
		upload  bool
		want    []string
		problem string // "" for none
	}{
		{"9, nothing said, nothing sent", 9, nil, false, []string{"7"}, ""},
		{"9, nothing said, a file sent, is added", 9, nil, true, []string{"7", "new.png"}, "no description"},
		{"9, only the new one listed", 9, at("0"), true, []string{"new.png"}, ""},
		{"9, both listed", 9, at("0", old), true, []string{"new.png", "7"}, ""},
		{"9, the new one not listed, is added anyway", 9, []obj{old}, true, []string{"7", "new.png"}, "no description"},
		{"9, an empty list", 9, []obj{}, false, nil, ""},
		{"10, nothing said, nothing sent", 10, nil, false, []string{"7"}, ""},
		{"10, only the new one listed", 10, at("0"), true, []string{"new.png"}, ""},
		{"10, both listed", 10, at("0", old), true, []string{"new.png", "7"}, ""},
		{"10, the new one not listed, is dropped", 10, []obj{old}, true, []string{"7"}, "version 10 drops it"},
		{"10, nothing said, a file sent", 10, nil, true, []string{"7", "new.png"}, "version 10 wants"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := Request{Kind: EditMessage, Version: c.version, Old: &Stored{Attachments: []StoredFile{{"7", "old.png"}}}}
			if c.upload {
				r.Files = []File{picture(t, 0, "new.png")}
			}
			body := obj{"content": "y", "allowed_mentions": quiet}
			if c.list != nil {
				body["attachments"] = c.list
			}
			f := &Form{}
			m := f.Message("", decoded(t, body), r)
			var got []string
			for _, a := range m.Attachments {
				if a.File != nil {
					got = append(got, a.File.Filename)
				} else {
					got = append(got, a.ID)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" || f.Errors() != nil {
				t.Errorf("attachments (-want +got), errors %v:\n%s", f.Errors(), d)
			}
			if all := fmt.Sprint(f.Problems()); c.problem == "" && len(f.Problems()) > 0 || !strings.Contains(all, c.problem) {
				t.Errorf("problems = %s, want %q", all, c.problem)
			}
		})
	}
}

func TestAnAttachmentIsListedOnce(t *testing.T) {
	r := Request{Kind: EditMessage, Version: 10, Files: []File{picture(t, 0, "new.png")}, Old: &Stored{Attachments: []StoredFile{{"7", "old.png"}}}}
	for _, id := range []string{"0", "7"} {
		f := &Form{}
		f.Message("", decoded(t, obj{"attachments": []obj{{"id": id}, {"id": id}}}), r)
		wantMistake(t, f, "attachments.1.id", "ATTACHMENT_ID_DUPLICATED")
	}
}

// TestReadMultipart has the parts that Discord takes, and those it refuses.
func TestReadMultipart(t *testing.T) {
	write := func(parts ...string) ([]byte, string) {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		for _, disposition := range parts {
			p, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {"form-data; " + disposition}, "Content-Type": {"text/plain"}})
			if err != nil {
				t.Fatal(err)
			}
			p.Write([]byte("data"))
		}
		w.Close()
		return b.Bytes(), w.Boundary()
	}
	body, boundary := write(`name="payload_json"`, `name="files[1]"; filename="C:\\boards\\my board (2).png"`)
	payload, files, err := ReadMultipart(body, boundary)
	want := []File{{N: 1, Filename: "my_board_2.png", SentName: `C:\boards\my board (2).png`, ContentType: "text/plain", Data: []byte("data")}}
	if d := cmp.Diff(want, files); err != nil || string(payload) != "data" || d != "" {
		t.Errorf("payload %q, %v, files (-want +got):\n%s", payload, err, d)
	}
	for _, parts := range [][]string{
		{`name="file"; filename="a.png"`}, {`name="files[x]"; filename="a.png"`}, {`name="files[-1]"; filename="a.png"`},
		{`name="files[00]"; filename="a.png"`}, {`name="files[0]"`}, {`name="files[0]"; filename="§"`},
		{`name="files[0]"; filename="a.png"`, `name="files[0]"; filename="b.png"`},
	} {
		body, boundary := write(parts...)
		if _, _, err := ReadMultipart(body, boundary); err == nil {
			t.Errorf("%q is accepted", parts)
		}
	}
	if _, _, err := ReadMultipart(body[:len(body)-20], boundary); err == nil {
		t.Error("a body that is cut off is accepted")
	}
}
