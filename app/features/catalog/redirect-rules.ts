/** A redirect. `/old/*` matches every URL below `/old/`. */
export interface RedirectRule {
  from_path: string;
  /** A path of this site or a URL, in which `*` is the matched part. `null` if the page is gone. */
  target: string | null;
  status: number;
}

export const longestAddress = 500;

/** Returns the path of a typed URL: decoded, without query and trailing slash. */
export function pathOfTyped(typed: string): string | null {
  const text = typed.trim();
  try {
    const { pathname, protocol } = new URL(text.startsWith('/') ? `http://x${text}` : text);
    if (!protocol.startsWith('http')) return null;
    const path = decodeURIComponent(pathname)
      .normalize('NFC')
      .replace(/\/{2,}/g, '/');
    const bare = path.length > 1 ? path.replace(/\/$/, '') : path;
    return /[\p{Cc}\\]/u.test(bare) || bare.length > longestAddress ? null : bare;
  } catch {
    return null;
  }
}

/** Returns whether `*` occurs at most once, alone after the last slash. */
export function isPathPattern(path: string): boolean {
  return !/\*(?!$)|[^/]\*/.test(path);
}

/**
 * Returns the old URLs whose rules match a path, the most specific one first: the path itself,
 * then the patterns above it, each with the part that `*` matches.
 */
export function* matchingPaths(path: string): Generator<{ from: string; rest: string }> {
  if (!path.endsWith('*')) yield { from: path, rest: '' };
  for (let slash = path.lastIndexOf('/'); slash >= 0; slash = path.lastIndexOf('/', slash - 1)) {
    const rest = path.slice(slash + 1);
    if (rest !== '') yield { from: `${path.slice(0, slash + 1)}*`, rest };
    if (slash === 0) return;
  }
}

/** Returns the rule of a URL: its own, or that of the longest pattern. */
export function matchRule<Rule extends RedirectRule>(
  rules: ReadonlyMap<string, Rule>,
  path: string,
): { rule: Rule; rest: string } | null {
  for (const { from, rest } of matchingPaths(path)) {
    const rule = rules.get(from);
    if (rule) return { rule, rest };
  }
  return null;
}

/**
 * Returns the URL to which a rule redirects, percent-encoded. A path never leaves this site,
 * regardless of what `*` matched. The query of the request is passed on, unless the target has its
 * own.
 */
export function locationOf(target: string, rest: string, search: string): string {
  const filled = target.replace('*', () =>
    rest.split('/').filter(Boolean).map(encodeURIComponent).join('/'),
  );
  const url = new URL(filled, 'http://x');
  const query = url.search || search;
  const at = url.pathname.replace(/^\/{2,}/, '/') + query + url.hash;
  return target.startsWith('/') ? at : url.origin + at;
}

/** Returns the path of this site to which a rule redirects, or `null` if it redirects elsewhere. */
export function ownTargetOf(
  { target }: Pick<RedirectRule, 'target'>,
  origin: string,
): string | null {
  if (target === null) return null;
  if (!target.startsWith('/') && new URL(target).origin !== origin) return null;
  return pathOfTyped(target.replace('*', 'x'));
}
