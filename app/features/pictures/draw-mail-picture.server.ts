import type { Db } from '#database/connect.ts';
import { drawAnew, photoFormats } from '#app/platform/open-picture.server.ts';

// Email clients show neither SVG nor AVIF, and Outlook no WebP, so emails get JPEG and PNG.

const limits = { formats: [...photoFormats, 'svg' as const], mostPixels: 25_000_000 };
/** pictures of each kind; about 8 kB each in emails, and at most 150 kB when shared */
const mostKept = 300;
type Drawn = Map<string, Promise<Buffer>>;
const drawnIn = { mail: new WeakMap<Db, Drawn>(), share: new WeakMap<Db, Drawn>() };

/**
 * Returns a picture of this name, drawn at most once while it is cached. `name` must change with
 * the content. Kinds of pictures never evict each other.
 */
export function keepDrawn(
  db: Db,
  name: string,
  draw: () => Promise<Buffer>,
  kind: keyof typeof drawnIn = 'mail',
): Promise<Buffer> {
  const drawn = drawnIn[kind].get(db) ?? (new Map() as Drawn);
  drawnIn[kind].set(db, drawn);
  const picture = drawn.get(name) ?? draw();
  drawn.delete(name);
  drawn.set(name, picture);
  picture.catch(() => drawn.delete(name));
  const [oldest] = drawn.keys();
  if (oldest !== undefined && drawn.size > mostKept) drawn.delete(oldest);
  return picture;
}

/** Returns whether `keepDrawn` returns the share picture of this name without drawing it. */
export function isShareDrawn(db: Db, name: string): boolean {
  return drawnIn.share.get(db)?.has(name) ?? false;
}

/** Returns one of the site's own drawings as PNG. */
export function drawMailPng(svg: string): Promise<Buffer> {
  return drawAnew(Buffer.from(svg), limits, (picture) =>
    picture.png({ palette: true, compressionLevel: 9 }).toBuffer(),
  );
}

/** Returns a product's picture, whole and on white, at twice its size in an email. */
export function drawMailJpeg(bytes: Uint8Array): Promise<Buffer> {
  const box = { width: 232, height: 174, fit: 'contain', background: '#ffffff' } as const;
  return drawAnew(bytes, limits, (picture) =>
    picture
      .resize(box)
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 82, mozjpeg: true })
      .toBuffer(),
  );
}

/** pixels; twice the size of the logo in an email, with the white margin around it */
const logoBox = { width: 352, height: 72, margin: 8 };

/**
 * Returns the owner's logo on white, since a transparent one may vanish in a dark email client. The
 * height is always the same, so an email needs to state no other size.
 */
export function drawMailLogo(bytes: Uint8Array): Promise<Buffer> {
  const { width: most, height, margin } = logoBox;
  return drawAnew(bytes, limits, (picture, size) => {
    const width = Math.min(most, Math.max(1, Math.round((size.width * height) / size.height)));
    const white = { background: '#ffffff' };
    return picture
      .flatten(white)
      .resize({ width, height, fit: 'contain', ...white })
      .extend({ top: margin, bottom: margin, left: margin, right: margin, ...white })
      .png({ palette: true, compressionLevel: 9 })
      .toBuffer();
  });
}
