import { once } from 'node:events';
import { request } from 'undici';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { Connection } from '#database/connect.ts';
import { durationOf, timingOf } from '#bench/measure.ts';
import { adminScreens } from '../e2e/admin-screens.ts';
import { createSiteServer } from '#server/http-server.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { freePort } from '#test/free-port.ts';
import { signIn } from '#test/staff.ts';

const rounds = 3;
const host = 'deals.test';

/**
 * Measures the admin's screens over HTTP for a signed-in owner: the median of three requests, in
 * milliseconds. `things` are the ids in the URLs. Screens that need other ids are skipped. Requires
 * the build.
 */
export async function timeAdminScreens(
  { db }: Pick<Connection, 'db'>,
  things: Record<string, number>,
): Promise<{ what: string; ms: number }[]> {
  const origin = `https://${host}`;
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: origin, RATE_LIMITS: 'page=0' });
  const services: AppServices = { db, env, log: createLog('silent'), now: () => new Date() };
  const { close, ...site } = await loadBuiltSite(services);
  const server = createSiteServer({ ...site, services, cache: null });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { user, cookie } = await signIn({ db }, { role: 'super_admin' }, origin);
  const ask = async (address: string) => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}${address}`, {
      headers: { host, cookie, 'x-forwarded-proto': 'https' },
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${address} responds with ${statusCode}`);
  };
  try {
    const results = [];
    for (const what of addressesOf(things)) {
      await ask(what);
      const times = [];
      for (let round = 0; round < rounds; round += 1) times.push(await durationOf(() => ask(what)));
      results.push({ what, ms: timingOf(times).median });
    }
    return results;
  } finally {
    server.closeAllConnections();
    server.close();
    await close?.();
    await db.deleteFrom('users').where('id', '=', user.id).execute();
  }
}

function addressesOf(things: Record<string, number>): string[] {
  return Object.values(adminScreens)
    .flatMap((screens) => (typeof screens === 'string' ? [] : screens))
    .filter(({ status }) => status === 200)
    .map(({ address }) =>
      address
        .replace(/\{(\w+)\}/, (all, thing: string) => String(things[thing] ?? all))
        .replace('/somebody', '/bench-5'),
    )
    .filter((address) => !/[{]|shut-out/.test(address));
}
