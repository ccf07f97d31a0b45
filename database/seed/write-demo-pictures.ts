import { createHash } from 'node:crypto';
import sharp from 'sharp';
import type { MediaStore } from '#database/media-store.ts';
import { slugify } from '#database/slug.ts';
import { drawProduct, merchantMonogram, paletteOf } from './product-art.ts';

export interface PictureWish {
  slug: string;
  kind: string;
}

const folder = 'demo';
const widths = [640, 320] as const;
/** pictures drawn in parallel */
const atOnce = 4;

/**
 * Stores the pictures of the demo shop as `demo/{kind}-{hash}-640.webp` and `-320.webp`, and
 * returns their URLs by slug. Slugs with the same kind and palette share a picture. Existing
 * pictures are not drawn again, because names contain a hash of the content.
 */
export async function writeDemoPictures(
  media: MediaStore,
  wishes: readonly PictureWish[],
): Promise<Map<string, string>> {
  const pictures = new Map<string, { name: string; svg: string }>();
  const urls = new Map<string, string>();
  for (const { slug, kind } of wishes) {
    const key = `${kind}-${paletteOf(slug)}`;
    const known = pictures.get(key);
    const picture = known ?? named(kind, drawProduct(kind, paletteOf(slug)));
    if (!known) pictures.set(key, picture);
    urls.set(slug, `/media/${folder}/${picture.name}-640.webp`);
  }
  const waiting = [...pictures.values()];
  for (let next = 0; next < waiting.length; next += atOnce)
    await Promise.all(
      waiting.slice(next, next + atOnce).map((picture) => writePicture(media, picture)),
    );
  return urls;
}

/** Stores each merchant's monogram as SVG, and returns the URLs by merchant name. */
export async function writeDemoLogos(
  media: MediaStore,
  names: readonly string[],
): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  for (const name of names) {
    const svg = merchantMonogram(name);
    const file = `logo-${named(slugify(name), svg).name}.svg`;
    await media.write(`${folder}/${file}`, Buffer.from(svg));
    urls.set(name, `/media/${folder}/${file}`);
  }
  return urls;
}

function named(stem: string, svg: string): { name: string; svg: string } {
  const hash = createHash('sha256').update(svg).digest('hex').slice(0, 10);
  return { name: `${stem}-${hash}`, svg };
}

async function writePicture(
  media: MediaStore,
  picture: { name: string; svg: string },
): Promise<void> {
  const files = widths.map((width) => ({
    width,
    file: `${folder}/${picture.name}-${width}.webp`,
  }));
  const found = await Promise.all(files.map(({ file }) => media.find(file)));
  if (found.every(Boolean)) return;
  // Draws each picture once, at the larger width, because drawing costs more than scaling down.
  const { data, info } = await sharp(Buffer.from(picture.svg))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  for (const { width, file } of files) {
    // This quality suits flat drawings: a higher one would double the size with no visible
    // difference.
    const drawn = sharp(data, { raw }).resize(width).webp({ quality: 84, effort: 3 });
    await media.write(file, await drawn.toBuffer());
  }
}
