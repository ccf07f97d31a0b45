import { createContext, use } from 'react';

/** Renders the islands of a page on the server. The browser does not use it. */
export interface IslandPage {
  /** The script that hydrates the islands, if nothing else of the page does. */
  script: string | null;
  /**
   * The markup of an island, rendered in a tree of its own like the browser hydrates it, so that
   * both create the same ids.
   */
  render: (name: string, props: object, identifierPrefix: string) => string;
  nextPrefix: () => string;
}

export const IslandPageContext = createContext<IslandPage | null>(null);

/** The script of a page that is not an application in the browser. */
export function useIslandScript(): string | null {
  return use(IslandPageContext)?.script ?? null;
}
