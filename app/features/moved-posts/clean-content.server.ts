import sanitizeHtml from 'sanitize-html';
import { sanitisePost } from '#app/features/blog/sanitise-post.server.ts';
import { pathOfTyped } from '#app/features/catalog/redirect-rules.ts';
import { checkPictureUrl } from '#app/platform/safe-url.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import type { ShownPicture } from './old-item.ts';
import { checkOldPicture, type PrivateHosts } from './old-picture.ts';
import { withoutShortcodes, withParagraphs } from './wordpress-text.ts';

interface Cleaned {
  html: string;
  /** Sentences about omitted content. */
  notes: string[];
  /** The pictures in the text, in order. */
  pictures: ShownPicture[];
}

/**
 * Converts WordPress HTML to that of a post, with paragraphs, but without shortcodes, scripts and
 * frames. URLs are made absolute, so that `linkToMoved` finds those of the old site.
 */
export function cleanContent(
  raw: string,
  { oldSite, origin, privateHosts }: { oldSite: string; origin: string } & PrivateHosts,
): Cleaned {
  const { html, removed } = withoutShortcodes(withParagraphs(raw));
  const seen = { scripts: 0, frames: 0, lost: 0 };
  const pictures: ShownPicture[] = [];
  const whole = (address = '') => URL.parse(address.trim(), oldSite || undefined)?.href ?? address;
  const absolute = sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    nestingLimit: 60,
    transformTags: {
      a: (tagName, { href, ...others }) => ({
        tagName,
        attribs:
          href === undefined
            ? others
            : { ...others, href: href.startsWith('#') ? href : whole(href) },
      }),
      img: (tagName, attribs) => {
        const src = whole(attribs['data-src'] ?? attribs['data-lazy-src'] ?? attribs.src);
        const checked = checkOldPicture(src, privateHosts);
        if (checked.ok) {
          const isHttp = src.startsWith('http:');
          pictures.push({ address: checked.url, isHttp, alt: attribs.alt ?? '' });
        } else seen.lost++;
        return { tagName, attribs: { ...attribs, src: checked.ok ? checked.url : '' } };
      },
      script: (tagName) => {
        seen.scripts++;
        return { tagName, attribs: {} };
      },
      iframe: (tagName, { src }): sanitizeHtml.Tag => {
        seen.frames++;
        const checked = checkPictureUrl(whole(src));
        if (!checked.ok) return { tagName, attribs: {} };
        return { tagName: 'a', attribs: { href: checked.url }, text: checked.url };
      },
      // Attributes are dropped, since our own `hr` tags embed a deal of this site.
      hr: (tagName) => ({ tagName, attribs: {} }),
    },
  });
  return { html: sanitisePost(absolute, origin).trim(), notes: notesOf(removed, seen), pictures };
}

function notesOf(
  shortcodes: readonly string[],
  { scripts, frames, lost }: { scripts: number; frames: number; lost: number },
): string[] {
  return [
    ...(shortcodes.length > 0 ? [`Removed shortcodes: ${shortcodes.join(', ')}`] : []),
    ...(scripts > 0 ? [`Removed ${countNoun(scripts, 'script')}`] : []),
    ...(frames > 0 ? [`${countNoun(frames, 'embedded page')} became a link`] : []),
    ...(lost > 0 ? [`Left out ${countNoun(lost, 'picture')} without a web address`] : []),
  ];
}

/** Returns whether HTML has text or pictures. */
export function hasContent(html: string): boolean {
  return html.replace(/<[^<>]*>|&nbsp;|\s/g, '') !== '' || html.includes('<img ');
}

/**
 * The new paths of imported posts and pages, by their old paths and their old numbers (`?p=12`).
 */
export interface MovedPaths {
  hosts: ReadonlySet<string>;
  byPath: ReadonlyMap<string, string>;
  byId: ReadonlyMap<string, string>;
}

export function plainHost(address: string): string {
  return (URL.parse(address)?.host ?? '').replace(/^www\./, '');
}

/**
 * Rewrites links to the old site's posts and pages to their new paths. `cleanContent` has sanitized
 * the HTML, and only URLs change here: each becomes a path on this site, escaped as an attribute.
 */
export function linkToMoved(html: string, moved: MovedPaths): string {
  return sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    transformTags: {
      a: (tagName, attribs) => {
        const { href = '', rel: _rel, ...others } = attribs;
        const path = movedPath(href, moved);
        return { tagName, attribs: path === null ? attribs : { href: path, ...others } };
      },
    },
  });
}

/** Returns the new path of an old link, or null if the link is kept. */
function movedPath(href: string, { hosts, byPath, byId }: MovedPaths): string | null {
  const url = URL.parse(href);
  if (!url?.protocol.startsWith('http') || !hosts.has(plainHost(href))) return null;
  const id = url.searchParams.get('p') ?? url.searchParams.get('page_id');
  const path = pathOfTyped(url.href);
  const found =
    (id === null ? undefined : byId.get(id)) ?? (path === null ? undefined : byPath.get(path));
  return found === undefined ? null : found + url.hash;
}
