import type { Db } from '#database/connect.ts';
import { mostRedirects, readRedirects } from './find-redirect.server.ts';
import { findLivePaths } from './live-paths.server.ts';
import type { RedirectInput } from './redirect-input.ts';
import { matchRule, ownTargetOf, type RedirectRule } from './redirect-rules.ts';

/** The reason why a redirect is refused, by the field to change. */
export interface RedirectProblem {
  field: 'from_path' | 'target';
  message: string;
}

/**
 * Checks redirects together with the stored ones, which they replace if they have the same old
 * address. Returns a problem or `null` for each: no redirect hides a page, and none leads to another
 * redirect.
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
  const isFull = rules.size > mostRedirects;
  return asked.map((rule) => {
    const { from_path: from } = rule;
    if (isFull && !stored.has(from)) return refuse(`There are ${mostRedirects} redirects already`);
    if (live.has(from))
      return refuse('This address has a page, which a redirect would not replace');
    return (
      chainFrom(rule, rules, live, origin) ??
      chainTo(rule, stored, new Set(asked.map((one) => one.from_path)), live, origin)
    );
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
      ? 'This leads back to the old address'
      : next.target === null
        ? `${next.from_path} is marked as gone`
        : `${next.from_path} redirects to ${next.target} already. Use that address`;
  return { field: 'target', message };
}

/** Refuses a redirect of an address to which a stored one leads. */
function chainTo(
  rule: RedirectRule,
  stored: ReadonlyMap<string, RedirectRule>,
  replaced: ReadonlySet<string>,
  live: ReadonlySet<string>,
  origin: string,
): RedirectProblem | null {
  const only = new Map([[rule.from_path, rule]]);
  for (const other of stored.values()) {
    const to = replaced.has(other.from_path) ? null : ownTargetOf(other, origin);
    if (to === null || live.has(to) || !matchRule(only, to)) continue;
    // A more exact stored redirect of that address is used instead.
    if (matchRule(new Map([...stored, ...only]), to)?.rule !== rule) continue;
    return refuse(`${other.from_path} redirects to this address. Change that redirect first`);
  }
  return null;
}
