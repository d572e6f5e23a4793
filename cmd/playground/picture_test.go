package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim/webui/browsertest"
	"github.com/lascabot/lascabot/config/cli/clitest"
)

// readmePicture is the playground's picture in the README. To take it again, on a
// machine with Chromium and an emoji font (Debian: chromium and
// fonts-noto-color-emoji):
//
//	LASCA_BROWSER=1 go test ./cmd/playground -run BrowserPicture -update
var readmePicture = filepath.Join("..", "..", ".github", "playground.png")

// maxPicture is the most bytes that the picture may have.
const maxPicture = 400 << 10

// TestBrowserPicture plays a few moves as hints advise, asks for one more hint
// and takes a picture of the board, its buttons and the hint.
func TestBrowserPicture(t *testing.T) {
	open := browsertest.Open(t, 2*time.Minute)
	p := start(t, t.TempDir(), "127.0.0.1:0")
	ann := open(p.address+"/?as=ann#board-room", 960, 1480)
	typed(ann, "/lasca play level:2 colour:white")
	says(ann, "your move")
	// A few moves on, as soon as there is a choice to give a hint about.
	choice := func() bool { return browsertest.Eval[bool](ann, lastMessage+`.textContent.includes("your move")`) }
	for n := 2; n <= 6 || !choice(); n++ {
		press(ann, "Hint")
		pressPrivate(ann, "Play ")
		says(ann, fmt.Sprintf("move %d", n))
		browsertest.Eval[bool](ann, `(document.querySelector('[data-private="true"] [data-testid=dismiss]')?.click(), true)`)
	}
	press(ann, "Hint")
	ann.Until(`document.querySelector('[data-private="true"] img')?.naturalWidth > 0`)
	browsertest.Eval[bool](ann, `Promise.all([...document.images].map((i) => i.decode())).then(() => true)`)

	folder := t.TempDir()
	t.Setenv("WEBUI_SHOTS", folder)
	ann.KeepPicture("shot")
	shot, err := os.ReadFile(filepath.Join(folder, t.Name()+"-shot.png"))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		t.Fatal(err)
	}
	var small bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&small, picture); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes from the browser, %d here", len(shot), small.Len())
	if *clitest.Update {
		if err := os.WriteFile(readmePicture, small.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ann.Quiet()
}

func TestReadmePictureHasTrueColours(t *testing.T) {
	data, err := os.ReadFile(readmePicture)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if _, reduced := c.ColorModel.(color.Palette); reduced {
		t.Errorf("it has a palette")
	}
	if len(data) > maxPicture {
		t.Errorf("it has %d bytes, more than %d", len(data), maxPicture)
	}
}
