import { checkMarkdown } from '#app/features/pages/check-markdown.server.ts';
import { longestContent } from '#app/features/pages/page-input.server.ts';
import type { FeedSizeLimits } from '#app/features/feeds/formats/decode-feed.server.ts';
import { errorOfFile, FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { shortenText } from '#app/platform/cut-text.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { cleanContent, hasContent } from './clean-content.server.ts';
import { identityOf, plain } from './old-identity.ts';
import { publicationOf, publicationTime, tagsOf } from './old-item.ts';
import { checkOldPicture, type PrivateHosts } from './old-picture.ts';
import { planMove } from './plan-move.server.ts';
import { readWxr } from './read-wxr.server.ts';
import type { WxrItem } from './wxr-item.ts';
import { type StagedOffer, stageOffer } from './stage-offer.ts';
import { type Attachment, stagePictures } from './stage-pictures.server.ts';
import { toMarkdown } from './to-markdown.server.ts';

/** items that are imported from one file */
const mostItems = 20_000;
const mostAttachments = 100_000;
const batchSize = 100;
/** pictures per text; any others keep their old URL */
const mostShownPictures = 500;
/** bytes of a post's cleaned HTML, as in its form */
const mostPostBytes = 200 * 1024;

interface Export extends Partial<PrivateHosts> {
  name: string;
  actor: string;
  origin: string;
  limits: FeedSizeLimits;
}

type Staged = ReturnType<typeof readItem> | StagedOffer;

/**
 * Reads a WordPress export and stores its posts, pages and offers for the preview. Nothing else on
 * the site changes. Throws `FeedError` if the file is not an export. Returns the id of the import.
 */
export async function stageMove(
  db: Db,
  source: AsyncIterable<Uint8Array>,
  { name, actor, origin, limits, privateHosts = [] }: Export,
): Promise<number> {
  await ask(db).rows`
    delete from post_moves where state = 'reading' and created_at < now() - interval '1 hour'`;
  const { id } = await db
    .insertInto('post_moves')
    .values({ file_name: plain(name, 200) || 'export.xml', created_by: actor })
    .returning('id')
    .executeTakeFirstOrThrow();
  try {
    await stageItems(db, id, source, { origin, limits, privateHosts });
    await planMove(db, id, origin);
    await ask(db).rows`update post_moves set state = 'ready' where id = ${id}`;
    return id;
  } catch (error) {
    await ask(db).rows`delete from post_moves where id = ${id}`;
    throw error instanceof FeedError ? errorOfFile(error) : error;
  }
}

async function stageItems(
  db: Db,
  id: number,
  source: AsyncIterable<Uint8Array>,
  { origin, limits, privateHosts }: Pick<Export, 'origin' | 'limits'> & PrivateHosts,
): Promise<void> {
  const { timeZone, currency } = await readSiteSettings(db);
  const now = new Date();
  const site = { url: null, authors: new Map<string, string>(), hasReplacements: false };
  const attachments = new Map<string, Attachment>();
  const leftOut = new Map<string, number>();
  const leave = (what: string, count = 1) => leftOut.set(what, (leftOut.get(what) ?? 0) + count);
  let waiting: Staged[] = [];
  let count = 0;
  for await (const item of readWxr(source, limits, site)) {
    if (item.comments > 0) leave('comment', item.comments);
    if (item.type === 'attachment') {
      leave('attachment');
      if (attachments.size < mostAttachments)
        attachments.set(item.id, { url: item.attachmentUrl, alt: plain(item.alt, 500) });
      continue;
    }
    const offer = stageOffer(item, { currency, timeZone, now });
    if (offer === null && item.type !== 'post' && item.type !== 'page') {
      leave(leftOut.size < 50 ? plain(item.type, 40) || 'item without a type' : 'other item');
      continue;
    }
    const isOffer = offer !== null && 'kind' in offer;
    if (item.terms.length > 0 && !isOffer) leave('term of another taxonomy', item.terms.length);
    if (++count > mostItems)
      throw new FeedError(
        `the file has more than ${mostItems} posts: export a part of them at a time`,
      );
    waiting.push(
      isOffer
        ? offer
        : readItem(item, { site, timeZone, origin, privateHosts }, offer?.notes ?? []),
    );
    if (waiting.length < batchSize) continue;
    await storeItems(db, id, waiting);
    waiting = [];
  }
  await storeItems(db, id, waiting);
  if (site.hasReplacements) leave('character that could not be read');
  await addPictures(db, id, attachments, privateHosts);
  const kept = await stagePictures(db, id, { siteUrl: site.url, attachments, privateHosts });
  const unused = (leftOut.get('attachment') ?? 0) - kept.attachments;
  if (unused > 0) leftOut.set('attachment', unused);
  else leftOut.delete('attachment');
  if (kept.beyond > 0) leave('picture beyond 50,000', kept.beyond);
  await ask(db).rows`
    update post_moves
       set site_url = ${site.url}, left_out = ${JSON.stringify(Object.fromEntries(leftOut))}::jsonb
     where id = ${id}`;
}

interface Context extends PrivateHosts {
  site: { url: string | null; authors: Map<string, string> };
  timeZone: string;
  origin: string;
}

function readItem(
  item: WxrItem,
  { site, timeZone, origin, privateHosts }: Context,
  offerNotes: readonly string[],
) {
  const kind: 'post' | 'page' = item.type === 'page' ? 'page' : 'post';
  const publication = publicationOf(item);
  const cleaned = cleanContent(plain(item.content, Infinity), {
    oldSite: site.url ?? '',
    origin,
    privateHosts,
  });
  const time = publicationTime(item, timeZone);
  const { tags, note: tagNote } = kind === 'post' ? tagsOf(item) : { tags: [], note: null };
  const author = item.creator && plain(site.authors.get(item.creator) || item.creator, 100).trim();
  const isPublished = 'isPublished' in publication && publication.isPublished;
  const hasTerms = kind === 'page' && item.tags.length + item.categories.length > 0;
  return {
    ...identityOf(item, kind),
    details: {
      excerpt: excerptOf(item.excerpt, cleaned.html),
      tags,
      author: author || null,
      picture: cleaned.pictures[0]?.address ?? null,
      pictures: cleaned.pictures.slice(0, mostShownPictures),
      thumbnail: item.thumbnailId,
      publishedAt: time?.toISOString() ?? null,
      isPublished,
    },
    content: 'skip' in publication ? null : cleaned.html,
    skip: 'skip' in publication ? publication.skip : problemOf(kind, item, cleaned.html),
    notes: [
      ...('note' in publication && publication.note ? [publication.note] : []),
      ...(isPublished && !time && kind === 'post'
        ? ['Has no date, so it gets the date of the move']
        : []),
      ...(tagNote ? [tagNote] : []),
      ...(hasTerms ? ['Left out its categories and tags: pages have none'] : []),
      ...(cleaned.pictures.length > mostShownPictures
        ? [`Only the first ${mostShownPictures} pictures are copied`]
        : []),
      ...(item.comments > 0 ? [`Left out ${countNoun(item.comments, 'comment')}`] : []),
      ...cleaned.notes,
      ...offerNotes,
    ],
  };
}

function problemOf(kind: 'post' | 'page', item: WxrItem, html: string): string | null {
  if (!hasContent(html)) return 'Has no text once shortcodes and scripts are removed';
  if (item.isTooLong || (kind === 'post' && Buffer.byteLength(html) > mostPostBytes))
    return `Too long: a post has at most ${mostPostBytes / 1024} KB`;
  if (kind === 'post') return null;
  const markdown = toMarkdown(html);
  if (markdown.length > longestContent)
    return `Too long: a page has at most ${longestContent.toLocaleString('en-US')} characters`;
  return checkMarkdown(markdown, null);
}

function excerptOf(written: string, html: string): string {
  const text = (from: string) =>
    plain(from.replace(/<[^<>]*>/g, ' '), 20_000)
      .replace(/&nbsp;/g, ' ')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, '&')
      .replace(/\s+/g, ' ')
      .trim();
  return shortenText(text(written), 500) || shortenText(text(html.slice(0, 4_000)), 200);
}

