import { createContext, use } from 'react';

/** How the server renders the islands of a page. The browser has no use for it. */
export interface IslandPage {
  /** The address of the script that wakes them, where nothing else of the page comes to life. */
  script: string | null;
  /** The markup of an island, rendered in a tree of its own as the browser will hydrate it, so that both make the same ids. */
  render: (name: string, props: object, identifierPrefix: string) => string;
  nextPrefix: () => string;
}

export const IslandPageContext = createContext<IslandPage | null>(null);

/** The script of a page that is no application in the browser. */
export function useIslandScript(): string | null {
  return use(IslandPageContext)?.script ?? null;
}
