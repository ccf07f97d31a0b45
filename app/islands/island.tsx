import { createElement, use } from 'react';
import { IslandPageContext } from './island-page.ts';

/**
 * A part of a page that comes to life by itself: the component that `app/islands.ts` has under this `name`. The server sends
 * it whole. `props` travel as JSON, and a component in an island uses neither the router nor a context. `wakesOn`: a touch
 * wakes any island; `visible` and `idle` wake it earlier. It is a tree of its own on pages that are applications as well.
 */
export function Island<Component extends (props: never) => unknown>({
  name,
  wakesOn = 'touch',
  props,
}: {
  name: string;
  wakesOn?: 'touch' | 'visible' | 'idle';
  props: Parameters<Component> extends [infer Props] ? Props & object : object;
}) {
  const page = use(IslandPageContext);
  const prefix = page?.nextPrefix();
  return createElement('deal-island', {
    'data-name': name,
    'data-wakes-on': wakesOn,
    'data-props': JSON.stringify(props),
    'data-prefix': prefix,
    // In the browser the server's markup stays as it is.
    suppressHydrationWarning: true,
    dangerouslySetInnerHTML: { __html: prefix ? page?.render(name, props, prefix) : '' },
    ref: wakeWhereEmpty,
  });
}

/** Where a router made it the server has sent nothing that could be touched. */
function wakeWhereEmpty(island: HTMLElement | null): void {
  if (island?.firstChild === null) island.dispatchEvent(new Event('focusin', { bubbles: true }));
}

/** The attributes of a link that opens the island `Opened` over the page. Without script it is an ordinary link. */
export function opens<Opened extends (props: never) => unknown>(
  name: string,
  props: Omit<Parameters<Opened>[0], 'onClose'>,
) {
  return { 'data-act': 'open', 'data-island': name, 'data-props': JSON.stringify(props) };
}
