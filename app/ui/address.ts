import type { Register } from 'react-router';

type Pages = Register extends { pages: infer All } ? keyof All & string : string;

/** Converts a path such as `/deals/:slug` to a template type: `/deals/${string}`. */
type Filled<Path extends string> = Path extends `${infer Before}:${string}/${infer After}`
  ? `${Before}${string}/${Filled<After>}`
  : Path extends `${infer Before}:${string}`
    ? `${Before}${string}`
    : Path;

/** The owner's pages are omitted, since their paths are not literals. */
type Page = Filled<Exclude<Pages, '/*' | '*'>>;

/**
 * `To` if it is the URL of a page in routes.ts or a string computed elsewhere. A query or an anchor
 * may follow. A literal without a route is `never`, so renaming a route breaks the type check at
 * every link to it.
 */
export type Address<To extends string> = string extends To
  ? To
  : To extends Page | `${Page}?${string}` | `${Page}#${string}` | '' | `?${string}` | `#${string}`
    ? To
    : never;
