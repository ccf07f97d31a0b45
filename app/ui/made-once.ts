import {
  createContext,
  createElement,
  type DOMAttributes,
  Fragment,
  type ReactNode,
  use,
} from 'react';

/** Renders parts once per key. */
export interface MakeOnce {
  /** Returns a string that represents the part as the content of an element. */
  whole: (key: string, part: ReactNode) => string;
  /**
   * Returns nodes that represent the part before and after its `Gap`. If missing, parts with a gap
   * are rendered every time.
   */
  around?: (key: string, part: ReactNode) => readonly [before: ReactNode, after: ReactNode];
}

/** The context that `entry.server.tsx` provides to pages that no browser hydrates. */
export const MadeOnceContext = createContext<MakeOnce | null>(null);

/** A placeholder in a cached part for the content of its gap. */
export const GapContext = createContext<ReactNode>(null);

type Content = Pick<DOMAttributes<Element>, 'children' | 'dangerouslySetInnerHTML'>;

/**
 * Returns props for an element whose content repeats across pages. Its markup is rendered once and
 * cached. `key` contains everything that varies; null disables caching. `part` is rendered
 * separately, so it must not use context or ids.
 */
export function useMadeOnce(key: string | null, part: ReactNode): Content {
  const make = use(MadeOnceContext);
  return make && key !== null
    ? { dangerouslySetInnerHTML: { __html: make.whole(key, part) } }
    : { children: part };
}

/**
 * Like `useMadeOnce`, for a part that contains page-specific content, such as a visitor's buttons.
 * `part` places that content. Neither the cached markup nor `key` contains it.
 */
export function useMadeAround(
  key: string | null,
  part: (own: ReactNode) => ReactNode,
  own: ReactNode,
): Content {
  const make = use(MadeOnceContext);
  const isShared = own === null || own === undefined;
  if (!make || key === null) return { children: part(own) };
  const shared = part(createElement(Gap));
  if (isShared) return { dangerouslySetInnerHTML: { __html: make.whole(key, shared) } };
  if (!make.around) return { children: part(own) };
  const [before, after] = make.around(key, shared);
  return { children: createElement(Fragment, null, before, own, after) };
}

function Gap(): ReactNode {
  return use(GapContext);
}
