import type { Db } from '#database/connect.ts';
import { mostRedirects, readRedirects } from './find-redirect.server.ts';
import { findLivePaths } from './live-paths.server.ts';
import type { RedirectInput } from './redirect-input.ts';
import { matchingPaths, matchRule, ownTargetOf, type RedirectRule } from './redirect-rules.ts';

/** The reason why a redirect is refused, by the field to change. */
export interface RedirectProblem {
  field: 'from_path' | 'target';
  message: string;
}

/**
 * Checks redirects together with the stored ones, which they replace if they have the same old
 * URL. No redirect may hide a page or point to another redirect. Returns a problem or `null`
 * for each.
 */
export async function checkRedirects(
  db: Db,
  origin: string,
  asked: readonly RedirectInput[],
  replacedId: number | null = null,
): Promise<(RedirectProblem | null)[]> {
  const rules = new Map<string, RedirectRule>(
    [...(await readRedirects(db))].filter(([, { id }]) => id !== replacedId),
  );
  const stored = new Map(rules);
  for (const rule of asked) rules.set(rule.from_path, rule);
  const own = [...rules.values()].flatMap((rule) => ownTargetOf(rule, origin) ?? []);
  const live = await findLivePaths(db, [...asked.map(({ from_path: from }) => from), ...own]);
  const caught = caughtTargets(
    new Set(asked.map(({ from_path: from }) => from)),
    stored,
    live,
    origin,
  );
  const isFull = rules.size > mostRedirects;
  return asked.map((rule) => {
    const { from_path: from } = rule;
    if (isFull && !stored.has(from)) return refuse(`There are ${mostRedirects} redirects already`);
    if (live.has(from))
      return refuse('This address has a page, which a redirect would not replace');
    const chain = chainFrom(rule, rules, live, origin);
    const other = caught.get(from);
    if (chain || other === undefined) return chain;
    return refuse(`${other} redirects to this address. Change that redirect first`);
  });
}

function refuse(message: string): RedirectProblem {
  return { field: 'from_path', message };
}

/** Refuses a redirect whose target is redirected itself. */
function chainFrom(
  rule: RedirectRule,
  rules: ReadonlyMap<string, RedirectRule>,
  live: ReadonlySet<string>,
  origin: string,
): RedirectProblem | null {
  const to = ownTargetOf(rule, origin);
  const next = to === null || live.has(to) ? null : matchRule(rules, to)?.rule;
  if (!next) return null;
  const message =
    next.from_path === rule.from_path
      ? 'This redirects back to the old address'
      : next.target === null
        ? `${next.from_path} is marked as gone`
        : `${next.from_path} redirects to ${next.target} already. Use that address`;
  return { field: 'target', message };
}

/**
 * Returns stored redirects whose target a new redirect would redirect again, by the new redirect's
 * old URL. A more specific stored redirect takes precedence over the new one.
 */
function caughtTargets(
  asked: ReadonlySet<string>,
  stored: ReadonlyMap<string, RedirectRule>,
  live: ReadonlySet<string>,
  origin: string,
): Map<string, string> {
  const caught = new Map<string, string>();
  for (const [from, other] of stored) {
    const to = asked.has(from) ? null : ownTargetOf(other, origin);
    if (to === null || live.has(to)) continue;
    for (const { from: by } of matchingPaths(to)) {
      if (asked.has(by) && !caught.has(by)) caught.set(by, from);
      else if (!asked.has(by) && stored.has(by)) break;
    }
  }
  return caught;
}
