import { randomBytes } from 'node:crypto';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { MakeOnce } from './made-once.ts';

/** Markup of parts that are the same on page after page, by their keys. */
const made = new Map<string, Uint8Array>();
/** parts, mostly cards; eight megabytes of the most recently shown ones */
const mostMade = 2_000;

/**
 * A placeholder for a cached part. No text can contain it: React escapes `<`, and the rest is
 * random.
 */
const mark = `<${randomBytes(12).toString('hex')} `;

const empty = new Uint8Array();
const encoder = new TextEncoder();

/**
 * Renders a page as UTF-8, and inserts the parts that `page` renders once as bytes. A page of text
 * would be encoded again, character by character as soon as one is beyond Latin-1.
 */
export function renderPage(page: (makeOnce: MakeOnce) => ReactNode): Buffer<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const makeOnce: MakeOnce = (key, part) => `${mark}${parts.push(madeOnce(key, part)) - 1}>`;
  const markup = `<!DOCTYPE html>${renderToStaticMarkup(page(makeOnce))}`;
  const [start = '', ...rest] = markup.split(mark);
  const pieces = rest.flatMap((text) => {
    const end = text.indexOf('>');
    return [parts[Number(text.slice(0, end))] ?? empty, encoder.encode(text.slice(end + 1))];
  });
  return Buffer.concat([encoder.encode(start), ...pieces]);
}

function madeOnce(key: string, part: ReactNode): Uint8Array {
  const known = made.get(key);
  if (known) return known;
  const markup = encoder.encode(renderToStaticMarkup(part));
  if (made.size >= mostMade) made.clear();
  made.set(key, markup);
  return markup;
}
