import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { boxesFor, formatsOf, heightOf } from './picture-files.ts';

/** A picture that this site does not show; the message says why. */
export class RefusedPicture extends Error {
  override name = 'RefusedPicture';
}

/** No picture, or half of one: perhaps a page that turns programs away, so what a browser gets may be another thing. */
export class UnreadablePicture extends Error {
  override name = 'UnreadablePicture';
}

export interface DrawnPicture {
  widest: number;
  files: { box: number; format: 'avif' | 'webp'; content: Buffer }[];
}

const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'avif']);
const mostPixels = 25_000_000;
const leastPixels = 8;
const secondsAtMost = 20;
// One step after the other in one thread: whoever asks for a page at this moment comes first.
const threads = 1;

/**
 * The files of a copy. Each is drawn anew, so nothing else that was in the original is in them: no place where it was taken, no
 * second picture, no program.
 */
export async function drawPicture(original: Uint8Array): Promise<DrawnPicture> {
  sharp.concurrency(threads);
  sharp.cache(false);
  const boxes = boxesFor(await readSize(original));
  const widest = boxes.at(-1) ?? 0;
  const { data, info } = await fit(sharp(original, reading).autoOrient(), widest)
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => unreadable('is broken', error));
  const files: DrawnPicture['files'] = [];
  for (const box of boxes) {
    for (const format of formatsOf(box)) {
      const drawing = fit(sharp(data, { raw: info }), box);
      files.push({ box, format, content: await encode(drawing, format).toBuffer() });
    }
  }
  return { widest, files };
}

const reading: SharpOptions = { limitInputPixels: mostPixels, failOn: 'error' };

function fit(picture: Sharp, box: number): Sharp {
  return picture
    .timeout({ seconds: secondsAtMost })
    .resize(box, heightOf(box), { fit: 'inside', withoutEnlargement: true });
}

function encode(picture: Sharp, format: 'avif' | 'webp'): Sharp {
  return format === 'avif'
    ? picture.avif({ quality: 50, effort: 2, chromaSubsampling: '4:2:0' })
    : picture.webp({ quality: 75, effort: 3 });
}

/** As people see it: turned the way the camera says. */
async function readSize(original: Uint8Array): Promise<{ width: number; height: number }> {
  if (original.length === 0) return unreadable('is empty');
  const told = await sharp(original, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => unreadable('is no picture', error));
  const format = told.format === 'heif' && told.compression === 'av1' ? 'avif' : told.format;
  if (!formats.has(format)) return refuse(`is ${format.toUpperCase()}, not a photo`);
  const { width, height } = told.autoOrient;
  if (width * height > mostPixels) {
    return refuse(`has ${Math.round((width * height) / 1e6)} megapixels, more than 25`);
  }
  if (Math.min(width, height) < leastPixels) return refuse(`has only ${width} × ${height} pixels`);
  return { width, height };
}

function refuse(reason: string): never {
  throw new RefusedPicture(`What is there ${reason}`);
}

function unreadable(reason: string, cause?: unknown): never {
  throw new UnreadablePicture(`What is there ${reason}`, { cause });
}
