import type { Sharp } from 'sharp';
import {
  drawAnew,
  openPixels,
  photoFormats,
  RefusedPicture,
  UnreadablePicture,
} from '#app/platform/open-picture.server.ts';
import {
  boxesFor,
  copyPlan,
  formatsOf,
  heightOf,
  type PictureFileFormat,
  type PicturePlan,
} from './picture-files.ts';

export interface DrawnPicture {
  widest: number;
  /** pixels of the widest file */
  width: number;
  height: number;
  files: { box: number; format: PictureFileFormat; content: Buffer }[];
}

const leastPixels = 8;

/** Returns the redrawn files of a copy or of a library picture. */
export function drawPicture(
  original: Uint8Array,
  { plan = copyPlan, mostPixels = 25_000_000 }: { plan?: PicturePlan; mostPixels?: number } = {},
): Promise<DrawnPicture> {
  const limits = { formats: photoFormats, mostPixels };
  return drawAnew(original, limits, async (picture, size) => {
    if (Math.min(size.width, size.height) < leastPixels) {
      throw new RefusedPicture(`The picture has only ${size.width} × ${size.height} pixels`);
    }
    const boxes = boxesFor(size, plan);
    const widest = boxes.at(-1) ?? 0;
    const { data, info } = await fit(picture, widest)
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
      .catch((error: unknown) => {
        throw new UnreadablePicture('The picture file is damaged', { cause: error });
      });
    const files: DrawnPicture['files'] = [];
    for (const box of boxes) {
      for (const format of formatsOf(box, plan)) {
        const drawing = fit(openPixels(data, info), box);
        files.push({ box, format, content: await encode(drawing, format).toBuffer() });
      }
    }
    return { widest, width: info.width, height: info.height, files };
  });
}

function fit(picture: Sharp, box: number): Sharp {
  return picture.resize(box, heightOf(box), { fit: 'inside', withoutEnlargement: true });
}

function encode(picture: Sharp, format: PictureFileFormat): Sharp {
  return format === 'avif'
    ? picture.avif({ quality: 50, effort: 2, chromaSubsampling: '4:2:0' })
    : picture.webp({ quality: 75, effort: 3 });
}
