/**
 * The boxes of 4:3 that a copy is drawn into, by their widths: thumbnails, cards, cards on dense screens, a deal's own page.
 * Whatever shows a deal's picture has a frame of 4:3, so the height of a box counts as much as its width.
 */
const boxes = [160, 320, 640, 960] as const;
export const widestBox = 960;
/** WebP is for the few browsers without AVIF: they do without the largest. */
const widestWebp = 700;

/** Files of so many ids lie in one folder. */
export const picturesInAFolder = 1_000;

export const heightOf = (box: number) => Math.round((box * 3) / 4);

/** The boxes for a picture of this size: none larger than itself, nor two that are nearly the same. */
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

/** All files of the copy of this name (`pictures-3/2k9-41ab07c2-960`: the widest box is in it). */
export function filesOf(name: string): string[] {
  const cut = name.lastIndexOf('-');
  return boxesUpTo(Number(name.slice(cut + 1))).flatMap((box) =>
    formatsOf(box).map((format) => fileOf(name.slice(0, cut), box, format)),
  );
}

interface PictureSources {
  src: string;
  srcSet?: string;
  /** For browsers that know AVIF. */
  avifSet?: string;
}

/** What an `img` needs to choose from. Of a picture elsewhere, or of one in a single size, that is its address. */
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

/** One file for a place of a finger's width. */
export function thumbnail(address: string): string {
  const { srcSet, src } = pictureSources(address);
  return srcSet?.split(' ', 1)[0] ?? src;
}
