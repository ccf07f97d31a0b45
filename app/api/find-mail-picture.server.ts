import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  drawMailJpeg,
  drawMailLogo,
  drawMailPng,
  keepDrawn,
} from '#app/features/pictures/draw-mail-picture.server.ts';
import {
  noteShownPictures,
  type ReadPicture,
} from '#app/features/pictures/note-shown-pictures.server.ts';
import { pictureSources } from '#app/features/pictures/picture-files.ts';
import { drawPriceLine } from '#app/features/prices/draw-price-line.ts';
import { readPriceLine } from '#app/features/prices/mail-deal-pictures.server.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { ask } from '#database/ask.ts';

interface MailPicture {
  type: 'image/png' | 'image/jpeg';
  /** Identifies the content, in the ETag and in the cache of drawn pictures. */
  tag: string;
  /** Seconds for which caches may show the picture without revalidating. */
  seconds: number;
  draw(): Promise<Buffer>;
}

type Services = Pick<AppServices, 'db' | 'env' | 'log' | 'primary'>;

const day = 86_400;
/** pixels; a stored copy that is wide enough for dense screens */
const wideEnough = 320;
const mostTarget = 2_147_483_647;

/**
 * Returns an email's picture by its name. Returns `null` if the name is unknown or the data is not
 * public. Names:
 *
 * - `price-line-12-345.png`: the prices of deal 12 up to line 345 of the log.
 * - `price-line-12-345-9000.png`: the same, with a target.
 * - `deal-12.jpg`: the picture of deal 12.
 * - `logo-0123456789ab.png`: the logo with this hash.
 */
export async function findMailPicture(
  services: Services,
  name: string,
): Promise<MailPicture | null> {
  const [, kind, of = '', ending] =
    /^(price-line|deal|logo)-([\da-f-]+)\.(png|jpg)$/.exec(name) ?? [];
  if (kind === 'price-line' && ending === 'png') return findLine(services, of.split('-'));
  if (kind === 'deal' && ending === 'jpg') return findProduct(services, parseRowId(of) ?? 0);
  if (kind === 'logo' && ending === 'png') return findLogo(services, of);
  return null;
}

async function findLine({ db }: Services, numbers: string[]): Promise<MailPicture | null> {
  const [deal, version, target = null, ...more] = numbers.map(parseRowId);
  const isWhole = deal && version && numbers.length - (target === null ? 0 : 1) === 2;
  if (!isWhole || more.length > 0 || (target ?? 0) > mostTarget) return null;
  const svg = drawPriceLine(await readPriceLine(db, deal, version), target);
  if (svg === null) return null;
  const tag = createHash('sha256').update(svg).digest('base64url').slice(0, 27);
  const draw = () => keepDrawn(db, tag, () => drawMailPng(svg));
  return { type: 'image/png', tag, seconds: day, draw };
}

async function findProduct(services: Services, id: number): Promise<MailPicture | null> {
  const row = await ask(services.db).row<
    Omit<ReadPicture, 'merchant'> & { picture: string | null; merchantId: number }
  >`
    select d.image_url, shown_picture(d.image_url, m.keeps_pictures) as picture, m.id as "merchantId",
           is_picture_news(d.image_url, m.keeps_pictures) as "isPictureNews"
      from deals d join merchants m on m.id = d.merchant_id where d.id = ${id} and d.is_active`;
  if (!row?.picture) return null;
  noteShownPictures(services, [{ ...row, merchant: { id: row.merchantId } }]);
  const stored = pictureSources(row.picture, wideEnough).src;
  return ofStored(services, stored, { type: 'image/jpeg', seconds: day, redraw: drawMailJpeg });
}

function findLogo(services: Services, hash: string): Promise<MailPicture | null> {
  const logo = { type: 'image/png', seconds: 365 * day, redraw: drawMailLogo } as const;
  return ofStored(services, `/media/site/logo-${hash}.webp`, logo);
}

async function ofStored(
  { db, env }: Services,
  address: string,
  about: Pick<MailPicture, 'type' | 'seconds'> & { redraw(bytes: Uint8Array): Promise<Buffer> },
): Promise<MailPicture | null> {
  if (!address.startsWith('/media/')) return null;
  const { redraw, ...picture } = about;
  const name = address.slice('/media/'.length);
  const stored = await openMedia({ db, env }).find(name);
  if (!stored) return null;
  const tag = name.replaceAll(/[^\w-]/g, '-');
  const draw = () => keepDrawn(db, tag, async () => redraw(await buffer(stored.read())));
  return { ...picture, tag, draw };
}
