import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { AppServices } from '#app/platform/app-context.server.ts';
import {
  drawAnew,
  photoFormats,
  type PictureFormat,
  RefusedPicture,
} from '#app/platform/open-picture.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import {
  safeFetch,
  SafeFetchError,
  type SafeFetchOptions,
} from '#app/platform/safe-fetch.server.ts';
import { safeUrl } from '#app/platform/safe-url.ts';

export type BrandPicture = 'logoUrl' | 'logoDarkUrl' | 'iconUrl';

type Stored = { ok: true; url: string } | { ok: false; message: string };

const mostBytes = 900 * 1024; // bytes; a form is limited to 1 MB
// SVG is allowed too, since the picture comes from an administrator.
const formats: PictureFormat[] = [...photoFormats, 'svg'];
const mostPixels = 40_000_000;
const logoBox = { width: 440, height: 88 }; // pixels; twice the displayed density
/** pixels; the side of the stored icon, from which all sizes are drawn */
const iconSide = 512;
/** pixels; the smallest side of an icon that is still sharp on a phone */
const leastIconSide = 180;

/**
 * Stores the owner's picture, a file or a URL, and returns its URL on this site. The
 * settings are unchanged.
 */
export async function storeBrandPicture(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  kind: BrandPicture,
  source: Blob | string,
  fetching: Pick<SafeFetchOptions, 'allowPrivate'> = {},
): Promise<Stored> {
  const read =
    typeof source === 'string' ? await fetchPicture(source, fetching) : await source.bytes();
  if ('ok' in read) return read;
  if (read.length > mostBytes)
    return { ok: false, message: 'The picture must be 900 KB or smaller' };
  try {
    const picture = await (kind === 'iconUrl' ? drawMaster(read) : drawLogo(read));
    const hash = createHash('sha256').update(picture).digest('hex').slice(0, 12);
    const name = kind === 'iconUrl' ? `site/icon-${hash}.png` : `site/logo-${hash}.webp`;
    await openMedia({ db, env }).write(name, picture);
    return { ok: true, url: `/media/${name}` };
  } catch (error) {
    const message =
      error instanceof RefusedPicture && error.message.includes(' pixels')
        ? error.message
        : 'This is not a picture we can read. Use PNG, JPEG, WebP, AVIF, GIF or SVG.';
    return { ok: false, message };
  }
}

// Redrawing drops all other data of the file, such as scripts of an SVG.

function drawLogo(bytes: Uint8Array): Promise<Buffer> {
  return drawAnew(bytes, { formats, mostPixels, svgSide: logoBox.width }, (picture) =>
    picture
      .resize({ ...logoBox, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 90 })
      .toBuffer(),
  );
}

function drawMaster(bytes: Uint8Array): Promise<Buffer> {
  return drawAnew(bytes, { formats, mostPixels, svgSide: iconSide }, (picture, size) => {
    if (Math.max(size.width, size.height) < leastIconSide) {
      throw new RefusedPicture(
        `The picture has ${size.width} × ${size.height} pixels. Use one with at least ${leastIconSide} × ${leastIconSide} pixels, or an SVG.`,
      );
    }
    const side = { width: iconSide, height: iconSide };
    return picture
      .resize({ ...side, fit: 'contain', background: '#00000000' })
      .png({ compressionLevel: 9 })
      .toBuffer();
  });
}

async function fetchPicture(
  address: string,
  fetching: Pick<SafeFetchOptions, 'allowPrivate'>,
): Promise<Uint8Array | { ok: false; message: string }> {
  const url = safeUrl(address);
  if (url === null) return { ok: false, message: 'Must be a valid URL' };
  try {
    const answer = await safeFetch(url, { maxBytes: mostBytes, timeoutMs: 10_000, ...fetching });
    return await buffer(answer.body);
  } catch (error) {
    if (error instanceof SafeFetchError) return { ok: false, message: error.message };
    return { ok: false, message: 'The picture could not be loaded from this address' };
  }
}
