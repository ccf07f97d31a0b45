import { escapeXml } from '#app/platform/escape-xml.ts';
import { hashSource, pagePolicy } from '#server/security-headers.ts';

// The colors repeat app/ui/tokens.css, because these pages must work when everything else fails.
const style = `
:root{color-scheme:light dark;--bg:#faf9f6;--surface:#fff;--text:#1c1a17;--muted:#615c53;--line:#e2ded4;--action:#0b6650;--on:#fff;--deal:#bc3908}
@media(prefers-color-scheme:dark){:root{--bg:#141312;--surface:#1d1c1a;--text:#f3f0ea;--muted:#b3ada2;--line:#35322e;--action:#5fd0a5;--on:#05261c;--deal:#ff9466}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--text);font:1rem/1.5 Figtree,system-ui,sans-serif}
main{box-sizing:border-box;width:calc(100% - 32px);max-width:32rem;margin:16px;padding:32px;background:var(--surface);border:1px solid var(--line);border-radius:14px;overflow-wrap:anywhere}
svg{display:block;margin:0 0 20px;fill:none;stroke:var(--action);stroke-width:7;stroke-linecap:round;stroke-linejoin:round}
circle{fill:var(--deal);stroke:none}
.kicker{margin:0 0 8px;color:var(--muted);font-size:.9rem}
h1{margin:0 0 12px;font-size:1.6rem;line-height:1.2}
p{margin:0 0 16px;white-space:pre-line}
small{color:var(--muted)}
a{color:inherit}
.button{display:inline-flex;align-items:center;min-height:44px;padding:0 20px;border-radius:10px;background:var(--action);color:var(--on);font-weight:600;text-decoration:none}`;

export const plainPagePolicy = pagePolicy([], [hashSource(style)]);

/** The logo from `app/ui/price-mark.tsx`. */
const mark =
  '<svg viewBox="4 10 56 44" width="36" height="28" aria-hidden="true"><path d="M9 19h15v14h14v12h10"/><circle cx="51" cy="45" r="7.5"/></svg>';

export interface PlainPage {
  title: string;
  text: string;
  /** The line above the title, such as the site's name. */
  kicker?: string;
  /** Whether to omit the logo, because the page hides which site this is. */
  isAnonymous?: boolean;
  action?: { label: string; href: string };
  /** A note in small print. */
  note?: string | { label: string; href: string };
}

/**
 * Returns a self-contained page for times when the site's own pages cannot or must not be shown.
 */
export function plainPage(page: PlainPage): string {
  const { title, text, kicker, isAnonymous, action, note } = page;
  const link = ({ label, href }: { label: string; href: string }, more = '') =>
    `<a${more} href="${escapeXml(href)}">${escapeXml(label)}</a>`;
  const lines = [
    isAnonymous ? '' : mark,
    kicker ? `<p class="kicker">${escapeXml(kicker)}</p>` : '',
    `<h1>${escapeXml(title)}</h1>`,
    `<p>${escapeXml(text)}</p>`,
    action ? `<p>${link(action, ' class="button"')}</p>` : '',
    note ? `<small>${typeof note === 'string' ? escapeXml(note) : link(note)}</small>` : '',
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeXml(kicker ? `${title} | ${kicker}` : title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${lines.filter(Boolean).join('\n')}
</main>
</body>
</html>
`;
}
