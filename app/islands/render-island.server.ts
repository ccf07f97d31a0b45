import { type ComponentType, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { RecentlyUsed } from '#app/ui/recently-used.ts';
import type { IslandPage } from './island-page.ts';

/** bytes; a small cache, since markup whose props contain typed text is rarely reused */
const mostBytes = 1_000_000;

/**
 * Loads every island once. Returns a function that creates the island renderer of a page. `script`:
 * see `IslandPage`.
 */
export async function islandRenderer(
  islands: Record<string, () => Promise<unknown>>,
): Promise<(script: string | null) => IslandPage> {
  const loaded = await Promise.all(
    Object.entries(islands).map(async ([name, load]) => [name, await load()] as const),
  );
  const components = new Map(loaded as [string, ComponentType<object>][]);
  // Markup is cached by props: an island depends on nothing else, and most pages pass the same
  // props.
  const made = new RecentlyUsed<string>(mostBytes, ({ length }) => length);
  return (script) => {
    let count = 0;
    return {
      script,
      nextPrefix: () => `i${(count += 1)}`,
      render(name, props, identifierPrefix) {
        const component = components.get(name);
        if (!component) throw new Error(`app/islands.ts has no island “${name}”.`);
        const key = `${name} ${identifierPrefix} ${JSON.stringify(props)}`;
        return made.read(key, () =>
          renderToString(createElement(component, props), { identifierPrefix }),
        );
      },
    };
  };
}
