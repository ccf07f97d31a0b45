import { sql } from 'kysely';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { isProgram, isVisit } from '#app/platform/is-visit.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { countMiss, leastVisitors } from './count-miss.server.ts';
import { readRedirects } from './find-redirect.server.ts';
import { longestAddress, matchRule } from './redirect-rules.ts';

const mostPaths = 2_000;
/** paths with the fewest visitors, which are deleted together once the table is full */
const lotOfPaths = 200;

/** Requests of attackers who probe for vulnerable software, and requests for files. */
const probes =
  /\.(?:php\d?|phtml|asp|aspx|ashx|jsp|jspx|do|cgi|pl|env|git|svn|sql|bak|old|swp|ini|conf|cfg|ya?ml|toml|log|sh|py|zip|gz|tar|rar|7z|exe|dll|js|mjs|css|map|json|xml|txt|ico|png|jpe?g|gif|svg|webp|avif|woff2?)$|\/\.|\/(?:wp-|wordpress|xmlrpc|cgi-bin|phpmyadmin|pma|vendor|actuator|solr|owa|autodiscover|boaform|hnap1|_profiler|telescope|apple-touch-icon)/i;
/** Email addresses, long numbers and tokens of personal links. */
const personal = /@|\d{7}|\/(?=[^/]*\d)[A-Za-z0-9_=]{20,}(?:\/|$)|[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** Returns whether a URL without a page may be listed. */
export function isListablePath(pathname: string): boolean {
  return pathname.length <= longestAddress && !probes.test(pathname) && !personal.test(pathname);
}

/**
 * Counts a URL without a page. Queries are not kept. Bots and their probes are not counted.
 */
export async function countMissedPath(
  services: AppServices,
  pathname: string,
  request: Request,
  address: string,
): Promise<void> {
  const path = pathname.normalize('NFC');
  if (!isVisit(request) || isProgram(request.headers.get('user-agent'))) return;
  if (!isListablePath(path)) return;
  await countMiss(services, 'path', { text: path, address }, makeRoom);
}

async function makeRoom(tx: Db): Promise<void> {
  const count = await ask(tx).value<number>`select count(*) from missed_paths`;
  if ((count ?? 0) < mostPaths) return;
  await sql`delete from missed_paths where path in (
    select path from missed_paths order by visitors, missed_at limit ${lotOfPaths})`.execute(tx);
}

/** A URL that several visitors opened, without a page or redirect. */
export interface MissedPath {
  path: string;
  visitors: number;
  missed_at: Date;
}

/** Lists the URLs with the most visitors first, without those that now have a redirect. */
export async function listMissedPaths(db: Db, limit: number): Promise<MissedPath[]> {
  const rules = await readRedirects(db);
  const missed = await ask(db).rows<MissedPath>`
    select path, visitors, missed_at from missed_paths
     where visitors >= ${leastVisitors} order by visitors desc, missed_at desc, path limit ${mostPaths}`;
  return missed.filter(({ path }) => matchRule(rules, path) === null).slice(0, limit);
}
