export type PictureFileFormat = 'avif' | 'webp';

/** The files of a picture. */
export interface PicturePlan {
  /**
   * pixels; widths of 4:3 boxes: thumbnails, cards, cards on dense screens, a deal's own page. All
   * deal pictures are shown at 4:3, so a box limits the height as well as the width.
   */
  boxes: readonly number[];
  /** pixels; the few browsers without AVIF support get WebP, but no larger sizes */
  widestWebp: number;
}

export const copyPlan: PicturePlan = { boxes: [160, 320, 640, 960], widestWebp: 700 };
/**
 * Library pictures are also shown in texts and when shared, so their widest file is larger. Every
 * size has both formats.
 */
export const libraryPlan: PicturePlan = {
  boxes: [...copyPlan.boxes, 1600],
  widestWebp: Infinity,
};

/** picture ids per folder */
export const picturesInAFolder = 1_000;

export const heightOf = (box: number) => Math.round((box * 3) / 4);

/**
 * Returns the boxes for a picture of this size. None is larger than the picture, and no two have
 * nearly the same size.
 */
export function boxesFor(
  { width, height }: { width: number; height: number },
  plan: PicturePlan = copyPlan,
): number[] {
  const most = plan.boxes.at(-1) ?? 1;
  return boxesUpTo(Math.min(most, Math.max(width, Math.ceil((height * 4) / 3), 1)), plan);
}

function boxesUpTo(widest: number, { boxes }: PicturePlan): number[] {
  return [...boxes.filter((box) => box * 1.25 <= widest), widest];
}

export const formatsOf = (
  box: number,
  { widestWebp }: PicturePlan = copyPlan,
): PictureFileFormat[] => (box <= widestWebp ? ['avif', 'webp'] : ['avif']);

export const fileOf = (stem: string, box: number, format: string) => `${stem}-${box}.${format}`;

/** Returns all files of a copy (`pictures-3/2k9-41ab07c2-960`, where 960 is the widest box). */
export function filesOf(name: string): string[] {
  const cut = name.lastIndexOf('-');
  return boxesUpTo(Number(name.slice(cut + 1)), copyPlan).flatMap((box) =>
    formatsOf(box).map((format) => fileOf(name.slice(0, cut), box, format)),
  );
}

interface PictureSources {
  src: string;
  srcSet?: string;
  /** The sources for browsers that support AVIF. */
  avifSet?: string;
}

/**
 * Returns the sources for an `img`. An external picture, or one of a single size, has only its
 * address.
 */
export function pictureSources(address: string, most = 960): PictureSources {
  const [, stem = '', widest, kind] = /^(\/media\/.+)-(\d+)\.(webp|avif)$/.exec(address) ?? [];
  const plan = planOf(stem);
  if (plan) {
    const all = boxesUpTo(Number(widest), plan);
    const files = (upTo: number, format: string) =>
      all
        .filter((box, at) => at === 0 || box <= upTo)
        .map((box) => `${fileOf(stem, box, format)} ${box}w`);
    const webp = files(Math.min(most, plan.widestWebp), 'webp');
    const [src = address] = webp.at(-1)?.split(' ') ?? [];
    return { src, srcSet: webp.join(', '), avifSet: files(most, 'avif').join(', ') };
  }
  if (widest !== '640') return { src: address };
  return { src: address, srcSet: `${stem}-320.${kind} 320w, ${address} 640w` };
}

function planOf(stem: string): PicturePlan | null {
  if (stem.startsWith('/media/pictures-')) return copyPlan;
  return stem.startsWith('/media/library/') ? libraryPlan : null;
}

/** Returns the smallest file of a picture. */
export function thumbnail(address: string): string {
  const { srcSet, src } = pictureSources(address);
  return srcSet?.split(' ', 1)[0] ?? src;
}
