import { buffer } from 'node:stream/consumers';
import { drawAnew } from '#app/platform/open-picture.server.ts';
import type { openMedia } from '#app/platform/open-media.server.ts';
import { defaultSettings, type SiteSettings } from '../site-settings.ts';
import { accentColors } from './accent-colors.ts';

/** The link preview of pages without their own picture, in pixels. */
const size = { width: 1200, height: 630 };
/** The space for the logo or icon, above the price line, in pixels. */
const brandBox = { left: 82, width: 760, height: 180, middle: 210 };
/** Increase this number if the drawing changes, because caches keep a URL for a year. */
const version = 1;
const formats = ['png' as const, 'webp' as const, 'svg' as const];
const limits = { formats, mostPixels: 1_000_000 };

/** The contents of a drawing. The URL of the drawing names all of them. */
interface Parts {
  /** The accent color, such as `#0b6650`. Empty for the default. */
  accent: string;
  /** The name of the stored logo or icon, or `null` for our mark. */
  file: string | null;
}

type ShownBrand = Pick<SiteSettings, 'siteName' | 'accent' | 'logoUrl' | 'iconUrl'>;

/**
 * Returns the URL of the site's share picture. A site without a brand has the default picture, with
 * the default name.
 */
export function sharePictureAddress({ siteName, accent, logoUrl, iconUrl }: ShownBrand): string {
  const file = /\/site\/((?:logo|icon)-[\da-f]{12})\.\w+$/.exec(logoUrl || iconUrl)?.[1];
  if (file === undefined && accent === '' && siteName === defaultSettings.siteName) {
    return '/art/share.png';
  }
  return `/brand/share-${accent.slice(1) || 'own'}-${file ?? 'mark'}-${version}.png`;
}

/** Returns the contents that a name under `/brand/` requests, or `null` for another name. */
export function readShareName(name: string): Parts | null {
  const [, accent, file] =
    /^share-([\da-f]{6}|own)-((?:logo|icon)-[\da-f]{12}|mark)-\d\.png$/.exec(name) ?? [];
  if (accent === undefined || file === undefined) return null;
  return {
    accent: accent === 'own' ? '' : `#${accent}`,
    file: file === 'mark' ? null : `site/${file}${file.startsWith('logo') ? '.webp' : '.png'}`,
  };
}

/** Finds the logo or icon of a share picture. Returns a function that draws it, or `null`. */
export async function findSharePicture(
  media: ReturnType<typeof openMedia>,
  { accent, file }: Parts,
): Promise<(() => Promise<Buffer>) | null> {
  if (file === null) return () => drawSharePicture(accent, null);
  const found = await media.find(file);
  return found && (async () => drawSharePicture(accent, await buffer(found.read())));
}

/** Draws the share picture: the logo, the icon or our mark above a price line. */
export async function drawSharePicture(accent: string, brand: Uint8Array | null): Promise<Buffer> {
  const shown = brand && (await fitBrand(brand));
  const drawing = Buffer.from(priceLine(accent, shown === null));
  return drawAnew(drawing, limits, (picture) =>
    picture
      .composite(shown ? [shown] : [])
      .png({ compressionLevel: 9 })
      .toBuffer(),
  );
}

async function fitBrand(bytes: Uint8Array) {
  const { left, width, height, middle } = brandBox;
  const fitted = await drawAnew(bytes, limits, (picture) =>
    picture.resize({ width, height, fit: 'inside' }).png().toBuffer({ resolveWithObject: true }),
  );
  return { input: fitted.data, left, top: middle - Math.round(fitted.info.height / 2) };
}

/** The drawing has no text, since servers may lack fonts. */
function priceLine(accent: string, hasMark: boolean): string {
  const { action, fill, soft, onFill } = accentColors(accent).light;
  const line = 'M0 414H180V452H330V430H470V500H640V472H760V528H900V456H1010V566H1200';
  const mark = `<g transform="translate(82 120) scale(2.8)"><rect width="64" height="64" rx="15" fill="${fill}"/>
    <path d="M9 19h15v14h14v12h10" fill="none" stroke="${onFill}" stroke-width="6.5" stroke-linecap="round" stroke-linejoin="round"/>
    <circle cx="51" cy="45" r="7.5" fill="#ff9466"/></g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}">
    <rect width="1200" height="630" fill="#faf9f6"/><path d="${line}V630H0Z" fill="${soft}"/>
    <path d="M0 566H1010" stroke="#bc3908" stroke-width="3" stroke-dasharray="8 8"/>
    <path d="${line}" fill="none" stroke="${action}" stroke-width="7" stroke-linejoin="round"/>
    <circle cx="1094" cy="566" r="18" fill="#fff"/><circle cx="1094" cy="566" r="12" fill="#bc3908"/>${hasMark ? mark : ''}</svg>`;
}
