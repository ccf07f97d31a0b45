import sanitizeHtml from 'sanitize-html';
import { plainText, replaceDeals } from '#app/features/blog/content-deals.ts';

const ink = 'color:#1c1a17;';
const ownColor = '#0b6650';
const line = '1px solid #e2ded4';
const text = `${ink}font-size:16px;line-height:24px;margin:0 0 16px;`;
const heading = (size: number) =>
  `${ink}font-size:${size}px;line-height:${size + 6}px;font-weight:700;margin:24px 0 8px;`;

/**
 * The inline style of each element, since emails have no style sheet. The classes are for dark
 * mode.
 */
const looks: Record<string, { style: string; class?: string }> = {
  p: { style: text, class: 'mail-text' },
  h2: { style: heading(20), class: 'mail-text' },
  h3: { style: heading(18), class: 'mail-text' },
  h4: { style: heading(16), class: 'mail-text' },
  ul: { style: `${text}padding-left:24px;`, class: 'mail-text' },
  ol: { style: `${text}padding-left:24px;`, class: 'mail-text' },
  dl: { style: text, class: 'mail-text' },
  blockquote: {
    style: `${ink}border-left:3px solid ${ownColor};margin:0 0 16px;padding:4px 0 4px 16px;`,
    class: 'mail-text',
  },
  pre: {
    style: `${text}font-family:ui-monospace,Menlo,monospace;font-size:14px;white-space:pre-wrap;`,
    class: 'mail-text',
  },
  table: { style: `${text}border-collapse:collapse;`, class: 'mail-text' },
  th: { style: `border:${line};padding:6px 10px;text-align:left;`, class: 'mail-line' },
  td: { style: `border:${line};padding:6px 10px;`, class: 'mail-line' },
  figure: { style: 'margin:0 0 16px;' },
  figcaption: {
    style: 'color:#615c53;font-size:13px;line-height:20px;margin:4px 0 0;',
    class: 'mail-small',
  },
  hr: { style: `border:0;border-top:${line};margin:24px 0;`, class: 'mail-line' },
  a: { style: `color:${ownColor};`, class: 'mail-link' },
  img: { style: 'max-width:100%;height:auto;border-radius:10px;' },
};

/** The attributes that are kept in emails; hints for browsers are dropped. */
const kept = new Set(['alt', 'title', 'start', 'colspan', 'rowspan', 'scope', 'data-deal']);

interface Places {
  /** The color of links and of the line next to a quotation, as `#rrggbb`. */
  linkColor: string;
  /** Returns a link's target in the email, or `null` if it has none. */
  link(href: string): string | null;
  /** Returns a picture's address, or `null` if the picture cannot be shown. */
  picture(src: string): string | null;
  /** Returns the card of a deal, or an empty string if the deal is omitted. */
  deal(id: number): string;
  /** Renders a link as a button. */
  button(link: { href: string; label: string }): string;
}

/**
 * The only markup in which this module writes a button. A newsletter's text cannot contain this
 * markup.
 */
const buttonElement = /<a data-button="mail" href="([^"]*)">(.*?)<\/a>/gs;

function lookOf(tagName: string, { linkColor }: Places) {
  const look = looks[tagName];
  return look && { ...look, style: look.style.replace(ownColor, linkColor) };
}

/** Converts an editor's sanitized HTML to email HTML. */
export function styleNewsletter(clean: string, places: Places): string {
  const styled = sanitizeHtml(clean, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    parseStyleAttributes: false,
    transformTags: {
      '*': (tagName, { href, src, ...others }): sanitizeHtml.Tag => {
        const to = href === undefined ? null : places.link(href);
        if (tagName === 'a' && 'data-button' in others && to !== null) {
          return { tagName, attribs: { 'data-button': 'mail', href: to } };
        }
        const picture = src === undefined ? null : places.picture(src);
        return {
          tagName,
          attribs: {
            ...Object.fromEntries(Object.entries(others).filter(([name]) => kept.has(name))),
            ...lookOf(tagName, places),
            ...(to !== null && { href: to }),
            ...(picture !== null && { src: picture }),
          },
        };
      },
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  });
  const withButtons = styled.replace(buttonElement, (_element, href: string, inner: string) => {
    const label = plainText(inner.replace(/<[^<>]*>/g, '')).trim();
    // A picture cannot be a button's label, so its link remains a plain one.
    if (label === '') return `<a href="${href}">${inner}</a>`;
    return places.button({ href: plainText(href), label });
  });
  return replaceDeals(withButtons, ({ id }) => places.deal(id));
}
