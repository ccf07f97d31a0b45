import { buffer } from 'node:stream/consumers';
import { pictureSources } from '#app/features/pictures/picture-files.ts';
import { drawPriceLine } from '#app/features/prices/draw-price-line.ts';
import type { PriceStep } from '#app/features/prices/lay-out-price-chart.ts';
import { accentColors } from '#app/features/site-settings/brand/accent-colors.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { openMedia } from '#app/platform/open-media.server.ts';
import { drawAnew, openPixels, photoFormats } from '#app/platform/open-picture.server.ts';
import { keepDrawable, measureText, outlineText, wrapText } from './outline-text.server.ts';
import { type ShareCard, shareSize } from './share-card.server.ts';

type Media = ReturnType<typeof openMedia>;

interface Placed {
  input: Buffer;
  left: number;
  top: number;
  width: number;
}

interface Panel {
  left: number;
  top: number;
  width: number;
  height: number;
  inset: number;
}

const limits = { formats: [...photoFormats, 'svg' as const], mostPixels: 25_000_000 };
/** bytes; some messengers show no larger picture */
const mostBytes = 150_000;
/** JPEG qualities: the usual one, and one for pictures that would be too large. */
const qualities = [86, 40];

const margin = 64;
const right = shareSize.width - margin;
/** The white panel for a picture beside the texts, in pixels. */
const panel: Panel = { left: 748, top: margin, width: 388, height: 388, inset: 24 };
/** The panels for pictures below the texts, in pixels. */
const row = [0, 1, 2].map((at): Panel => ({
  left: margin + at * 366,
  top: 366,
  width: 340,
  height: 220,
  inset: 16,
}));
/**
 * The title's font sizes in pixels, each with its maximum number of lines. The first size that
 * fits the whole title is used.
 */
const titleSizes: Record<ShareCard['layout'], { size: number; lines: number }[]> = {
  deal: [
    { size: 46, lines: 2 },
    { size: 38, lines: 3 },
  ],
  row: [
    { size: 64, lines: 1 },
    { size: 46, lines: 2 },
    { size: 38, lines: 3 },
  ],
  page: [
    { size: 64, lines: 3 },
    { size: 46, lines: 4 },
  ],
};
/** pixels; a prominent line that is too long at this font size is shortened */
const shortestLoud = 34;
const logoBox = { width: 340, height: 52 };
const lineBox = { top: 474, height: 126, inset: 24 };
const day = 86_400_000;
const colors = { paper: '#faf9f6', ink: '#1d1b17', muted: '#615c53', edge: '#e4e0d8' };

/**
 * Draws a share picture with the site's brand. The picture of a deal or product has a price line
 * of `steps`, which are sorted oldest first. Only stored pictures are shown, so nothing is
 * fetched.
 */
export async function drawShareCard(
  media: Media,
  card: ShareCard,
  steps: PriceStep[],
): Promise<Buffer> {
  const panels: Panel[] = [];
  const placed: Placed[] = [];
  for (const picture of card.pictures) {
    const place = card.layout === 'row' ? row[panels.length] : panel;
    const address = pictureSources(picture, 640).src;
    const shown = place && (await readStored(media, address, (bytes) => fitPicture(bytes, place)));
    if (!shown) continue;
    panels.push(place);
    placed.push(shown);
  }
  const { logoUrl } = card.site;
  const logo = logoUrl === '' ? null : await readStored(media, logoUrl, fitLogo);
  if (logo) placed.push(logo);
  const svg = layOut(card, steps, { panels, hasLogo: logo !== null });
  return drawAnew(Buffer.from(svg), limits, async (picture) => {
    const { data, info } = await picture
      .composite(placed)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    let drawn = Buffer.alloc(0);
    for (const quality of qualities) {
      drawn = await openPixels(data, info).jpeg({ quality, mozjpeg: true }).toBuffer();
      if (drawn.length < mostBytes) break;
    }
    return drawn;
  });
}

/** Returns a stored picture drawn by `fit`, or `null` if the picture is missing or damaged. */
async function readStored(
  media: Media,
  address: string,
  fit: (bytes: Uint8Array) => Promise<Placed>,
): Promise<Placed | null> {
  if (!address.startsWith('/media/')) return null;
  const found = await media.find(address.slice('/media/'.length));
  if (!found) return null;
  const bytes = await buffer(found.read());
  try {
    return await fit(bytes);
  } catch {
    return null;
  }
}

async function fitPicture(bytes: Uint8Array, place: Panel): Promise<Placed> {
  const { left, top, inset } = place;
  const [width, height] = [place.width - 2 * inset, place.height - 2 * inset];
  const white = { background: '#ffffff' };
  const input = await drawAnew(bytes, limits, (picture) =>
    picture
      .resize({ width, height, fit: 'contain', ...white })
      .flatten(white)
      .png()
      .toBuffer(),
  );
  return { input, left: left + inset, top: top + inset, width };
}

async function fitLogo(bytes: Uint8Array): Promise<Placed> {
  const { data, info } = await drawAnew(bytes, limits, (picture) =>
    picture
      .resize({ ...logoBox, fit: 'inside' })
      .png()
      .toBuffer({ resolveWithObject: true }),
  );
  const top = margin + Math.round((logoBox.height - info.height) / 2);
  return { input: data, left: margin, top, width: info.width };
}

