import { Parser } from 'htmlparser2';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { compress } from '#server/compress.ts';

/** Microseconds of the processor, with all that this process does for it: rubbish is collected here, too. */
export interface BareCost {
  render: number;
  /** With its bytes and brotli of quality 4, which uncached pages had when the bound was set. */
  answer: number;
}

/**
 * What React alone takes for this markup: the same elements, attributes and texts without a component, a router or data. The
 * least an uncached page can cost.
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
      // Scripts and styles are added by the framework as text, without React's work.
      if (name === 'script' || name === 'style') return;
      open.at(-1)?.push(createElement(plainName(name), plainAttributes(attributes), ...children));
    },
  });
  parser.end(html);
  return open[0] ?? [];
}

/** The page's own frame may not stand inside a div. */
function plainName(name: string): string {
  return ['html', 'head', 'body'].includes(name) ? 'div' : name;
}

/** As data attributes: what they are called costs React the same, and none of them is taken for a property. */
function plainAttributes(attributes: Record<string, string>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [key, value] of Object.entries(attributes)) {
    plain[key === 'class' ? 'className' : `data-${key.replaceAll(/[^a-z-]/g, '')}`] = value;
  }
  return plain;
}
