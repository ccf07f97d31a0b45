import sanitizeHtml from 'sanitize-html';
import type { LibraryPicture } from '#app/features/pictures/library-picture.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { plainPicture } from './old-picture.ts';

/** A picture that was fetched, with its old addresses. */
interface Fetched {
  sources: readonly string[];
  alt: string;
  picture: Pick<LibraryPicture, 'address' | 'width' | 'height'>;
}

interface Shown {
  item: number;
  kind: 'post' | 'page';
  row_id: number;
  content: string;
  main: string | null;
  version: number;
}

/**
 * Writes the new address of a fetched picture into the posts and pages that show it. Staff who edit
 * one at the same time are told that it changed.
 */
export async function showPicture(tx: Db, rowId: number, fetched: Fetched): Promise<void> {
  const shown = await ask(tx).rows<Shown>`
    select i.id as item, i.kind, b.id as row_id, b.content, b.featured_image_url as main, b.version
      from post_move_pictures p join post_move_items i on i.id = any(p.items)
      join blog_posts b on i.kind = 'post' and b.id = i.row_id
     where p.id = ${rowId} and i.outcome in ('moved', 'kept')
    union all
    select i.id, i.kind, s.id, s.content, null, s.version
      from post_move_pictures p join post_move_items i on i.id = any(p.items)
      join site_pages s on i.kind = 'page' and s.id = i.row_id
     where p.id = ${rowId} and i.outcome in ('moved', 'kept')
     order by 1`;
  const old = new Set(fetched.sources);
  const isOld = (address: string | null | undefined) =>
    typeof address === 'string' && old.has(plainPicture(address));
  for (const { item, kind, row_id: id, content, main, version } of shown) {
    const text =
      kind === 'post' ? inHtml(content, isOld, fetched) : inMarkdown(content, isOld, fetched);
    const isMain = isOld(main);
    if (text === content && !isMain) continue;
    const written =
      kind === 'post'
        ? await ask(tx).value<number>`
            update blog_posts set content = ${text}, version = version + 1,
                   featured_image_url = ${isMain ? fetched.picture.address : main}
             where id = ${id} and version = ${version} returning id`
        : await ask(tx).value<number>`
            update site_pages set content = ${text}, version = version + 1
             where id = ${id} and version = ${version} returning id`;
    if (written === null) throw new Error('a post changed while its pictures were written');
    await ask(tx).rows`
      update post_move_items set written_version = written_version + 1
       where id = ${item} and written_version = ${version}`;
  }
}

type IsOld = (address: string | undefined) => boolean;

/** Replaces the picture, and links to its file. The HTML is sanitised, and only addresses change. */
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

/** Replaces the picture in Markdown, where `toMarkdown` wrote each address as `<address>`. */
function inMarkdown(markdown: string, isOld: IsOld, { alt, picture }: Fetched): string {
  const described = alt.replace(/[\\`*_[\]<>~|]/g, '\\$&');
  return markdown
    .replace(/<(https:\/\/[^<>\s]{1,2048})>/g, (whole, address: string) =>
      isOld(address) ? `<${picture.address}>` : whole,
    )
    .replaceAll(`![](<${picture.address}>`, () => `![${described}](<${picture.address}>`);
}
