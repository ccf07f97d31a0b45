// A deal in the content of a post or newsletter is the element `<hr data-deal="12" title="Lamp">`.
// Content must be sanitized first, since other content may cost quadratic time.

const mostDeals = 40;
const element = /<hr [^>]*?data-deal="([1-9]\d{0,14})"[^>]*>/g;

/** Returns the deals in post content, in the order of the text, with their titles when inserted. */
export function namedDeals(content: string): { id: number; title: string }[] {
  const named = new Map<number, string>();
  for (const [line, id] of content.matchAll(element)) {
    if (named.size < mostDeals && !named.has(Number(id))) named.set(Number(id), titleOf(line));
  }
  return [...named].map(([id, title]) => ({ id, title }));
}

/** Replaces each deal in post content. `title` is the deal's title at the time of insertion. */
export function replaceDeals(
  content: string,
  write: (deal: { id: number; title: string }) => string,
): string {
  return content.replace(element, (line, id: string) =>
    write({ id: Number(id), title: titleOf(line) }),
  );
}

/** Turns each deal of sanitized content into a link, for places without cards. */
export function linkDeals(content: string): string {
  return replaceDeals(content, ({ id, title }) => {
    const text = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<p><a href="/deals/${id}">${text || `Deal ${id}`}</a></p>`;
  });
}

/** Splits post content at its embedded deals. Each deal is returned as its id. */
export function splitAtDeals(content: string): (string | number)[] {
  return content
    .split(element)
    .map((part, at) => (at % 2 === 0 ? part : Number(part)))
    .filter((part) => typeof part === 'number' || part.trim() !== '');
}

function titleOf(line: string): string {
  const [, title = ''] = /\stitle="([^"]*)"/.exec(line) ?? [];
  return plainText(title);
}

/** Decodes the entities that sanitized HTML contains. */
export function plainText(sanitised: string): string {
  return sanitised
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
