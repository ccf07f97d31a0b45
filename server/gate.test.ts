import { afterEach, describe, expect, it } from 'vitest';
import { signIn } from '#test/staff.ts';
import { changeMaintenance } from '#app/features/site-settings/change-maintenance.server.ts';
import {
  defaultMaintenance,
  type MaintenanceSettings,
} from '#app/features/site-settings/maintenance.ts';
import { createLog } from '#app/platform/log.server.ts';
import type { Role } from '#database/schema/account-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { Gate } from './gate.ts';
import { listenForPageChanges } from './page-invalidation.ts';
import type { SiteApp } from './site-app.ts';

const database = useTestDatabase();
const origin = 'https://deals.test';
const html = { accept: 'text/html,*/*;q=0.8' };
let site: HttpSite | undefined;
let gate: Gate | undefined;
afterEach(() => site?.close());

const app: SiteApp = async (_request, { gateNote }) => ({
  response: new Response(`a page of the site. ${gateNote ?? ''}`, {
    headers: { 'content-type': 'text/html' },
  }),
  policy: { seconds: 60, tags: ['all'] },
  error: null,
});

async function start(change: Partial<MaintenanceSettings>, env: Record<string, string> = {}) {
  const settings = { ...defaultMaintenance, ...change };
  await changeMaintenance(database.db, { settings, actor: 'cli', actorAddress: null });
  site = await startHttpSite(app, {
    db: database.db,
    env,
    gate: async (services) => {
      gate = new Gate(services);
      await gate.read();
      return gate;
    },
  });
  return site;
}

const cookieOf = async (role: Role) => (await signIn(database, { role }, origin)).cookie;

const gateOf = (allowedIPs: string[]) => ({
  gate: { enabled: true, allowedIPs, siteName: 'Elsewhere' },
});

// Proves Back office 4: Maintenance mode
// Proves P14: maintenance
describe('R32: maintenance mode', () => {
  it('R32: returns 503 to strangers during maintenance, with the message and Retry-After', async () => {
    const { send } = await start({ enabled: true, message: 'Moving <house>' });
    const { status, headers, text } = await send('/deals', { headers: html });
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(text).toContain('Moving &lt;house&gt;');
    expect(text).toContain('href="/sign-in"');
    expect(text).not.toContain('a page of the site');
  });

  it('R32: responds to API clients in their format during maintenance', async () => {
    const { send } = await start({ enabled: true });
    const problem = await send('/api/v1/deals');
    expect(problem.headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(problem.text)).toMatchObject({ status: 503 });
    for (const path of ['/deals.data', '/api/suggest?q=a', '/feeds/deals.json']) {
      const { status, headers, text } = await send(path, { headers: html });
      expect([path, status, headers['content-type']]).toEqual([path, 503, 'application/json']);
      expect(JSON.parse(text).message).toBe(defaultMaintenance.message);
    }
    for (const path of ['/sitemap.xml', '/feeds/deals.xml', '/robots.txt']) {
      const { status, headers } = await send(path, { headers: html });
      expect([path, status, headers['content-type']]).toEqual([
        path,
        503,
        'text/plain; charset=utf-8',
      ]);
    }
    expect((await send('/deals', { method: 'POST', body: 'a=1' })).status).toBe(503);
  });

  it('R32: serves no cached pages during maintenance', async () => {
    const { send, cache } = await start({});
    await send('/deals');
    expect((await send('/deals')).status).toBe(200);
    expect(cache.stats.hits).toBe(1);
    const settings = { ...defaultMaintenance, enabled: true };
    await changeMaintenance(database.db, { settings, actor: 'cli', actorAddress: null });
    await gate?.read();
    expect(cache.size.entries).toBe(1);
    expect((await send('/deals')).status).toBe(503);
  });

  // Proves Back office 6: Maintenance is enforced, and for whom
  it('R32: lets in only staff by their session during maintenance', async () => {
    const { send } = await start({ enabled: true });
    for (const [role, status] of [
      ['user', 503],
      ['admin', 200],
      ['super_admin', 200],
    ] as const) {
      const cookie = await cookieOf(role);
      expect([role, (await send('/deals', { headers: { cookie } })).status]).toEqual([
        role,
        status,
      ]);
    }
    const forged = { cookie: '__Host-session=forged' };
    expect((await send('/deals', { headers: forged })).status).toBe(503);
    await database.db
      .updateTable('sessions')
      .set({ expires_at: new Date(0) })
      .execute();
  });

  it('R32: serves the sign-in page to staff during maintenance, but no pictures', async () => {
    const { send } = await start({ enabled: true });
    for (const path of ['/sign-in', '/sign-in.data', '/sign-in/second-factor', '/api/health'])
      expect([path, (await send(path)).status]).toEqual([path, 200]);
    expect((await send('/health/live')).status).toBe(200);
    for (const path of [
      '/sign-up',
      '/api/health/x',
      '/sign-in-here',
      '/media/ab12cd34-640.webp',
      '/SIGN-IN/x',
    ])
      expect([path, (await send(path)).status]).toEqual([path, 503]);
  });

  it('R32: lets in allowed IP addresses during maintenance, and ignores forwarding headers from strangers', async () => {
    const { send } = await start({ enabled: true, allowedIPs: ['198.51.100.0/24'] });
    const claims = { 'x-forwarded-for': '198.51.100.7', forwarded: 'for=198.51.100.7' };
    expect((await send('/deals', { headers: claims })).status).toBe(503);
    await site?.close();
    const behind = await start(
      { enabled: true, allowedIPs: ['198.51.100.0/24'] },
      { TRUSTED_PROXIES: '127.0.0.1' },
    );
    expect((await behind.send('/deals', { headers: claims })).status).toBe(200);
    const other = { 'x-forwarded-for': '198.51.100.7, 203.0.113.1' };
    expect((await behind.send('/deals', { headers: other })).status).toBe(503);
  });

  it('P14: shows debug info only to visitors who are let in', async () => {
    const settings = { enabled: true, showDebugInfo: true, allowedIPs: [] };
    const { send } = await start(settings);
    expect((await send('/deals', { headers: html })).text).not.toContain('let in');
    expect((await send('/sign-in')).text).not.toContain('let in');
    const cookie = await cookieOf('admin');
    const { text } = await send('/deals', { headers: { cookie } });
    expect(text).toContain('Maintenance mode: on. You are let in because you are an administrator');
    await site?.close();
    const inside = await start({ ...settings, allowedIPs: ['127.0.0.1'] });
    await inside.send('/deals');
    expect((await inside.send('/deals')).text).toContain('your address is allowed (127.0.0.1)');
  });
});

