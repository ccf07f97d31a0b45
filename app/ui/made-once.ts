import { createContext, type DOMAttributes, type ReactNode, use } from 'react';

/** Renders a part once for each key. What it answers stands for the part as the content of an element. */
export type MakeOnce = (key: string, part: ReactNode) => string;

/** `entry.server.tsx` gives it to pages that no browser hydrates. */
export const MadeOnceContext = createContext<MakeOnce | null>(null);

/**
 * The content of an element, as its props, where that is the same on page after page: the markup is made once and kept
 * (decision 066). `key` names it, and holds whatever it differs by; null where that is not worth keeping. `part` is rendered by
 * itself: it uses no context and no ids.
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
