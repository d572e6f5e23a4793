package render

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"
)

// Theme is a set of colours. The zero value is Wood, the default.
type Theme uint8

// The themes. [Themes] lists them.
const (
	// Wood has warm colours.
	Wood Theme = iota
	// Dark suits a dark chat background.
	Dark
	// Contrast has the widest margins of contrast, also for the common kinds
	// of colour blindness.
	Contrast

	numThemes = 3
)

var themeNames = [numThemes]string{"wood", "dark", "contrast"}

// Themes returns all themes in the order in which to offer them, the default
// first.
func Themes() []Theme {
	all := make([]Theme, numThemes)
	for i := range all {
		all[i] = Theme(i)
	}
	return all
}

func (t Theme) valid() bool { return t < numThemes }

// String returns the theme's name: "wood", "dark" or "contrast". The names are
// stored and must not change.
func (t Theme) String() string {
	if !t.valid() {
		return "Theme(" + strconv.Itoa(int(t)) + ")"
	}
	return themeNames[t]
}

// ParseTheme returns the theme with a name. The error wraps [ErrTheme].
func ParseTheme(name string) (Theme, error) {
	i := slices.Index(themeNames[:], name)
	if i < 0 {
		last := numThemes - 1
		return Wood, fmt.Errorf("%w %q; it must be %s or %s", ErrTheme, name, strings.Join(themeNames[:last], ", "), themeNames[last])
	}
	return Theme(i), nil
}

// MarshalText returns the theme's name. The error wraps [ErrTheme].
func (t Theme) MarshalText() ([]byte, error) {
	if !t.valid() {
		return nil, fmt.Errorf("%w: %v", ErrTheme, t)
	}
	return []byte(t.String()), nil
}

// UnmarshalText sets the theme from its name. The error wraps [ErrTheme].
func (t *Theme) UnmarshalText(text []byte) error {
	v, err := ParseTheme(string(text))
	if err == nil {
		*t = v
	}
	return err
}

// rgb is a colour as 0xRRGGBB.
type rgb uint32

// RGBA makes rgb a color.Color.
func (c rgb) RGBA() (r, g, b, a uint32) {
	return (uint32(c) >> 16 & 0xff) * 0x101, (uint32(c) >> 8 & 0xff) * 0x101, (uint32(c) & 0xff) * 0x101, 0xffff
}

// alpha returns the colour at an opacity of 0 to 1.
func (c rgb) alpha(a float64) color.NRGBA {
	return color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), uint8(a*255 + 0.5)}
}

// mix returns c with a share t (0 to 1) of d.
func (c rgb) mix(d rgb, t float64) rgb {
	ch := func(shift uint) rgb {
		x, y := float64(c>>shift&0xff), float64(d>>shift&0xff)
		return rgb(x+(y-x)*t+0.5) << shift
	}
	return ch(16) | ch(8) | ch(0)
}

// pieceTokens are the colours of one side's pieces.
type pieceTokens struct {
	face    rgb // top face
	body    rgb // rim, middle tone; plate behind a count
	hi, lo  rgb // rim, lit and shaded
	edge    rgb // light arc on the face, light line under a rim's upper edge
	groove  rgb // line between two pieces of the same colour
	outline rgb // silhouette; line between pieces of different colours
	inlay   rgb // ring and boss on a soldier's face

	band, bandHi, bandLo, bandE rgb // officer's ring: middle, lit, shaded, edge lines
	star                        rgb // officer's star
	ink                         rgb // digits on body
}

// tokens are the colours of a theme.
type tokens struct {
	piece [2]pieceTokens // by engine.Color

	table, rail, railHi, railLo, inlay     rgb
	un, un2, play, play2, joint            rgb
	label, shadow                          rgb
	last, lastT, sel, must, onMust, hint   rgb
	casing, tagBg, tagFg, tagLn, plate, on rgb // on: text and outline of the plate

	shadowAlpha float64 // opacity of a column's shadow
	ringShare   float64 // least share of a rim that an officer's ring takes
	grain       bool    // squares show wood grain
}

const white rgb = 0xffffff // inner casing of the hint

