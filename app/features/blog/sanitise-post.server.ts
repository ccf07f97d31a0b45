import sanitizeHtml from 'sanitize-html';
import { checkPictureUrl } from '#app/platform/safe-url.ts';

const proseTags =
  'p h2 h3 h4 ul ol li dl dt dd blockquote pre hr br figure figcaption img table caption thead tbody tfoot tr th td ' +
  'a strong b em i u s sub sup mark small code kbd abbr cite q';
const silentTags =
  'script style textarea select option noscript xmp template title iframe noembed noframes plaintext math svg object';

const allowed: sanitizeHtml.IOptions = {
  allowedTags: proseTags.split(' '),
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    abbr: ['title'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading', 'decoding', 'referrerpolicy'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowProtocolRelative: false,
  // The text of these is code or form content, never prose. Of every other tag that is refused the text stays.
  nonTextTags: silentTags.split(' '),
  nestingLimit: 40,
};

/**
 * Makes a post's HTML safe for our pages: prose tags only, no style, script or frame. Search engines do not follow
 * links to other hosts, which also get no handle on our window; pictures load lazily and without a referrer. Runs when
 * a post is saved and again when it is shown (P18). With `hasFullAddresses`, for feeds, links to our own pages name our
 * host. With `hasDeals`, for newsletters, a line may stand for a deal.
 */
export function sanitisePost(
  html: string,
  ownOrigin: string,
  {
    hasFullAddresses = false,
    hasDeals = false,
  }: { hasFullAddresses?: boolean; hasDeals?: boolean } = {},
): string {
  const whole = (name: string, address: string | undefined): Record<string, string> => {
    if (address === undefined) return {};
    const isPath = /^\/(?!\/)/.test(address);
    return { [name]: hasFullAddresses && isPath ? ownOrigin + address : address };
  };
  return sanitizeHtml(html, {
    ...allowed,
    allowedAttributes: {
      ...allowed.allowedAttributes,
      ...(hasDeals && { hr: ['data-deal', 'title'] }),
    },
    transformTags: {
      // The page has its own first heading.
      h1: 'h2',
      a: (tagName, { rel: _rel, href, ...others }) => ({
        tagName,
        attribs: {
          ...whole('href', href),
          ...others,
          ...(isOwn(href, ownOrigin) ? {} : { rel: 'nofollow noopener' }),
        },
      }),
      img: (tagName, { src, ...others }) => ({
        tagName,
        attribs: {
          ...whole('src', shownAddress(src, ownOrigin)),
          ...others,
          alt: others.alt ?? '',
          loading: 'lazy',
          decoding: 'async',
          referrerpolicy: 'no-referrer',
        },
      }),
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  });
}

/** Where a picture is shown from; undefined where it would be shown to nobody. */
function shownAddress(src: string | undefined, ownOrigin: string): string | undefined {
  if (src === undefined || isOwn(src, ownOrigin)) return src;
  const checked = checkPictureUrl(src);
  return checked.ok ? checked.url : undefined;
}

/** Also true of `mailto:` and of what is no address at all: there is nothing to lend weight to. */
function isOwn(href: string | undefined, ownOrigin: string): boolean {
  const url = href === undefined ? null : URL.parse(href, ownOrigin);
  return !url?.protocol.startsWith('http') || url.origin === ownOrigin;
}
