import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { MadeOnceContext, useMadeOnce } from './made-once.ts';

let renders = 0;

function Word({ text }: { text: string }) {
  renders += 1;
  return createElement('b', null, text);
}

function Panel({ name, text }: { name: string | null; text: string }) {
  return createElement('p', useMadeOnce(name, createElement(Word, { text })));
}

const panels = [
  createElement(Panel, { key: 1, name: 'a', text: '<A>' }),
  createElement(Panel, { key: 2, name: 'a', text: '<A>' }),
  createElement(Panel, { key: 3, name: null, text: 'B' }),
];

it('renders a cached part once for its key, with the same markup as uncached', () => {
  const made = new Map<string, string>();
  const make = (key: string, part: ReactNode) => {
    const markup = made.get(key) ?? renderToStaticMarkup(part);
    made.set(key, markup);
    return markup;
  };
  renders = 0;
  const plain = renderToStaticMarkup(createElement('div', null, panels));
  expect(renders).toBe(3);
  renders = 0;
  const around = createElement(MadeOnceContext, { value: { whole: make } }, panels);
  expect(renderToStaticMarkup(createElement('div', null, around))).toBe(plain);
  expect(renders).toBe(2);
  expect([...made]).toEqual([['a', '<b>&lt;A&gt;</b>']]);
});
