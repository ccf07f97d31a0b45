import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { drawAnew, photoFormats } from '#app/platform/open-picture.server.ts';
import {
  safeFetch,
  SafeFetchError,
  type SafeFetchOptions,
} from '#app/platform/safe-fetch.server.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { changeSetting } from './change-settings.server.ts';

export type SaveLogoResult = { ok: true; url: string } | { ok: false; message: string };

const mostBytes = 900 * 1024; // bytes; a form is limited to 1 MB
// SVG is allowed too, since it is an administrator's own picture.
const limits = { formats: [...photoFormats, 'svg' as const], mostPixels: 40_000_000 };
const box = { width: 440, height: 88 }; // pixels; twice the displayed density

/** Stores the owner's picture, a file or an address, as the site's logo. */
export async function saveLogo(
  { db, env }: Pick<AppServices, 'db' | 'env'>,
  source: Blob | string,
  actor: string,
  fetching: Pick<SafeFetchOptions, 'allowPrivate'> = {},
): Promise<SaveLogoResult> {
  const read =
    typeof source === 'string' ? await fetchPicture(source, fetching) : await source.bytes();
  if ('ok' in read) return read;
  if (read.length > mostBytes) return { ok: false, message: 'The picture may be at most 900 KB' };
  const picture = await draw(read);
  if (picture === null) {
    const message = 'This is not a picture we can read. Use PNG, JPEG, WebP, AVIF, GIF or SVG.';
    return { ok: false, message };
  }
  const hash = createHash('sha256').update(picture).digest('hex').slice(0, 12);
  const name = `site/logo-${hash}.webp`;
  await openMedia({ db, env }).write(name, picture);
  const url = `/media/${name}`;
  await changeSetting(db, 'logoUrl', url, actor);
  return { ok: true, url };
}

/**
 * Redraws the picture, which drops all other data of the file. Returns `null` if it is not a
 * picture.
 */
async function draw(bytes: Uint8Array): Promise<Buffer | null> {
  try {
    return await drawAnew(bytes, limits, (picture) =>
      picture
        .resize({ ...box, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 90 })
        .toBuffer(),
    );
  } catch {
    return null;
  }
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
