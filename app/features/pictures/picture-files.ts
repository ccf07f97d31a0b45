/**
 * pixels; widths of the 4:3 boxes of a copy: thumbnails, cards, cards on dense screens, a deal's
 * own page. All deal pictures are shown at 4:3, so a box's height counts as much as its width.
 */
const boxes = [160, 320, 640, 960] as const;
export const widestBox = 960;
/** pixels; the few browsers without AVIF get WebP, without the largest size */
const widestWebp = 700;

/** ids per folder */
export const picturesInAFolder = 1_000;

export const heightOf = (box: number) => Math.round((box * 3) / 4);

/**
 * Returns the boxes for a picture of this size. None is larger than the picture, and no two have
 * nearly the same size.
 */
export function boxesFor({ width, height }: { width: number; height: number }): number[] {
  const widest = Math.min(widestBox, Math.max(width, Math.ceil((height * 4) / 3), 1));
  return boxesUpTo(widest);
}

function boxesUpTo(widest: number): number[] {
  return [...boxes.filter((box) => box * 1.25 <= widest), widest];
}

export const formatsOf = (box: number): ('avif' | 'webp')[] =>
  box <= widestWebp ? ['avif', 'webp'] : ['avif'];

export const fileOf = (stem: string, box: number, format: string) => `${stem}-${box}.${format}`;

/** Returns all files of a copy (`pictures-3/2k9-41ab07c2-960`, where 960 is the widest box). */
export function filesOf(name: string): string[] {
  const cut = name.lastIndexOf('-');
  return boxesUpTo(Number(name.slice(cut + 1))).flatMap((box) =>
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
 * Returns the sources for an `img`. An external picture, or one in a single size, has only its
 * address.
 */
export function pictureSources(address: string, most = widestBox): PictureSources {
  const [, stem = '', widest, kind] = /^(\/media\/.+)-(\d+)\.(webp|avif)$/.exec(address) ?? [];
  if (stem.startsWith('/media/pictures-')) {
    const all = boxesUpTo(Number(widest));
    const files = (upTo: number, format: string) =>
      all
        .filter((box, at) => at === 0 || box <= upTo)
        .map((box) => `${fileOf(stem, box, format)} ${box}w`);
    const webp = files(Math.min(most, widestWebp), 'webp');
    const [src = address] = webp.at(-1)?.split(' ') ?? [];
    return { src, srcSet: webp.join(', '), avifSet: files(most, 'avif').join(', ') };
  }
  if (widest !== '640') return { src: address };
  return { src: address, srcSet: `${stem}-320.${kind} 320w, ${address} 640w` };
}

/** Returns the smallest file of a picture. */
export function thumbnail(address: string): string {
  const { srcSet, src } = pictureSources(address);
  return srcSet?.split(' ', 1)[0] ?? src;
}
