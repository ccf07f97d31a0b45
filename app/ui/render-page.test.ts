import { createElement, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MadeOnceContext, useMadeAround, useMadeOnce } from './made-once.ts';
import { renderPage } from './render-page.server.ts';

let renders = 0;

function Words({ text }: { text: string }) {
  renders += 1;
  return createElement('b', null, text);
}

function Panel({ name, text, children }: { name: string; text: string; children?: ReactNode }) {
  const kept = useMadeOnce(name, createElement(Words, { text }));
  return createElement(Fragment, null, children, createElement('p', kept));
}

const texts = [
  'Ünïcode “quotes” …',
  'ελληνικά',
  'кириллица',
  'עברית',
  '中文',
  '𝒳 😀',
  '<b>&amp;',
  '\u0000 1>',
  '',
];
const page = createElement(
  'main',
  { title: '…' },
  texts.map((text) =>
    // The inner panel is rendered first, but comes later in the markup.
    createElement(
      Panel,
      { key: text, name: `outer ${text}`, text },
      createElement(Panel, { name: `inner ${text}`, text: `${text} inside` }),
      createElement('i', { title: text }, text, '>'),
    ),
  ),
);
const rendered = () =>
  renderPage((makeOnce) => createElement(MadeOnceContext, { value: makeOnce }, page));

test('renders a page with cached parts to the same bytes as without a cache', () => {
  const whole = Buffer.from(`<!DOCTYPE html>${renderToStaticMarkup(page)}`);
  expect(rendered()).toEqual(whole);
  expect(rendered()).toEqual(whole);
});

test('renders a cached part only for the first page that includes it', () => {
  rendered();
  renders = 0;
  rendered();
  expect(renders).toBe(0);
});

test('inserts page-specific content into the gap of a cached part', () => {
  const Gapped = ({ text, own }: { text: string; own: ReactNode }) => {
    const part = (placed: ReactNode) =>
      createElement('i', null, createElement(Words, { text }), placed, '>');
    return createElement('p', useMadeAround(`gapped ${text}`, part, own));
  };
  const pageFor = (own: ReactNode) =>
    createElement(
      'main',
      null,
      texts.map((text) => createElement(Gapped, { key: text, text, own })),
    );
  const made = (own: ReactNode) =>
    renderPage((makeOnce) => createElement(MadeOnceContext, { value: makeOnce }, pageFor(own)));
  const owns = [createElement('b', { title: '…' }, 'Ada’s'), null, 'Ben’s <b>', null, 'Ada’s'];
  for (const own of owns) {
    const whole = Buffer.from(`<!DOCTYPE html>${renderToStaticMarkup(pageFor(own))}`);
    expect(made(own)).toEqual(whole);
  }
  renders = 0;
  for (const own of owns) made(own);
  expect(renders).toBe(0);
});
