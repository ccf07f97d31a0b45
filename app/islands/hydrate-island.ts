import { type ComponentType, createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot } from 'react-dom/client';

/** Hydrates an island synchronously, so that the press that started it can be replayed. */
export function hydrateIsland(island: HTMLElement, component: ComponentType<never>): void {
  const { props = '{}', prefix = '' } = island.dataset;
  const element = createElement(component as ComponentType<object>, JSON.parse(props));
  flushSync(() => {
    if (island.firstChild) hydrateRoot(island, element, { identifierPrefix: prefix });
    else createRoot(island, { identifierPrefix: 'alone' }).render(element);
  });
}

interface Closable {
  onClose: () => void;
}

/**
 * Shows a component over the page until it asks to be closed, or the visitor goes back. The link
 * then receives the focus.
 */
export function showIsland(
  link: HTMLElement,
  component: ComponentType<never>,
  props: object,
): void {
  const place = document.body.appendChild(document.createElement('deal-island'));
  place.dataset['awake'] = '';
  const root = createRoot(place, { identifierPrefix: 'over' });
  const onClose = () => {
    removeEventListener('popstate', onClose);
    root.unmount();
    place.remove();
    link.focus();
  };
  addEventListener('popstate', onClose);
  flushSync(() => {
    root.render(createElement(component as ComponentType<Closable>, { ...props, onClose }));
  });
}
