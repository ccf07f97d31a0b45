import sharp, { type Sharp } from 'sharp';

// Only this file opens pictures from strangers. A small SVG or a huge canvas can cost seconds of
// CPU time.

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'svg';

/** Formats that every browser shows as a photo. */
export const photoFormats: readonly PictureFormat[] = ['jpeg', 'png', 'webp', 'gif', 'avif'];

interface Limits {
  formats: readonly PictureFormat[];
  mostPixels: number;
  /** pixels; the longer side with which an SVG is drawn, by default the size that it states */
  svgSide?: number;
}

/** seconds allowed for each step of processing */
const secondsAtMost = 20;

/** Thrown for a picture that this site refuses to show. The message names the reason. */
export class RefusedPicture extends Error {
  override name = 'RefusedPicture';
}

/**
 * Thrown for a broken picture, or for a response that is not a picture. The site may block bots, so
 * browsers may still get a picture.
 */
export class UnreadablePicture extends Error {
  override name = 'UnreadablePicture';
}

interface Size {
  width: number;
  height: number;
}

/** Returns width and height after applying the camera's rotation. Throws for a refused picture. */
async function readSize(
  bytes: Uint8Array,
  { formats, mostPixels }: Limits,
): Promise<Size & { isSvg: boolean }> {
  if (bytes.length === 0) return unreadable('is empty');
  const told = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => unreadable('is not a picture', error));
  const format = told.format === 'heif' && told.compression === 'av1' ? 'avif' : told.format;
  if (!formats.some((known) => known === format)) {
    throw new RefusedPicture(`The file is ${format.toUpperCase()}, not a photo`);
  }
  const { width, height } = told.autoOrient;
  if (width * height > mostPixels) {
    const megapixels = Math.round((width * height) / 1e6);
    throw new RefusedPicture(
      `The file has ${megapixels} megapixels, more than ${mostPixels / 1e6}`,
    );
  }
  return { width, height, isSvg: format === 'svg' };
}

/** Returns the scale factor for an SVG. libvips accepts densities from 1 to 100000. */
function scaleOf({ width, height }: Size, { svgSide }: Limits): number {
  if (svgSide === undefined) return 1;
  return Math.min(1000, Math.max(1 / 72, svgSide / Math.max(width, height)));
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Redraws a picture, so that nothing else of the original remains: no location, no second picture,
 * no program. Pictures are redrawn one by one in one thread, since page requests come first.
 */
export function drawAnew<Drawn>(
  bytes: Uint8Array,
  limits: Limits,
  draw: (picture: Sharp, size: Size) => Promise<Drawn>,
): Promise<Drawn> {
  const drawing = last.then(async () => {
    const { isSvg, ...stated } = await readSize(bytes, limits);
    const scale = isSvg ? scaleOf(stated, limits) : 1;
    const size = { width: stated.width * scale, height: stated.height * scale };
    sharp.concurrency(1);
    sharp.cache(false);
    const options = { limitInputPixels: limits.mostPixels, failOn: 'error' } as const;
    const picture = sharp(bytes, { ...options, ...(scale !== 1 && { density: 72 * scale }) });
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
  throw new UnreadablePicture(`The file ${reason}`, { cause });
}
