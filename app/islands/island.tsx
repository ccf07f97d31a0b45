import { createElement, use } from 'react';
import { IslandPageContext } from './island-page.ts';

/**
 * Renders a part of a page that hydrates by itself: the component that `app/islands.ts` lists
 * under this `name`. The server renders it completely. `props` are sent as JSON, and a component
 * in an island uses neither the router nor a context. The first interaction hydrates any island.
 * `wakesOn` `visible` or `idle` hydrates it earlier. An island is a separate React tree even on
 * pages with a router.
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
    // The browser keeps the server's markup.
    suppressHydrationWarning: true,
    dangerouslySetInnerHTML: { __html: prefix ? page?.render(name, props, prefix) : '' },
    ref: wakeWhereEmpty,
  });
}

/** Hydrates an island that a router rendered, since the server sent no markup to interact with. */
function wakeWhereEmpty(island: HTMLElement | null): void {
  if (island?.firstChild === null) island.dispatchEvent(new Event('focusin', { bubbles: true }));
}

/**
 * Returns the attributes of a link that opens the island `Opened` over the page. Without JavaScript
 * it is an ordinary link.
 */
export function opens<Opened extends (props: never) => unknown>(
  name: string,
  props: Omit<Parameters<Opened>[0], 'onClose'>,
) {
  return { 'data-act': 'open', 'data-island': name, 'data-props': JSON.stringify(props) };
}
