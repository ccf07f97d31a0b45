import sanitizeHtml from 'sanitize-html';
import type { LibraryPicture } from '#app/features/pictures/library-picture.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { plainPicture } from './old-picture.ts';

/** A fetched picture with its old URLs. */
interface Fetched {
  sources: readonly string[];
  alt: string;
  picture: Pick<LibraryPicture, 'address' | 'width' | 'height'>;
}

interface Item {
  id: number;
  kind: 'post' | 'page';
  row_id: number;
}

interface Shown {
  content: string;
  version: number;
}

/**
 * Writes the new URL of a fetched picture into the posts and pages that show it. This increases
 * their versions, so that an open editor cannot overwrite the change.
 */
export async function showPicture(tx: Db, pictureId: number, fetched: Fetched): Promise<void> {
  const items = await ask(tx).rows<Item>`
    select i.id, i.kind, i.row_id
      from post_move_pictures p join post_move_items i on i.id = any(p.items)
     where p.id = ${pictureId} and i.kind in ('post', 'page') and i.outcome in ('moved', 'kept') and i.row_id is not null order by i.id`;
  const old = new Set(fetched.sources);
  const isOld: IsOld = (address) => typeof address === 'string' && old.has(plainPicture(address));
  for (const item of items) {
    const version =
      item.kind === 'post'
        ? await showInPost(tx, item.row_id, isOld, fetched)
        : await showInPage(tx, item.row_id, isOld, fetched);
    if (version === null) continue;
    // Versions that staff wrote are not recorded as written by the import, so that an undo keeps
    // them.
    await ask(tx).rows`
      update post_move_items set written_version = ${version} + 1
       where id = ${item.id} and written_version = ${version}`;
  }
}

/** Returns the version that was replaced, or null if the post is gone or shows no such picture. */
async function showInPost(
  tx: Db,
  id: number,
  isOld: IsOld,
  fetched: Fetched,
): Promise<number | null> {
  const post = await ask(tx).row<Shown & { main: string | null }>`
    select content, featured_image_url as main, version from blog_posts where id = ${id} for update`;
  if (!post) return null;
  const content = inHtml(post.content, isOld, fetched);
  const main = isOld(post.main) ? fetched.picture.address : post.main;
  if (content === post.content && main === post.main) return null;
  await ask(tx).rows`
    update blog_posts set content = ${content}, featured_image_url = ${main}, version = version + 1
     where id = ${id}`;
  return post.version;
}

async function showInPage(
  tx: Db,
  id: number,
  isOld: IsOld,
  fetched: Fetched,
): Promise<number | null> {
  const page = await ask(tx).row<Shown>`
    select content, version from site_pages where id = ${id} for update`;
  const content = page && inMarkdown(page.content, isOld, fetched);
  if (!page || content === page.content) return null;
  await ask(tx).rows`
    update site_pages set content = ${content}, version = version + 1 where id = ${id}`;
  return page.version;
}

type IsOld = (address: string | null | undefined) => boolean;

/**
 * Replaces the picture and links to its file. The HTML is already sanitized, and only URLs change.
 */
function inHtml(html: string, isOld: IsOld, { alt, picture }: Fetched): string {
  let isChanged = false;
  const changed = sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    transformTags: {
      img: (tagName, attribs) => {
        if (!isOld(attribs.src)) return { tagName, attribs };
        isChanged = true;
        const isSized = attribs.width !== undefined || attribs.height !== undefined;
        const { address: src, width, height } = picture;
        const size: Record<string, string> = isSized
          ? {}
          : { width: `${width}`, height: `${height}` };
        return { tagName, attribs: { ...attribs, src, alt: attribs.alt || alt, ...size } };
      },
      a: (tagName, attribs) => {
        const { href, rel: _rel, ...others } = attribs;
        if (!isOld(href)) return { tagName, attribs };
        isChanged = true;
        return { tagName, attribs: { href: picture.address, ...others } };
      },
    },
  });
  return isChanged ? changed : html;
}

/** Replaces the picture in Markdown, where `toMarkdown` wrote each URL as `<URL>`. */
function inMarkdown(markdown: string, isOld: IsOld, { alt, picture }: Fetched): string {
  const described = alt.replace(/[\\`*_[\]<>~|]/g, '\\$&');
  return markdown
    .replace(/<(https:\/\/[^<>\s]{1,2048})>/g, (whole, address: string) =>
      isOld(address) ? `<${picture.address}>` : whole,
    )
    .replaceAll(`![](<${picture.address}>`, () => `![${described}](<${picture.address}>`);
}
