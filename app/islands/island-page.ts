import { createContext, use } from 'react';

/** The renderer of a page's islands on the server. The browser does not use it. */
export interface IslandPage {
  /** The script that hydrates the islands, if nothing else on the page does. */
  script: string | null;
  /**
   * Returns the markup of an island. The island is rendered in a separate tree as in the browser,
   * so that both create the same ids.
   */
  render: (name: string, props: object, identifierPrefix: string) => string;
  nextPrefix: () => string;
}

export const IslandPageContext = createContext<IslandPage | null>(null);

/** Returns the script that hydrates the islands of a page without a router, or null. */
export function useIslandScript(): string | null {
  return use(IslandPageContext)?.script ?? null;
}
