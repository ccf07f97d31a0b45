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
    // `data-button` shows a link as a button.
    a: ['href', 'title', 'rel', 'data-button'],
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
  // These tags contain code or form data, never prose. Other rejected tags keep their text.
  nonTextTags: silentTags.split(' '),
  nestingLimit: 40,
};

/**
 * Sanitizes a post's HTML: prose tags only, no styles, scripts or frames. Links to other hosts are
 * `nofollow noopener`. Pictures load lazily and without a referrer. Posts are sanitized on save
 * and again on display. `hasFullAddresses`, for feeds, makes internal links absolute. `hasDeals`,
 * for newsletters, keeps `<hr>` elements that represent a deal.
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
      // The page has its own `h1`.
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

/** Returns the URL from which a picture is shown, or `undefined` if it would not load. */
function shownAddress(src: string | undefined, ownOrigin: string): string | undefined {
  if (src === undefined || isOwn(src, ownOrigin)) return src;
  const checked = checkPictureUrl(src);
  return checked.ok ? checked.url : undefined;
}

/** Returns whether a link needs no `nofollow`: internal ones, `mailto:` and invalid URLs. */
function isOwn(href: string | undefined, ownOrigin: string): boolean {
  const url = href === undefined ? null : URL.parse(href, ownOrigin);
  return !url?.protocol.startsWith('http') || url.origin === ownOrigin;
}
