import { Parser } from 'htmlparser2';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { compress } from '#server/compress.ts';

/** The CPU time in microseconds that this process uses, including garbage collection. */
export interface BareCost {
  render: number;
  /**
   * CPU microseconds of rendering and compressing with brotli quality 4, which uncached pages used
   * when the limit was set.
   */
  answer: number;
}

/**
 * Measures the time that React alone needs for this markup: the same elements, attributes and texts
 * without components, router or data. That is the minimum for an uncached page.
 */
export function bareRenderer(html: string): () => Promise<BareCost> {
  const tree = createElement('div', null, ...parse(html));
  const render = () => renderToString(tree);
  const answer = () => compress(Buffer.from(renderToString(tree)), 'br', 4);
  return async () => ({ render: await costOf(render), answer: await costOf(answer) });
}

async function costOf(work: () => unknown): Promise<number> {
  for (let n = 0; n < 100; n++) await work();
  const before = process.cpuUsage();
  for (let n = 0; n < 200; n++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 200;
}

function parse(html: string): ReactNode[] {
  const open: ReactNode[][] = [[]];
  const attributesOf: Record<string, string>[] = [];
  const parser = new Parser({
    onopentag(_, attributes) {
      open.push([]);
      attributesOf.push(attributes);
    },
    ontext(text) {
      open.at(-1)?.push(text);
    },
    onclosetag(name) {
      const children = open.pop() ?? [];
      const attributes = attributesOf.pop() ?? {};
      // Scripts and styles are left out, since the framework adds them as text without React.
      if (name === 'script' || name === 'style') return;
      open.at(-1)?.push(createElement(plainName(name), plainAttributes(attributes), ...children));
    },
  });
  parser.end(html);
  return open[0] ?? [];
}

/** Renames the page's root elements, which are invalid inside a div. */
function plainName(name: string): string {
  return ['html', 'head', 'body'].includes(name) ? 'div' : name;
}

/**
 * Returns the attributes as data attributes. The names do not change React's cost, and React treats
 * none of them as a property.
 */
function plainAttributes(attributes: Record<string, string>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [key, value] of Object.entries(attributes)) {
    plain[key === 'class' ? 'className' : `data-${key.replaceAll(/[^a-z-]/g, '')}`] = value;
  }
  return plain;
}
