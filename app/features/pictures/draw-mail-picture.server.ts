import type { Db } from '#database/connect.ts';
import { drawAnew, photoFormats } from '#app/platform/open-picture.server.ts';

// Email clients show neither SVG nor AVIF, and Outlook does not show WebP, so emails use JPEG and
// PNG.

const limits = { formats: [...photoFormats, 'svg' as const], mostPixels: 25_000_000 };
/** cached pictures of each kind; about 8 kB each for emails, and at most 150 kB for sharing */
const mostKept = 300;
type Drawn = Map<string, Promise<Buffer>>;
const drawnIn = { mail: new WeakMap<Db, Drawn>(), share: new WeakMap<Db, Drawn>() };

/**
 * Returns the picture of this name, drawn only once while it is cached. `name` must change with the
 * content. Kinds of pictures never evict each other.
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

/** Returns whether the share picture of this name is cached. */
export function isShareDrawn(db: Db, name: string): boolean {
  return drawnIn.share.get(db)?.has(name) ?? false;
}

/** Converts one of the site's own SVG drawings to PNG. */
export function drawMailPng(svg: string): Promise<Buffer> {
  return drawAnew(Buffer.from(svg), limits, (picture) =>
    picture.png({ palette: true, compressionLevel: 9 }).toBuffer(),
  );
}

/** Returns a product's whole picture on white, at twice its size in an email. */
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
 * height is always the same, so emails need no other size.
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