async function storeItems(db: Db, moveId: number, items: readonly Staged[]): Promise<void> {
  if (items.length === 0) return;
  await ask(db).rows`
    insert into post_move_items
           (move_id, kind, old_key, old_id, old_url, old_path, title, asked_slug, details, content, notes, skip)
    select ${moveId}, kind, old_key, old_id, old_url, old_path, title, asked_slug, details, content, notes, skip
      from jsonb_to_recordset(${JSON.stringify(items.map((item, place) => ({ ...item, place })))}::jsonb)
           as i (kind text, old_key text, old_id text, old_url text, old_path text, title text, asked_slug text,
                 details jsonb, content text, notes jsonb, skip text, place integer)
     order by place`;
}

/**
 * Sets the main pictures of posts and deals, since their attachments may come later in the file.
 */
async function addPictures(
  db: Db,
  moveId: number,
  attachments: ReadonlyMap<string, Attachment>,
  privateHosts: readonly string[],
) {
  const pictures = [...attachments].flatMap(([id, { url }]) => {
    const checked = checkOldPicture(url, privateHosts);
    return checked.ok ? [{ id, address: checked.url }] : [];
  });
  await ask(db).rows`
    update post_move_items i
       set details = i.details || jsonb_build_object('picture', p.address)
      from jsonb_to_recordset(${JSON.stringify(pictures)}::jsonb) as p (id text, address text)
     where i.move_id = ${moveId} and i.kind in ('post', 'deal') and i.details ->> 'thumbnail' = p.id
       and (i.kind = 'post' or i.details ->> 'picture' is null)`;
  await ask(db).rows`
    update post_move_items set notes = notes || '["Has no picture, so its card shows a drawing"]'::jsonb
     where move_id = ${moveId} and kind = 'post' and skip is null and details ->> 'picture' is null`;
}
