import { drawAnew } from '#app/platform/open-picture.server.ts';
import type { IconFile } from './icon-files.ts';

const limits = { formats: ['png' as const], mostPixels: 1_000_000 };
/** The sides of the pictures in a `favicon.ico`, in pixels. */
const icoSides = [16, 32, 48];
/**
 * The part of a maskable icon that its picture covers. The corners then touch the safe zone, a
 * circle of 80% of the side (W3C App Manifest).
 */
const maskablePart = 0.8 / Math.SQRT2;
/** The part of a touch icon that a transparent picture covers, since phones round the corners. */
const touchPart = 0.82;

/** Returns an icon file, drawn from the stored square PNG. */
export async function drawIcon(master: Uint8Array, file: IconFile): Promise<Buffer> {
  if (file === 'ico') {
    const pictures = await Promise.all(icoSides.map((side) => drawSquare(master, side)));
    return joinIco(pictures);
  }
  if (file === 'maskable-512') return drawOnPaper(master, 512, maskablePart);
  if (file === '180') return drawOnPaper(master, 180, touchPart);
  return drawSquare(master, Number(file));
}

/** Draws the stored icon with this side, in pixels. */
export function drawSquare(master: Uint8Array, side: number): Promise<Buffer> {
  return drawAnew(master, limits, (picture) =>
    picture.resize(side, side).png({ compressionLevel: 9 }).toBuffer(),
  );
}

/**
 * Draws an icon without transparency. A transparent picture gets a white background and a margin.
 * An opaque one keeps its background, whose color is read from a corner.
 */
async function drawOnPaper(master: Uint8Array, side: number, part: number): Promise<Buffer> {
  const { isOpaque, corner } = await drawAnew(master, limits, async (picture) => {
    const { data } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const alphas = data.filter((_value, at) => at % 4 === 3);
    const [r = 255, g = 255, b = 255] = data;
    return { isOpaque: alphas.every((alpha) => alpha > 250), corner: { r, g, b } };
  });
  const background = isOpaque ? corner : { r: 255, g: 255, b: 255 };
  const isWhole = isOpaque && part === touchPart;
  const inner = isWhole ? side : Math.floor(side * part);
  const before = Math.floor((side - inner) / 2);
  const after = side - inner - before;
  return drawAnew(master, limits, (picture) =>
    picture
      .resize(inner, inner)
      .extend({ top: before, bottom: after, left: before, right: after, background })
      .flatten({ background })
      .png({ compressionLevel: 9 })
      .toBuffer(),
  );
}

/**
 * Combines PNG pictures into an ICO file: a header, a 16-byte entry for each picture, and the
 * pictures.
 */
function joinIco(pictures: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, picture] of pictures.entries()) {
    const at = 6 + 16 * index;
    const side = icoSides[index] ?? 0;
    head.writeUInt8(side, at);
    head.writeUInt8(side, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(picture.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
}
