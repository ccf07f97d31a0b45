import { DomUtils, parseDocument } from 'htmlparser2';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { timingOf } from '#bench/measure.ts';

type Parsed = ReturnType<typeof parseDocument>['children'][number];

/**
 * Milliseconds React alone takes for this markup: the same elements, attributes and texts without a component, a
 * router or data. The least an uncached page can cost.
 */
export function timeBareRender(html: string): number {
  const tree = parseDocument(html).children.map(asElement);
  const times: number[] = [];
  for (let n = 0; n < 300; n++) {
    const start = performance.now();
    renderToString(createElement('div', null, ...tree));
    times.push(performance.now() - start);
  }
  return timingOf(times.slice(100)).median;
}

function asElement(node: Parsed): ReactNode {
  if (DomUtils.isText(node)) return node.data;
  if (!DomUtils.isTag(node)) return null;
  // Scripts and styles are React's own additions to the page; html, head and body may not stand in a div.
  if (node.name === 'script' || node.name === 'style') return null;
  const name = ['html', 'head', 'body'].includes(node.name) ? 'div' : node.name;
  // Only texts and data attributes: what they are called costs React the same.
  const attributes = Object.fromEntries(
    Object.entries(node.attribs).map(([key, value]) => [
      key === 'class' ? 'className' : `data-${key.replaceAll(/[^a-z-]/g, '')}`,
      value,
    ]),
  );
  return createElement(name, attributes, ...node.children.map(asElement));
}
