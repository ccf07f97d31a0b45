import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { locationOf, matchRule, type RedirectRule } from './redirect-rules.ts';

type KnownRule = RedirectRule & { id: number };

/** Redirects of a site, all read at once, so that one cached value serves every address. */
export const mostRedirects = 5_000;

/** Returns all redirects by their old address. */
export async function readRedirects(db: Db): Promise<Map<string, KnownRule>> {
  const rules = await ask(db).rows<KnownRule>`
    select id, from_path, target, status from address_redirects order by id limit ${mostRedirects}`;
  return new Map(rules.map((rule) => [rule.from_path, rule]));
}

/**
 * Returns the owner's redirect of an address without a page, and counts it. The redirects are
 * cached for visitors, and read once otherwise.
 */
export async function findRedirect(
  services: Pick<AppServices, 'db' | 'primary' | 'readCached' | 'log'>,
  pathname: string,
  search: string,
): Promise<{ status: number; location: string } | null> {
  const { db, log } = services;
  const rules = await cacheValue(services, 'redirects', ['redirects'], () => readRedirects(db));
  const found = matchRule(rules, pathname.normalize('NFC'));
  if (!found) return null;
  const { rule, rest } = found;
  try {
    await ask(services.primary ?? db).value`
      update address_redirects set hits = hits + 1, last_hit_at = now() where id = ${rule.id}`;
  } catch (error) {
    log.warn({ err: error }, 'a redirect was not counted');
  }
  return { status: rule.status, location: locationOf(rule.target ?? '/', rest, search) };
}
