import { createContext, type ReactNode, useContext } from 'react';
import type { Role } from '#database/schema.ts';

/** Who looks at this page, as far as the browser needs to know. Null: nobody signed in, or a shared page. */
export interface Viewer {
  email: string;
  role: Role;
}

const ViewerContext = createContext<Viewer | null>(null);

export function ViewerProvider({
  viewer,
  children,
}: {
  viewer: Viewer | null;
  children: ReactNode;
}) {
  return <ViewerContext value={viewer}>{children}</ViewerContext>;
}

export function useViewer(): Viewer | null {
  return useContext(ViewerContext);
}
