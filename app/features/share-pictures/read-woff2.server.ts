import { brotliDecompressSync } from 'node:zlib';
import { readCharacterMap } from './read-character-map.server.ts';

// A reader for the bundled fonts (W3C WOFF2, with the glyph transform of its section 5). The image
// library can't open WOFF2, and servers may lack fonts, so texts are drawn as outlines.

/** A font's outlines in font units. `unitsPerEm` units equal the font size. */
export interface FontOutlines {
  unitsPerEm: number;
  /** Returns a character's outline as an SVG path with y upwards, or `null` if it is missing. */
  find(codePoint: number): Outline | null;
}

export interface Outline {
  path: string;
  advance: number;
}

interface Point {
  x: number;
  y: number;
  isOn: boolean;
}

type Contour = Point[];

interface Part {
  glyph: number;
  /** The factors of the affine transform: x' = a·x + c·y + e, y' = b·x + d·y + f. */
  transform: [a: number, b: number, c: number, d: number, e: number, f: number];
}

type Glyph = { contours: Contour[] } | { parts: Part[] };

const knownTags = (
  'cmap head hhea hmtx maxp name OS/2 post cvt  fpgm glyf loca prep CFF  VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX ' +
  'vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG  sbix acnt avar bdat bloc bsln cvar fdsc feat ' +
  'fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
).match(/.{4}(?= |$)/g);

/** Reads a font. Throws for anything but a WOFF2 file with TrueType outlines and plain metrics. */
export function readWoff2(bytes: Buffer): FontOutlines {
  const tables = readTables(bytes);
  const table = (tag: string) => tables.get(tag) ?? fail(`has no table ${tag}`);
  const glyphs = readGlyphs(table('glyf'));
  const glyphOf = readCharacterMap(table('cmap'));
  const metrics = table('hmtx');
  const lastMetric = table('hhea').readUInt16BE(34) - 1;
  const known = new Map<number, Outline | null>();
  const outline = (codePoint: number): Outline | null => {
    const glyph = glyphOf(codePoint);
    if (glyph === 0) return null;
    const advance = metrics.readUInt16BE(Math.min(glyph, lastMetric) * 4);
    return { path: resolve(glyphs, glyph).map(pathOf).join(''), advance };
  };
  return {
    unitsPerEm: table('head').readUInt16BE(18),
    find(codePoint) {
      const found = known.get(codePoint);
      if (found !== undefined) return found;
      const drawn = outline(codePoint);
      known.set(codePoint, drawn);
      return drawn;
    },
  };
}

function readTables(bytes: Buffer): Map<string, Buffer> {
  if (bytes.toString('latin1', 0, 4) !== 'wOF2') fail('is not WOFF2');
  const directory = new Stream(bytes, 48);
  const entries = Array.from({ length: bytes.readUInt16BE(12) }, () => {
    const flags = directory.byte();
    const known = flags & 63;
    const tag = known === 63 ? directory.text(4) : (knownTags?.[known] ?? '');
    const length = directory.base128();
    // Version 3 means “as it is” for outlines, and version 0 for all other tables.
    const isPlain = flags >> 6 === (tag === 'glyf' || tag === 'loca' ? 3 : 0);
    if (isPlain ? tag === 'glyf' : tag !== 'glyf' && tag !== 'loca') fail(`transforms ${tag}`);
    return { tag, length: isPlain ? length : directory.base128() };
  });
  const size = bytes.readUInt32BE(20);
  const content = brotliDecompressSync(bytes.subarray(directory.at, directory.at + size));
  let at = 0;
  return new Map(
    entries.map(({ tag, length }) => [tag, content.subarray(at, (at += length))] as const),
  );
}

function readGlyphs(table: Buffer): Glyph[] {
  let at = 36;
  const streams = Array.from({ length: 5 }, (_, index) => {
    const start = at;
    at += table.readUInt32BE(8 + index * 4);
    return new Stream(table, start);
  });
  const [counts, points, flags, coordinates, composites] = streams as [
    Stream,
    Stream,
    Stream,
    Stream,
    Stream,
  ];
  return Array.from({ length: table.readUInt16BE(4) }, () => {
    const count = counts.signed();
    if (count < 0) {
      const { parts, hasInstructions } = readParts(composites);
      if (hasInstructions) coordinates.short255();
      return { parts };
    }
    if (count === 0) return { contours: [] };
    const sizes = Array.from({ length: count }, () => points.short255());
    const pen = { x: 0, y: 0 };
    const contours = sizes.map((size) =>
      Array.from({ length: size }, () => readPoint(flags.byte(), coordinates, pen)),
    );
    coordinates.short255(); // Skips the length of the hinting instructions.
    return { contours };
  });
}

