import type { MetaDescriptor } from 'react-router';
import type { PublicSite } from '#app/features/site-settings/public-site.ts';
import { cutText } from '#app/platform/cut-text.ts';

/** A picture that was drawn for link previews. */
export interface SharePicture {
  path: string;
  type: 'image/jpeg' | 'image/png';
  /** pixels */
  width: number;
  height: number;
  alt: string;
}

export interface PageMeta {
  site: PublicSite | undefined;
  /** The path with the query that identifies this page, such as `/deals?page=2`. */
  path: string;
  /** The title without the site's name, which is appended. `null` for the home page. */
  title: string | null;
  description: string;
  /** The text for previews of the shared page, by default the description. */
  shareText?: string | null;
  /** The picture's URL, or a path on this site. A share picture has more tags. */
  image?: string | SharePicture | null;
  type?: 'website' | 'article' | 'product';
  /** schema.org documents from the typed builders. */
  jsonLd?: readonly object[];
  isIndexed?: boolean;
  previousPath?: string | null;
  nextPath?: string | null;
  /** The path of the list's feed. */
  feedPath?: string | null;
}

interface UnderRoot {
  matches: readonly [{ loaderData?: { site: PublicSite } | undefined }, ...unknown[]];
}

/** Returns the `meta` of a page with fixed content. */
export function fixedMeta(page: Omit<PageMeta, 'site'>): (under: UnderRoot) => MetaDescriptor[] {
  return ({ matches }) => pageMeta({ site: matches[0].loaderData?.site, ...page });
}

/** Returns the `meta` of a missing page. */
export function missingMeta(
  { matches, location }: UnderRoot & { location: { pathname: string } },
  description: string,
  title = 'Page Not Found',
): MetaDescriptor[] {
  const { site } = matches[0].loaderData ?? {};
  return pageMeta({ site, path: location.pathname, title, description, isIndexed: false });
}

/** Returns title, description, canonical URL, Open Graph and structured data of a page. */
export function pageMeta(page: PageMeta): MetaDescriptor[] {
  const { site } = page;
  const origin = site?.origin ?? '';
  const name = site?.name ?? 'Deal Hub';
  const title = page.title ? `${page.title} | ${name}` : `${name} – ${site?.tagline ?? ''}`;
  const address = `${origin}${page.path}`;
  const description = shorten(page.description, 160);
  const tags: MetaDescriptor[] = [
    { title },
    { name: 'description', content: description },
    { property: 'og:site_name', content: name },
    { property: 'og:type', content: page.type ?? 'website' },
    { property: 'og:title', content: page.title ?? title },
    {
      property: 'og:description',
      content: page.shareText ? shorten(page.shareText, 300) : description,
    },
    { property: 'og:url', content: address },
    ...pictureTags(page.image ?? sitePicture(site, name), origin),
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
  const link = (rel: string, path: string, more?: { type: string; title: string }) =>
    tags.push({ tagName: 'link', rel, ...more, href: origin + path });
  if (page.isIndexed === false) tags.push({ name: 'robots', content: 'noindex, follow' });
  else link('canonical', page.path);
  if (page.previousPath) link('prev', page.previousPath);
  if (page.nextPath) link('next', page.nextPath);
  if (page.feedPath) {
    const list = page.title ?? name;
    const json = page.feedPath.replace('.xml', '.json');
    link('alternate', page.feedPath, { type: 'application/rss+xml', title: `${list} (RSS)` });
    link('alternate', json, { type: 'application/feed+json', title: `${list} (JSON)` });
    if (page.feedPath.startsWith('/feeds/ending-soon.')) {
      const calendar = page.feedPath.replace('.xml', '.ics');
      link('alternate', calendar, { type: 'text/calendar', title: `${list} (iCalendar)` });
    }
  }
  for (const data of page.jsonLd ?? []) tags.push({ 'script:ld+json': data as never });
  return tags;
}

/** Returns the site's picture, for pages without their own. */
function sitePicture(site: PublicSite | undefined, alt: string): SharePicture {
  const path = site?.brand?.sharePicture ?? '/art/share.png';
  return { path, type: 'image/png', width: 1200, height: 630, alt };
}

/** Returns the tags of a picture. Some services need its size to show it in the first preview. */
function pictureTags(image: string | SharePicture, origin: string): MetaDescriptor[] {
  if (typeof image === 'string') {
    return [{ property: 'og:image', content: absolute(image, origin) }];
  }
  const { path, type, width, height, alt } = image;
  return [
    { property: 'og:image', content: absolute(path, origin) },
    { property: 'og:image:type', content: type },
    { property: 'og:image:width', content: String(width) },
    { property: 'og:image:height', content: String(height) },
    { property: 'og:image:alt', content: alt },
    { name: 'twitter:image', content: absolute(path, origin) },
    { name: 'twitter:image:alt', content: alt },
  ];
}

export function absolute(address: string, origin: string): string {
  return address.startsWith('/') ? `${origin}${address}` : address;
}

/** Cuts a text at a word, since search engines show about 160 characters. */
function shorten(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  return `${cutText(cut, Math.max(cut.lastIndexOf(' '), length / 2)).trimEnd()}…`;
}
