import sharp, { type Sharp } from 'sharp';

// The only place that opens pictures of strangers. A small SVG or a huge canvas can cost seconds of processor.

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'svg';

/** What every browser shows as a photo. */
export const photoFormats: readonly PictureFormat[] = ['jpeg', 'png', 'webp', 'gif', 'avif'];

interface Limits {
  formats: readonly PictureFormat[];
  mostPixels: number;
}

/** Seconds that one step may take. */
const secondsAtMost = 20;

/** A picture that this site does not show; the message says why. */
export class RefusedPicture extends Error {
  override name = 'RefusedPicture';
}

/** No picture, or half of one: perhaps a page that turns programs away, so what a browser gets may be another thing. */
export class UnreadablePicture extends Error {
  override name = 'UnreadablePicture';
}

interface Size {
  width: number;
  height: number;
}

/** Returns width and height as people see them, turned the way the camera says. Throws for what it refuses to open. */
async function readSize(bytes: Uint8Array, { formats, mostPixels }: Limits): Promise<Size> {
  if (bytes.length === 0) return unreadable('is empty');
  const told = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => unreadable('is no picture', error));
  const format = told.format === 'heif' && told.compression === 'av1' ? 'avif' : told.format;
  if (!formats.some((known) => known === format)) {
    throw new RefusedPicture(`What is there is ${format.toUpperCase()}, not a photo`);
  }
  const { width, height } = told.autoOrient;
  if (width * height > mostPixels) {
    const megapixels = Math.round((width * height) / 1e6);
    throw new RefusedPicture(
      `What is there has ${megapixels} megapixels, more than ${mostPixels / 1e6}`,
    );
  }
  return { width, height };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Draws a picture anew, so nothing else that was in the original is in it: no place where it was taken, no second
 * picture, no program. One is drawn after the other in one thread: whoever asks for a page at this moment comes first.
 */
export function drawAnew<Drawn>(
  bytes: Uint8Array,
  limits: Limits,
  draw: (picture: Sharp, size: Size) => Promise<Drawn>,
): Promise<Drawn> {
  const drawing = last.then(async () => {
    const size = await readSize(bytes, limits);
    sharp.concurrency(1);
    sharp.cache(false);
    const picture = sharp(bytes, { limitInputPixels: limits.mostPixels, failOn: 'error' });
    return draw(picture.timeout({ seconds: secondsAtMost }).autoOrient(), size);
  });
  last = drawing.catch(() => {});
  return drawing;
}

/** Opens pixels that `drawAnew` returned. */
export function openPixels(
  data: Buffer,
  raw: { width: number; height: number; channels: 1 | 2 | 3 | 4 },
): Sharp {
  return sharp(data, { raw }).timeout({ seconds: secondsAtMost });
}

function unreadable(reason: string, cause?: unknown): never {
  throw new UnreadablePicture(`What is there ${reason}`, { cause });
}
