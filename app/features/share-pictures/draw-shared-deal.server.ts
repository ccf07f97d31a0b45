import { buffer } from 'node:stream/consumers';
import { pictureSources } from '#app/features/pictures/picture-files.ts';
import { drawPriceLine } from '#app/features/prices/draw-price-line.ts';
import type { PriceStep } from '#app/features/prices/lay-out-price-chart.ts';
import { accentColors } from '#app/features/site-settings/brand/accent-colors.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { openMedia } from '#app/platform/open-media.server.ts';
import { drawAnew, openPixels, photoFormats } from '#app/platform/open-picture.server.ts';
import { keepDrawable, measureText, outlineText, wrapText } from './outline-text.server.ts';
import { type SharedDeal, shareSize } from './share-deal.server.ts';

type Media = ReturnType<typeof openMedia>;

interface Placed {
  input: Buffer;
  left: number;
  top: number;
  width: number;
}

const limits = { formats: [...photoFormats, 'svg' as const], mostPixels: 25_000_000 };
/** bytes; some messengers show no larger picture */
const mostBytes = 150_000;
/** The usual quality, and the one for a picture that would be too large. */
const qualities = [86, 40];

const margin = 64;
const right = shareSize.width - margin;
/** The product's picture on its white panel, in pixels. */
const panel = { left: 748, top: margin, side: 388, inset: 24 };
const logoBox = { width: 340, height: 52 };
const lineBox = { top: 474, height: 126, inset: 24 };
const day = 86_400_000;
const colors = { paper: '#faf9f6', ink: '#1d1b17', muted: '#615c53', edge: '#e4e0d8' };

/**
 * Draws a deal's share picture: product, price, verdict and price line, with the site's brand.
 * Steps are sorted oldest first. Only stored pictures are shown, so nothing is fetched.
 */
export async function drawSharedDeal(
  media: Media,
  shared: SharedDeal,
  steps: PriceStep[],
): Promise<Buffer> {
  const stored = shared.picture && pictureSources(shared.picture, 640).src;
  const product = stored && (await readStored(media, stored, fitProduct));
  const { logoUrl } = shared.site;
  const logo = logoUrl === '' ? null : await readStored(media, logoUrl, fitLogo);
  const placed = [product, logo].filter((one): one is Placed => Boolean(one));
  const svg = layOut(shared, steps, { hasProduct: Boolean(product), hasLogo: logo !== null });
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

/** Returns a stored picture as `fit` draws it, or `null` if there is none or it is damaged. */
async function readStored(
  media: Media,
  address: string,
  fit: (bytes: Uint8Array) => Promise<Placed>,
): Promise<Placed | null> {
  if (!address.startsWith('/media/')) return null;
  const found = await media.find(address.slice('/media/'.length));
  if (!found) return null;
  try {
    return await fit(await buffer(found.read()));
  } catch {
    return null;
  }
}

async function fitProduct(bytes: Uint8Array): Promise<Placed> {
  const side = panel.side - 2 * panel.inset;
  const white = { background: '#ffffff' };
  const input = await drawAnew(bytes, limits, (picture) =>
    picture
      .resize({ width: side, height: side, fit: 'contain', ...white })
      .flatten(white)
      .png()
      .toBuffer(),
  );
  return { input, left: panel.left + panel.inset, top: panel.top + panel.inset, width: side };
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
  hasProduct: boolean;
  hasLogo: boolean;
}

function layOut(shared: SharedDeal, steps: PriceStep[], { hasProduct, hasLogo }: Layout): string {
  const { action, fill, onFill, soft } = accentColors(shared.site.accent).light;
  const width = (hasProduct ? panel.left - 40 : right) - margin;
  const { left, top, side } = panel;
  const frame = `<rect x="${left}" y="${top}" width="${side}" height="${side}" rx="24" fill="#ffffff" stroke="${colors.edge}" stroke-width="2"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${shareSize.width}" height="${shareSize.height}">
    <rect width="1200" height="630" fill="${colors.paper}"/><rect width="1200" height="14" fill="${fill}"/>
    ${drawLog(steps, action) ?? `<rect y="552" width="1200" height="78" fill="${soft}"/>`}
    ${hasProduct ? frame : ''}${hasLogo ? '' : drawName(shared.site.siteName, width, fill, onFill)}
    ${drawTexts(shared, width, action)}</svg>`;
}

/** The price line with its number of days, or `null` without a log. */
function drawLog(steps: PriceStep[], ink: string): string | null {
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
  const label = `Price over ${countNoun(Math.min(90, Math.max(1, watched)), 'day')}`;
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

/** Title, price with store, and verdict, from top to bottom. */
function drawTexts({ title, store, price, rest }: SharedDeal, width: number, accent: string) {
  const text = keepDrawable(title);
  const large = { size: 46, width, lines: 2 };
  const small = { size: 38, width, lines: 3 };
  const { lines: short, isCut } = wrapText(text, large);
  const { size } = isCut ? small : large;
  const shown = isCut ? wrapText(text, small).lines : short;
  let y = 142;
  const drawn = shown.map((line) => {
    y += size * 1.2;
    return outlineText(line, { x: margin, y, size, color: colors.ink, isBold: true });
  });
  const loud = keepDrawable(price ?? `See price at ${store}`);
  const most = price === null ? 44 : 76;
  const loudSize = Math.min(most, (most * width) / measureText(loud, most));
  y += most + 22;
  drawn.push(outlineText(loud, { x: margin, y, size: loudSize, color: accent, isBold: true }));
  const storeX = margin + measureText(loud, loudSize) + 20;
  const room = { size: 28, width: margin + width - storeX, lines: 1 };
  if (price !== null && room.width > 120) {
    const [at = ''] = wrapText(keepDrawable(`at ${store}`), room).lines;
    drawn.push(outlineText(at, { x: storeX, y, size: 28, color: colors.muted }));
  }
  y += 14;
  for (const line of wrapText(sentenceOf(rest), { size: 27, width, lines: 2 }).lines) {
    y += 36;
    drawn.push(outlineText(line, { x: margin, y, size: 27, color: colors.ink }));
  }
  return drawn.join('');
}

/** Returns the verdict as a sentence of its own, without the punctuation after the price. */
function sentenceOf(rest: string): string {
  const text = keepDrawable(rest.replace(/^[\s,;:]+/, ''));
  return text.charAt(0).toUpperCase() + text.slice(1);
}