/** Reads one point of the triplet encoding and moves the pen there. */
function readPoint(flags: number, from: Stream, pen: { x: number; y: number }): Point {
  const flag = flags & 127;
  const signed = (bit: number, value: number) => ((flag >> bit) & 1 ? value : -value);
  const first = from.byte();
  if (flag < 10) {
    pen.y += signed(0, ((flag & 14) << 7) + first);
  } else if (flag < 20) {
    pen.x += signed(0, (((flag - 10) & 14) << 7) + first);
  } else if (flag < 84) {
    const base = flag - 20;
    pen.x += signed(0, 1 + (base & 48) + (first >> 4));
    pen.y += signed(1, 1 + ((base & 12) << 2) + (first & 15));
  } else if (flag < 120) {
    const base = flag - 84;
    pen.x += signed(0, 1 + (Math.floor(base / 12) << 8) + first);
    pen.y += signed(1, 1 + (((base % 12) >> 2) << 8) + from.byte());
  } else if (flag < 124) {
    const second = from.byte();
    pen.x += signed(0, (first << 4) + (second >> 4));
    pen.y += signed(1, ((second & 15) << 8) + from.byte());
  } else {
    pen.x += signed(0, (first << 8) + from.byte());
    pen.y += signed(1, (from.byte() << 8) + from.byte());
  }
  return { ...pen, isOn: flags < 128 };
}

function readParts(from: Stream): { parts: Part[]; hasInstructions: boolean } {
  const parts: Part[] = [];
  let hasInstructions = false;
  for (let isMore = true; isMore;) {
    const flags = from.unsigned();
    const glyph = from.unsigned();
    const number = () => (flags & 1 ? from.signed() : (from.byte() << 24) >> 24);
    const [e, f] = [number(), number()];
    const factor = () => from.signed() / 16_384;
    let [a, b, c, d] = [1, 0, 0, 1];
    if (flags & 8) a = d = factor();
    else if (flags & 64) [a, d] = [factor(), factor()];
    else if (flags & 128) [a, b, c, d] = [factor(), factor(), factor(), factor()];
    parts.push({ glyph, transform: [a, b, c, d, e, f] });
    hasInstructions ||= (flags & 256) > 0;
    isMore = (flags & 32) > 0;
  }
  return { parts, hasInstructions };
}

function resolve(glyphs: readonly Glyph[], index: number, depth = 0): Contour[] {
  const glyph = glyphs[index];
  if (!glyph || depth > 5) return [];
  if ('contours' in glyph) return glyph.contours;
  return glyph.parts.flatMap(({ glyph: part, transform: [a, b, c, d, e, f] }) =>
    resolve(glyphs, part, depth + 1).map((contour) =>
      contour.map(({ x, y, isOn }) => ({ x: a * x + c * y + e, y: b * x + d * y + f, isOn })),
    ),
  );
}

/**
 * Returns quadratic curves. The midpoint of two consecutive control points is an implied point of
 * the curve.
 */
function pathOf(contour: Contour): string {
  const start = contour.findIndex(({ isOn }) => isOn);
  const [first, second] = contour;
  if (!first || !second) return '';
  const begin = contour[start] ?? middle(first, second);
  const rest =
    start < 0
      ? [...contour.slice(1), first]
      : [...contour.slice(start + 1), ...contour.slice(0, start)];
  let path = `M${at(begin)}`;
  let control: Point | null = null;
  for (const point of [...rest, { ...begin, isOn: true }]) {
    if (point.isOn) {
      path += control ? `Q${at(control)} ${at(point)}` : `L${at(point)}`;
      control = null;
    } else {
      if (control) path += `Q${at(control)} ${at(middle(control, point))}`;
      control = point;
    }
  }
  return `${path}Z`;
}

const at = ({ x, y }: Pick<Point, 'x' | 'y'>) => `${Math.round(x)} ${Math.round(y)}`;

const middle = (one: Point, other: Point): Point => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
  isOn: true,
});

/** Bytes with a read position. Reading past the end throws. */
class Stream {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, start: number) {
    this.bytes = bytes;
    this.at = start;
  }

  byte(): number {
    return this.bytes.readUInt8(this.at++);
  }

  unsigned(): number {
    this.at += 2;
    return this.bytes.readUInt16BE(this.at - 2);
  }

  signed(): number {
    this.at += 2;
    return this.bytes.readInt16BE(this.at - 2);
  }

  text(length: number): string {
    this.at += length;
    return this.bytes.toString('latin1', this.at - length, this.at);
  }

  /** A number of one to five bytes, with seven bits each. */
  base128(): number {
    let value = 0;
    for (;;) {
      const byte = this.byte();
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  }

  /** The format's `255UInt16`: one byte for small numbers. */
  short255(): number {
    const code = this.byte();
    if (code === 253) return this.unsigned();
    if (code === 254) return 506 + this.byte();
    return code === 255 ? 253 + this.byte() : code;
  }
}

function fail(problem: string): never {
  throw new Error(`The font ${problem}`);
}
