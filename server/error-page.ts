import { hashSource, pagePolicy } from '#server/security-headers.ts';

// The colours are those of app/ui/tokens.css: this page must work when nothing else does.
const style = `
:root{color-scheme:light dark;--bg:#faf9f6;--surface:#fff;--text:#1c1a17;--muted:#615c53;--line:#e2ded4;--action:#0b6650;--on:#fff}
@media(prefers-color-scheme:dark){:root{--bg:#141312;--surface:#1d1c1a;--text:#f3f0ea;--muted:#b3ada2;--line:#35322e;--action:#5fd0a5;--on:#05261c}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--bg);color:var(--text);font:1rem/1.5 Figtree,system-ui,sans-serif}
main{margin:16px;max-width:32rem;padding:32px;background:var(--surface);border:1px solid var(--line);border-radius:14px}
h1{margin:0 0 12px;font-size:1.6rem;line-height:1.2}
p{margin:0 0 16px}
small{color:var(--muted)}
a{display:inline-flex;align-items:center;min-height:44px;padding:0 20px;border-radius:10px;background:var(--action);color:var(--on);font-weight:600;text-decoration:none}`;

export const errorPagePolicy = pagePolicy([], [hashSource(style)]);

const sentences: Record<number, [title: string, text: string]> = {
  400: [
    'This address cannot be read',
    'Check it for typing mistakes, or start from the home page.',
  ],
  403: [
    'This form was not sent from our own page',
    'Open the page again and repeat the step there. Nothing was changed.',
  ],
  404: ['Page not found', 'There is nothing at this address.'],
  405: ['This cannot be done here', 'The address does not take requests of that kind.'],
  413: ['That was too much at once', 'At most 1 MB can be sent. Nothing was changed.'],
  414: ['This address is too long', 'Start from the home page.'],
  415: ['This kind of data is not understood', 'Nothing was changed.'],
  421: [
    'This site does not answer to that name',
    'Check the address, or ask the owner of the site.',
  ],
  429: ['Too many attempts', 'Please wait a moment and try again.'],
  500: ['Something went wrong', 'The mistake is ours, and it has been noted. Please try again.'],
  503: [
    'Back in a moment',
    'The site cannot reach its data right now and keeps trying. Please try again shortly.',
  ],
};

/** A page without any outside part, with a safe sentence and the number that finds the log line (R23). */
export function errorPage(status: number, requestId: string): string {
  const [title, text] = sentences[status] ?? sentences[500]!;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="/">Go to the home page</a></p>
<small>Reference: ${requestId}</small>
</main>
</body>
</html>
`;
}