interface Layout {
  panels: Panel[];
  hasLogo: boolean;
}

function layOut(card: ShareCard, steps: PriceStep[], { panels, hasLogo }: Layout): string {
  const { action, fill, onFill, soft } = accentColors(card.site.accent).light;
  const isNarrow = panels.length > 0 && card.layout !== 'row';
  const width = (isNarrow ? panel.left - 40 : right) - margin;
  const frames = panels.map(
    ({ left, top, width: across, height }) =>
      `<rect x="${left}" y="${top}" width="${across}" height="${height}" rx="24" fill="#ffffff" stroke="${colors.edge}" stroke-width="2"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${shareSize.width}" height="${shareSize.height}">
    <rect width="1200" height="630" fill="${colors.paper}"/><rect width="1200" height="14" fill="${fill}"/>
    ${drawLog(steps, card.lineName, action) ?? `<rect y="552" width="1200" height="78" fill="${soft}"/>`}
    ${frames.join('')}${hasLogo ? '' : drawName(card.site.siteName, width, fill, onFill)}
    ${drawTexts(card, width, action)}</svg>`;
}

/** The price line with its number of days, or `null` if there is no log. */
function drawLog(steps: PriceStep[], name: ShareCard['lineName'], ink: string): string | null {
  const { top, height, inset } = lineBox;
  const look = {
    width: (right - margin) / 2 + inset,
    height: height / 2,
    paper: colors.paper,
    line: ink,
  };
  const line = drawPriceLine(steps, null, look);
  const [first, newest] = [steps[0], steps.at(-1)];
  if (line === null || !first || !newest) return null;
  const watched = Math.floor((newest.at.getTime() - first.at.getTime()) / day);
  const label = `${name} over ${countNoun(Math.min(90, Math.max(1, watched)), 'day')}`;
  const place = { x: margin, y: 614, size: 20, color: colors.muted };
  return `<g transform="translate(${margin - inset} ${top})">${line}</g>${outlineText(label, place)}`;
}

/** Our mark with the site's name, for a site without a logo. */
function drawName(name: string, width: number, fill: string, onFill: string): string {
  const mark = `<g transform="translate(${margin} ${margin}) scale(0.75)"><rect width="64" height="64" rx="15" fill="${fill}"/>
    <path d="M9 19h15v14h14v12h10" fill="none" stroke="${onFill}" stroke-width="6.5" stroke-linecap="round" stroke-linejoin="round"/>
    <circle cx="51" cy="45" r="7.5" fill="#ff9466"/></g>`;
  const size = 30;
  const [shown = ''] = wrapText(keepDrawable(name), { size, width: width - 64, lines: 1 }).lines;
  const place = { x: margin + 64, y: margin + 35, size, color: colors.ink };
  return mark + outlineText(shown, { ...place, isBold: true });
}

/** Draws the title, the prominent line and the small print, from top to bottom. */
function drawTexts(card: ShareCard, width: number, accent: string): string {
  const text = keepDrawable(card.title);
  const fitted = titleSizes[card.layout].map((step) => ({
    ...step,
    ...wrapText(text, { ...step, width }),
  }));
  const { lines = [], size = 0 } = fitted.find(({ isCut }) => !isCut) ?? fitted.at(-1) ?? {};
  let y = 142;
  const drawn = lines.map((line) => {
    y += size * 1.2;
    return outlineText(line, { x: margin, y, size, color: colors.ink, isBold: true });
  });
  if (card.loud !== '') {
    y += card.loudSize + 22;
    drawn.push(drawLoud(card, { y, width, accent }));
  }
  y += 14;
  for (const line of wrapText(keepDrawable(card.text), { size: 27, width, lines: 2 }).lines) {
    y += 36;
    drawn.push(outlineText(line, { x: margin, y, size: 27, color: colors.ink }));
  }
  return drawn.join('');
}

/**
 * Draws the prominent line with small print beside it, in a smaller font if that makes room for
 * the small print.
 */
function drawLoud(
  { loud, loudSize: most, aside }: ShareCard,
  { y, width, accent }: { y: number; width: number; accent: string },
): string {
  const small = 28;
  const steps = aside === '' ? [most] : [most, most * 0.75];
  const whole = keepDrawable(loud);
  const sizes = steps.map((step) => {
    const fitting = (step * width) / measureText(whole, step);
    const size = Math.max(shortestLoud, Math.min(step, fitting));
    const [text = ''] = wrapText(whole, { size, width, lines: 1 }).lines;
    const x = margin + measureText(text, size) + 20;
    const room = { size: small, width: margin + width - x, lines: 1 };
    return { size, text, x, room, ...wrapText(keepDrawable(aside), room) };
  });
  const fitted = sizes.find(({ isCut }) => !isCut) ?? sizes.at(-1);
  if (!fitted) return '';
  const { size, text, x, room, lines } = fitted;
  const drawn = outlineText(text, { x: margin, y, size, color: accent, isBold: true });
  if (room.width <= 150) return drawn;
  return drawn + outlineText(lines[0] ?? '', { x, y, size: small, color: colors.muted });
}
