import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { isFixedPath } from './live-paths.server.ts';
import { locationOf, matchRule, type RedirectRule } from './redirect-rules.ts';

type KnownRule = RedirectRule & { id: number };

/** redirects; all are read at once, so that one cached value serves every URL */
export const mostRedirects = 5_000;

/** Returns all redirects by their old URL. */
export async function readRedirects(db: Db): Promise<Map<string, KnownRule>> {
  const rules = await ask(db).rows<KnownRule>`
    select id, from_path, target, status from address_redirects order by id limit ${mostRedirects}`;
  return new Map(rules.map((rule) => [rule.from_path, rule]));
}

type Services = Pick<AppServices, 'db' | 'primary' | 'readCached' | 'log'>;

function knownRedirects(services: Services): Promise<Map<string, KnownRule>> {
  return cacheValue(services, 'redirects', ['redirects'], () => readRedirects(services.db));
}

/**
 * Returns whether a redirect matches an encoded path, which may still have a page. Returns false
 * for fixed pages and while the database is unreachable.
 */
export async function hasRedirect(services: Services, pathname: string): Promise<boolean> {
  const path = decodeURIComponent(pathname).normalize('NFC');
  if (isFixedPath(path)) return false;
  try {
    return matchRule(await knownRedirects(services), path) !== null;
  } catch (error) {
    services.log.warn({ err: error }, 'the redirects could not be read');
    return false;
  }
}

/**
 * Returns the owner's redirect of a URL without a page, and counts it. The redirects are
 * cached for visitors, and read once otherwise.
 */
export async function findRedirect(
  services: Services,
  pathname: string,
  search: string,
): Promise<{ status: number; location: string } | null> {
  const { db, log } = services;
  const found = matchRule(await knownRedirects(services), pathname.normalize('NFC'));
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
