import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { drawAnew, photoFormats } from '#app/platform/open-picture.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { safeFetch, type SafeFetchOptions } from '#app/platform/safe-fetch.server.ts';
import { safeUrl } from '#app/platform/safe-url.ts';
import type { MediaStore } from '#database/media-store.ts';
import { openMedia } from '#app/platform/open-media.server.ts';

const mostBytes = 8 * 1024 * 1024;
const asksAgainAfterMs = 10 * 60_000;
const own = '/media/';

/**
 * The shapes of pictures: for a card, the whole picture on white; in the text, as wide as the
 * email.
 */
const shapes = {
  card: { width: 232, height: 174, fit: 'contain', background: '#ffffff' },
  text: { width: 1036, withoutEnlargement: true },
} as const;
type Shape = keyof typeof shapes;

/**
 * The time of the last failed fetch by name, so that a page does not wait for the picture each
 * time.
 */
const missedAt = new Map<string, number>();

/**
 * Stores a picture on this site as a JPEG, which every email client can show. Opening an email
 * therefore contacts no other host. Returns the picture's path, or `null` if it cannot be fetched.
 */
export async function keepMailPicture(
  { db, env, log, now }: Pick<AppServices, 'db' | 'env' | 'log' | 'now'>,
  source: string,
  shape: Shape,
  fetching: Pick<SafeFetchOptions, 'allowPrivate'> = {},
): Promise<string | null> {
  const name = createHash('sha256').update(`${shape} ${source}`).digest('hex').slice(0, 24);
  const file = `newsletter/${name}.jpg`;
  const kept = `/media/${file}`;
  const media = openMedia({ db, env });
  if (await media.find(file)) return kept;
  if (now().getTime() - (missedAt.get(file) ?? -Infinity) < asksAgainAfterMs) return null;
  try {
    await media.write(file, await draw(await read(media, source, fetching), shape));
    missedAt.delete(file);
    return kept;
  } catch (error) {
    log.warn({ err: error }, 'a newsletter picture could not be loaded');
    missedAt.set(file, now().getTime());
    return null;
  }
}

async function read(
  media: MediaStore,
  source: string,
  fetching: Pick<SafeFetchOptions, 'allowPrivate'>,
): Promise<Uint8Array> {
  if (source.startsWith(own)) {
    const stored = await media.find(source.slice(own.length));
    if (!stored) throw new Error('the picture is no longer stored');
    return buffer(stored.read());
  }
  const url = safeUrl(source);
  if (url === null) throw new Error('the picture URL is invalid');
  const answer = await safeFetch(url, { maxBytes: mostBytes, timeoutMs: 6_000, ...fetching });
  return buffer(answer.body);
}

/** Redraws the picture, which drops all other data in the file. */
function draw(bytes: Uint8Array, shape: Shape): Promise<Buffer> {
  const limits = { formats: photoFormats, mostPixels: 40_000_000 };
  return drawAnew(bytes, limits, (picture) =>
    picture
      .resize(shapes[shape])
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 82, mozjpeg: true })
      .toBuffer(),
  );
}
