import { createContext, type DOMAttributes, type ReactNode, use } from 'react';

/**
 * Renders a part once for each key. The returned string represents the part as the content of an
 * element.
 */
export type MakeOnce = (key: string, part: ReactNode) => string;

/** The context that `entry.server.tsx` provides to pages that no browser hydrates. */
export const MadeOnceContext = createContext<MakeOnce | null>(null);

/**
 * Returns props for an element whose content is the same on page after page. Its markup is rendered
 * once and cached. `key` names it and contains everything that varies, or is null if caching is not
 * worth it. `part` is rendered by itself, so it uses no context and no ids.
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
