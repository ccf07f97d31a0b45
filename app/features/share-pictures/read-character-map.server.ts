/** Returns a function from code points to glyphs of a font, 0 for none (OpenType `cmap`). */
export function readCharacterMap(table: Buffer): (codePoint: number) => number {
  const offsets = Array.from({ length: table.readUInt16BE(2) }, (_, index) =>
    table.readUInt32BE(8 + index * 8),
  );
  const maps = offsets.map((offset) => table.subarray(offset));
  const whole = maps.find((map) => map.readUInt16BE(0) === 12);
  if (whole) return (codePoint) => findInGroups(whole, codePoint);
  const basic = maps.find((map) => map.readUInt16BE(0) === 4);
  if (!basic) throw new Error('The font has no character map');
  return (codePoint) => findInSegments(basic, codePoint);
}

/** Format 12: groups of start, end and first glyph. */
function findInGroups(map: Buffer, codePoint: number): number {
  const count = map.readUInt32BE(12);
  for (let at = 16; at < 16 + count * 12; at += 12) {
    const start = map.readUInt32BE(at);
    if (codePoint >= start && codePoint <= map.readUInt32BE(at + 4)) {
      return map.readUInt32BE(at + 8) + codePoint - start;
    }
  }
  return 0;
}

/** Format 4: parallel lists of ends, starts, differences and offsets. */
function findInSegments(map: Buffer, codePoint: number): number {
  if (codePoint > 65_535) return 0;
  const size = map.readUInt16BE(6);
  for (let at = 0; at < size; at += 2) {
    if (codePoint > map.readUInt16BE(14 + at)) continue;
    const start = map.readUInt16BE(16 + size + at);
    if (codePoint < start) return 0;
    const difference = map.readUInt16BE(16 + 2 * size + at);
    const place = 16 + 3 * size + at;
    const offset = map.readUInt16BE(place);
    if (offset === 0) return (codePoint + difference) & 65_535;
    const glyph = map.readUInt16BE(place + offset + (codePoint - start) * 2);
    return glyph === 0 ? 0 : (glyph + difference) & 65_535;
  }
  return 0;
}
