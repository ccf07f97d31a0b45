import { pathOfTyped } from '#app/features/catalog/redirect-rules.ts';
import { cutText } from '#app/platform/cut-text.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { plainHost } from './clean-content.server.ts';
import type { ShownPicture } from './old-item.ts';
import {
  checkOldPicture,
  originalPicture,
  plainPicture,
  type PrivateHosts,
} from './old-picture.ts';

/** A file of the old site's media library. */
export interface Attachment {
  url: string;
  alt: string;
}

interface StagedPicture {
  address: string;
  sources: Set<string>;
  isHttp: boolean;
  alt: string;
  items: Set<number>;
}

/** pictures per export; any others keep their old URL */
const mostPictures = 50_000;
/** URLs per picture */
const mostSources = 12;
const longestAlt = 500;
const rowsAtATime = 500;

/**
 * Stores the pictures that the staged items show, each once. Returns how many attachments are among
 * them, and how many pictures exceeded the limit.
 */
export async function stagePictures(
  db: Db,
  moveId: number,
  {
    siteUrl,
    attachments,
    privateHosts,
  }: { siteUrl: string | null; attachments: ReadonlyMap<string, Attachment> } & PrivateHosts,
): Promise<{ attachments: number; beyond: number }> {
  let beyond = 0;
  const known = knownAttachments(attachments, privateHosts);
  const pictures = new Map<string, StagedPicture>();
  for (let last = 0; ;) {
    const items = await ask(db).rows<{ id: number; pictures: ShownPicture[]; main: string | null }>`
      select id, details -> 'pictures' as pictures, details ->> 'picture' as main from post_move_items
       where move_id = ${moveId} and content is not null and id > ${last} order by id limit ${rowsAtATime}`;
    for (const { id, pictures: shown, main } of items) {
      const own = main === null ? shown : [...shown, { address: main, isHttp: false, alt: '' }];
      for (const picture of own) if (!note(pictures, known, picture, id)) beyond++;
      last = id;
    }
    if (items.length < rowsAtATime) break;
  }
  await store(db, moveId, siteUrl, [...pictures.values()]);
  return {
    attachments: [...pictures.keys()].filter((address) => known.has(address)).length,
    beyond,
  };
}

type Known = ReadonlyMap<string, Attachment & { plain: string }>;

/**
 * Returns the attachments by the URL of their original. An attachment whose own name ends like that
 * of a size, such as `logo-300x200.png`, is an original.
 */
function knownAttachments(
  attachments: ReadonlyMap<string, Attachment>,
  privateHosts: readonly string[],
): Known {
  const known = new Map<string, Attachment & { plain: string }>();
  for (const attachment of attachments.values()) {
    const checked = checkOldPicture(attachment.url, privateHosts);
    if (!checked.ok) continue;
    const plain = plainPicture(checked.url);
    const address = plain.includes('-scaled.') ? originalPicture(plain) : plain;
    known.set(address, { ...attachment, plain });
  }
  return known;
}

/** Notes that an item shows a picture. Returns false if there are too many. */
function note(
  pictures: Map<string, StagedPicture>,
  known: Known,
  { address: shown, isHttp, alt }: ShownPicture,
  item: number,
): boolean {
  const plain = plainPicture(shown);
  const address = known.has(plain) ? plain : originalPicture(plain);
  const attachment = known.get(address);
  const found = pictures.get(address);
  if (!found && pictures.size >= mostPictures) return false;
  const picture = found ?? {
    address,
    sources: new Set([attachment?.plain ?? address, address]),
    isHttp: attachment?.url.startsWith('http:') ?? false,
    alt: attachment?.alt ?? '',
    items: new Set<number>(),
  };
  if (picture.sources.size < mostSources) picture.sources.add(plain);
  picture.isHttp ||= isHttp;
  picture.alt ||= alt;
  picture.items.add(item);
  pictures.set(address, picture);
  return true;
}

async function store(
  db: Db,
  moveId: number,
  siteUrl: string | null,
  pictures: readonly StagedPicture[],
): Promise<void> {
  const host = plainHost(siteUrl ?? '');
  for (let from = 0; from < pictures.length; from += rowsAtATime) {
    const rows = pictures.slice(from, from + rowsAtATime).map((picture) => ({
      address: picture.address,
      sources: [...picture.sources],
      old_path: plainHost(picture.address) === host ? pathOfTyped(picture.address) : null,
      is_http: picture.isHttp,
      alt: cutText(picture.alt.toWellFormed().replace(/\p{Cc}+/gu, ' '), longestAlt),
      items: [...picture.items],
    }));
    await ask(db).rows`
      insert into post_move_pictures (move_id, address, sources, old_path, is_http, alt, items)
      select ${moveId}, address, sources, old_path, is_http, alt, items
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
             as p (address text, sources text[], old_path text, is_http boolean, alt text, items bigint[])`;
  }
}
