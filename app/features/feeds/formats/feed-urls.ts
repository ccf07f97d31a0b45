import { parseJson } from '#app/platform/parse-json.ts';

/**
 * Completes a URL that lacks the protocol or the shop's host. Tables often escape `&` as in XML.
 */
export function completeUrl(text: string, shop: string | null | undefined): string {
  const whole = text.trim();
  const trimmed = whole.includes('&') ? whole.replace(/&(?:amp|#38|#x26);/gi, '&') : whole;
  if (trimmed.startsWith('//')) return `https:${trimmed}`;
  if (/^www\.[^\s/]+\.[a-z]{2,}/i.test(trimmed)) return `https://${trimmed}`;
  if (!shop || /^[a-z][a-z\d+.-]*:/i.test(trimmed) || trimmed === '') return trimmed;
  const host = URL.parse(shop)?.host.replace(/^www\./, '') ?? '';
  if (host !== '' && `${trimmed.toLowerCase()}/`.startsWith(`${host}/`))
    return `https://${trimmed}`;
  const path = trimmed.replace(/^\{shop\}/, '');
  return URL.parse(path, `${shop.replace(/(?<!\/)\/+$/, '')}/`)?.href ?? trimmed;
}

/** Returns the pictures in a cell: one, or a list in any notation that feeds use. */
export function listPictures(text: string): string[] {
  if (text.startsWith('[') || text.startsWith('{')) {
    const list = parseJson(text);
    if (list !== undefined) return picturesIn(list);
  }
  return text
    .trim()
    .split(
      /(?<![\s,;|])[\s,;|]+(?=(?:https?:)?\/\/)|::(?=https?:)|(?<=\.(?:jpe?g|png|webp|gif|avif))(?=https?:\/\/)/i,
    )
    .map((one) => one.replace(/(?<![,;|:])[,;|:]+$/, ''));
}

function picturesIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(picturesIn);
  if (typeof value !== 'object' || value === null) return [];
  const entries = new Map<string, unknown>(Object.entries(value));
  return ['src', 'url', 'href', 'link', 'image', 'source'].flatMap((name) =>
    picturesIn(entries.get(name)),
  );
}
