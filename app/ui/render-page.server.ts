import { randomBytes } from 'node:crypto';
import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { GapContext, type MakeOnce } from './made-once.ts';
import { RecentlyUsed } from './recently-used.ts';

/** bytes; about 4,500 cards, each of 2.6 kB with a key of 1 kB */
const mostBytes = 16_000_000;

/** Cached markup of parts that repeat across pages, by key. A part with a gap has two pieces. */
const made = new RecentlyUsed<Uint8Array[]>(mostBytes, (pieces) =>
  pieces.reduce((sum, { length }) => sum + length, 0),
);

/**
 * The name of an element that represents a cached piece or a part's gap. No text can contain it:
 * React escapes `<`, and the rest is random.
 */
const name = `x-${randomBytes(12).toString('hex')}`;
const pieceStart = `<${name} n="`;
const pieceEnd = `"></${name}>`;
const gap = `<${name}></${name}>`;

const empty = new Uint8Array();
const encoder = new TextEncoder();

/**
 * Renders a page as UTF-8, and inserts cached parts as bytes. As a string, the page would have to
 * be encoded again, which is slow if any character is beyond Latin-1.
 */
export function renderPage(page: (makeOnce: MakeOnce) => ReactNode): Buffer<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  const place = (piece: Uint8Array) => pieces.push(piece) - 1;
  const makeOnce: MakeOnce = {
    whole: (key, part) =>
      madeOnce(key, part)
        .map((piece) => `${pieceStart}${place(piece)}${pieceEnd}`)
        .join(''),
    around(key, part) {
      const [before = empty, after = empty] = madeOnce(key, part);
      return [createElement(name, { n: place(before) }), createElement(name, { n: place(after) })];
    },
  };
  const markup = `<!DOCTYPE html>${renderToStaticMarkup(page(makeOnce))}`;
  const [start = '', ...rest] = markup.split(pieceStart);
  const found = rest.flatMap((text) => {
    const end = text.indexOf(pieceEnd);
    const piece = pieces[Number(text.slice(0, end))] ?? empty;
    return [piece, encoder.encode(text.slice(end + pieceEnd.length))];
  });
  return Buffer.concat([encoder.encode(start), ...found]);
}

function madeOnce(key: string, part: ReactNode): Uint8Array[] {
  return made.read(key, () => {
    const inContext = createElement(GapContext, { value: createElement(name) }, part);
    const markup = renderToStaticMarkup(inContext);
    return markup.split(gap).map((text) => encoder.encode(text));
  });
}