// Proves P15, P16: access gate
describe('P15: the access gate', () => {
  // Proves Storefront 6: Access gate: an allow-list of addresses
  it('P15: shows strangers a gate that hides the site’s name, and lets in allowed IP addresses', async () => {
    const { send } = await start(gateOf(['198.51.100.7']));
    const { status, text } = await send('/deals', { headers: html });
    expect(status).toBe(503);
    expect(text).toContain('Coming Soon');
    expect(text).toContain('Elsewhere');
    expect(text).not.toContain('Deal Hub');
    expect(text).not.toContain('<svg');
    await site?.close();
    expect((await (await start(gateOf(['127.0.0.0/8']))).send('/deals')).status).toBe(200);
  });

  it('P15: shows that a visitor’s IP address is unknown', async () => {
    const { send } = await start(gateOf(['127.0.0.1']), { TRUSTED_PROXIES: '127.0.0.1' });
    const { status, text } = await send('/deals', { headers: html });
    expect(status).toBe(503);
    expect(text).toContain('Access Verification Failed');
    expect(text).toContain('Unable to verify IP address');
    expect(text).toContain('Try Again');
  });
});

// Proves R32: maintenance and allow-list
it('R32: applies gate changes in every process, even after its connection was cut', async () => {
  const log = createLog('silent');
  const gates = [1, 2].map(() => new Gate({ db: database.db, log } as never));
  const news = gates.map((one) => listenForPageChanges(database.url, [one], log));
  try {
    const set = (enabled: boolean) =>
      changeMaintenance(database.db, {
        settings: { ...defaultMaintenance, enabled },
        actor: 'cli',
        actorAddress: null,
      });
    const states = () => gates.map(({ isOpen }) => isOpen);
    await set(true);
    await expect.poll(states).toEqual([false, false]);
    await set(false);
    await expect.poll(states).toEqual([true, true]);
    await news[1]?.stop();
    gates[1]?.trust(false);
    await set(true);
    await expect.poll(states).toEqual([false, false]);
  } finally {
    gates.forEach((one) => one.trust(true));
    await Promise.all(news.map((one) => one.stop()));
  }
});
