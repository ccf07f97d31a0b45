import { createContext, type DOMAttributes, type ReactNode, use } from 'react';

/**
 * Renders a part once for each key. The returned string represents the part as the content of an
 * element.
 */
export type MakeOnce = (key: string, part: ReactNode) => string;

/** `entry.server.tsx` provides it to pages that no browser hydrates. */
export const MadeOnceContext = createContext<MakeOnce | null>(null);

/**
 * Props for an element whose content is the same on page after page: its markup is rendered once
 * and cached. `key` names it and contains everything that varies; null if it is not worth caching.
 * `part` is rendered by itself, so it uses no context and no ids.
 */
export function useMadeOnce(
  key: string | null,
  part: ReactNode,
): Pick<DOMAttributes<Element>, 'children' | 'dangerouslySetInnerHTML'> {
  const make = use(MadeOnceContext);
  return make && key !== null
    ? { dangerouslySetInnerHTML: { __html: make(key, part) } }
    : { children: part };
}
