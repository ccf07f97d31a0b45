import { type ComponentType, createElement } from 'react';
import { renderToString } from 'react-dom/server';
import type { IslandPage } from './island-page.ts';

/** Loads every island once; what it answers begins a page. `script`: see `IslandPage`. */
export async function islandRenderer(
  islands: Record<string, () => Promise<unknown>>,
): Promise<(script: string | null) => IslandPage> {
  const loaded = await Promise.all(
    Object.entries(islands).map(async ([name, load]) => [name, await load()] as const),
  );
  const components = new Map(loaded as [string, ComponentType<object>][]);
  return (script) => {
    let count = 0;
    return {
      script,
      nextPrefix: () => `i${(count += 1)}`,
      render(name, props, identifierPrefix) {
        const component = components.get(name);
        if (!component) throw new Error(`app/islands.ts has no island “${name}”.`);
        return renderToString(createElement(component, props), { identifierPrefix });
      },
    };
  };
}
