package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image/png"
	"runtime"
	"testing"

	"github.com/lascabot/lascabot/engine"
)

// maxTile is what a tile promises, in bytes; Discord takes emoji of 256 KiB.
const maxTile = 16 << 10

func TestEveryTileIsADifferentSmallPicture(t *testing.T) {
	seen := map[[sha256.Size]byte]Tile{}
	all := sha256.New()
	for _, tile := range Tiles() {
		data := tile.PNG()
		if len(data) > maxTile {
			t.Errorf("%+v has %d bytes", tile, len(data))
		}
		im, err := png.Decode(bytes.NewReader(data))
		if err != nil || im.Bounds().Dx() != TileEdge || im.Bounds().Dy() != TileEdge {
			t.Fatalf("%+v: %v, %v", tile, im.Bounds(), err)
		}
		var pixels bytes.Buffer
		for y := range TileEdge {
			for x := range TileEdge {
				r, g, b, a := im.At(x, y).RGBA()
				pixels.Write([]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8), byte(a >> 8)})
			}
		}
		sum := sha256.Sum256(pixels.Bytes())
		if before, ok := seen[sum]; ok {
			t.Errorf("%+v looks like %+v", tile, before)
		}
		seen[sum] = tile
		all.Write(sum[:])
	}
	// Other processors may round a pixel's last bit differently.
	if got := hex.EncodeToString(all.Sum(nil))[:4]; got != TilesVersion && runtime.GOARCH == "amd64" {
		t.Errorf("the tiles look different: set TilesVersion to %q", got)
	}
}

func TestATileSaysWhetherItTellsTheWholeColumn(t *testing.T) {
	const w, b, W, B = engine.WhiteSoldier, engine.BlackSoldier, engine.WhiteOfficer, engine.BlackOfficer
	run := func(n int) (list []engine.Piece) {
		for range n {
			list = append(list, b)
		}
		return list
	}
	known := map[Tile]bool{}
	for _, tile := range Tiles() {
		known[tile] = true
	}
	for _, c := range []struct {
		pieces []engine.Piece
		want   Tile
		whole  bool
	}{
		{nil, Tile{Kind: TileEmpty}, true},
		{[]engine.Piece{w}, Tile{Top: w, Own: 1}, true},
		{[]engine.Piece{W, w, b, b, b}, Tile{Top: W, Own: 2, Prisoners: 3}, true},
		{[]engine.Piece{w, B}, Tile{Top: w, Own: 1, Prisoners: 1}, false},
		{[]engine.Piece{w, W, b}, Tile{Top: w, Own: 2, Prisoners: 1}, false},
		{[]engine.Piece{w, b, w}, Tile{Top: w, Own: 1, Prisoners: 2}, false},
		{run(8), Tile{Top: b, Own: 8}, true},
		{run(11), Tile{Top: b, Own: 9}, false},
	} {
		got, whole := TileOf(engine.StackOf(c.pieces...))
		if got != c.want || whole != c.whole || !known[got] {
			t.Errorf("%v: %+v, %t; want %+v, %t", c.pieces, got, whole, c.want, c.whole)
		}
	}
}