var themeTokens = [numThemes]tokens{
	Wood: {
		piece: [2]pieceTokens{
			{face: 0xF3E7CC, body: 0xEBDCBB, hi: 0xFBF3DF, lo: 0xB79C6C, edge: 0xFFFDF4, groove: 0x7D6238, outline: 0x4A3218, inlay: 0xC3A672,
				band: 0xB5812A, bandHi: 0xE6BC57, bandLo: 0x7E5413, bandE: 0x4A2F0C, star: 0x8A5A12, ink: 0x3A2712},
			{face: 0x3A322D, body: 0x2F2824, hi: 0x5A4E46, lo: 0x15110F, edge: 0x8A7A6E, groove: 0x85766A, outline: 0x0D0A08, inlay: 0x75675D,
				band: 0xC8963A, bandHi: 0xF2CF72, bandLo: 0x8A5F1C, bandE: 0x1A1208, star: 0xE9C264, ink: 0xF6EBD6},
		},
		table: 0x2B221C, rail: 0x5E3B22, railHi: 0x7A5233, railLo: 0x3F2615, inlay: 0xDDBE86,
		un: 0xD3B07D, un2: 0xCBA672, play: 0x94633A, play2: 0x8C5C34, joint: 0x6B4325, label: 0xF0DDB8, shadow: 0x1E1008,
		last: 0xF7D154, lastT: 0xE3B23C, sel: 0x59D9CF, must: 0xFF6F4A, onMust: 0x2A1A0C, hint: 0x4DA3F0,
		casing: 0x2A1A0C, tagBg: 0xF1D794, tagFg: 0x2E1D0B, tagLn: 0x2E1D0B, plate: 0xE3C06A, on: 0x35220C,
		shadowAlpha: 0.36, ringShare: 0.33, grain: true,
	},
	Dark: {
		piece: [2]pieceTokens{
			{face: 0xE9E6DE, body: 0xDEDBD2, hi: 0xF4F2EB, lo: 0xA09C92, edge: 0xFFFFFF, groove: 0x6A675F, outline: 0x1E1F22, inlay: 0xA9A59A,
				band: 0xA87B2B, bandHi: 0xDDB455, bandLo: 0x6F4F17, bandE: 0x3A2A0C, star: 0x80591A, ink: 0x24252A},
			{face: 0x1F2024, body: 0x191A1D, hi: 0x3D4048, lo: 0x0B0B0D, edge: 0x7B808A, groove: 0x7E848F, outline: 0x08080A, inlay: 0x70757F,
				band: 0xC9993F, bandHi: 0xF0CE78, bandLo: 0x8A6424, bandE: 0x14100A, star: 0xE8C269, ink: 0xF2F3F5},
		},
		table: 0x313338, rail: 0x232428, railHi: 0x3A3C43, railLo: 0x1A1B1E, inlay: 0x565A63,
		un: 0x3B3F48, un2: 0x393D46, play: 0x5F6B7A, play2: 0x5C6877, joint: 0x2A2D33, label: 0xC9CDD4, shadow: 0x0C0D0F,
		last: 0xF0C94B, lastT: 0xC9A23A, sel: 0x4FD6C9, must: 0xFF6B45, onMust: 0x15161A, hint: 0x5AB0FF,
		casing: 0x15161A, tagBg: 0xE6E8EC, tagFg: 0x1B1C20, tagLn: 0x0E0F11, plate: 0xD9B75E, on: 0x241A08,
		shadowAlpha: 0.46, ringShare: 0.33,
	},
	Contrast: {
		piece: [2]pieceTokens{
			{face: 0xFFFFFF, body: 0xFFFFFF, hi: 0xFFFFFF, lo: 0xD0D4D9, edge: 0xFFFFFF, groove: 0x30353B, outline: 0x000000, inlay: 0x6B7178,
				band: 0x1F5FD0, bandHi: 0x2F6FE0, bandLo: 0x164AA8, bandE: 0x000000, star: 0x1746B0, ink: 0x000000},
			{face: 0x0A0A0C, body: 0x08080A, hi: 0x24272C, lo: 0x000000, edge: 0xFFFFFF, groove: 0xB9C0C8, outline: 0x000000, inlay: 0xC9CED4,
				band: 0xD9780F, bandHi: 0xE58A22, bandLo: 0xB8620A, bandE: 0x000000, star: 0xFFD21F, ink: 0xFFFFFF},
		},
		table: 0x20242A, rail: 0x101215, railHi: 0x2A2E34, railLo: 0x000000, inlay: 0xFFFFFF,
		un: 0xB9C0C8, un2: 0xB9C0C8, play: 0x6F7A86, play2: 0x6F7A86, joint: 0x3A4149, label: 0xFFFFFF, shadow: 0x000000,
		last: 0xFFE14A, lastT: 0xFFE14A, sel: 0x00E5FF, must: 0xFF5A1F, onMust: 0x000000, hint: 0x3D8BFF,
		casing: 0x000000, tagBg: 0xFFFFFF, tagFg: 0x000000, tagLn: 0x000000, plate: 0xFFE14A, on: 0x000000,
		shadowAlpha: 0.32, ringShare: 0.26,
	},
}
