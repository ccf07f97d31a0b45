import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { connect, type Connection } from '#database/connect.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#database/embedded/embedded-postgres.ts';
import { migrate } from '#database/migrate.ts';
import { examineStandbys } from '#server/scale-out/examine-standbys.ts';
import { mostBehindInMs, Standbys } from '#server/scale-out/standbys.ts';
import { loadBuiltSite } from '#server/site-sources.ts';
import { insertCategory, insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { asSuperuser } from '#test/as-superuser.ts';
import { type StandbyServer, startStandby } from '#test/standby.ts';

let folder: string;
let server: EmbeddedPostgres;
let primary: Connection;
let standby: StandbyServer;
let standbys: Standbys;
let site: HttpSite;
/** The time in ms of a fake clock, because the speed of servers varies. */
let clock = 0;
const now = () => (clock += 0.001);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-standby-'));
  const dataDir = path.join(folder, 'primary');
  server = asSuperuser(await startEmbeddedPostgres({ dataDir, isThrowaway: true }));
  primary = connect(server.url, { statementTimeout: 0 });
  await migrate(primary.db);
  standby = await startStandby(server, folder);
  standbys = new Standbys(primary.db, [standby.url], { now });
  const ofSite = { DATABASE_URL: server.url, DATABASE_URL_READ: standby.url };
  const env = readEnv({ NODE_ENV: 'test', ORIGIN: 'https://deals.test', ...ofSite });
  const services = { db: primary.db, env, log: createLog('silent'), now: () => new Date() };
  const { app } = await loadBuiltSite(services, standbys);
  site = await startHttpSite(app, { db: primary.db, env: ofSite });
});

afterAll(async () => {
  await site.close();
  await standbys.stop();
  await standby.kill();
  await primary.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  standbys.trust(true);
});

/** Resolves once the standby has caught up with the primary. */
async function catchUp(): Promise<void> {
  await standbys.mark();
  while (standbys.choose() === null) {
    await wait(20);
    await standbys.look();
  }
}

function countReads(): number {
  return standbys.reads[0]?.reads ?? 0;
}

async function sell(title: string): Promise<void> {
  const category = await insertCategory(primary.db);
  const merchant = await insertMerchant(primary.db);
  await insertDeal(primary.db, { title, category_id: category.id, merchant_id: merchant.id });
}

describe('a standby', () => {
  beforeEach(catchUp);

  it('uses a standby again once it has replayed every announced change', async () => {
    await standby.pause();
    await sell('A kettle of the primary');
    standbys.invalidate();
    await standbys.mark();
    await standbys.look();
    expect(standbys.choose()).toBeNull();
    await standby.replay();
    await catchUp();
    const rows = await standbys.choose()?.selectFrom('deals').select('title').execute();
    expect(rows).toContainEqual({ title: 'A kettle of the primary' });
  });

  it('does not use a lagging standby, even if no change was announced', async () => {
    await standby.pause();
    await sell('A quiet change');
    await standbys.mark();
    await standbys.look();
    expect(standbys.choose()).not.toBeNull();
    clock += mostBehindInMs;
    await standbys.mark();
    await standbys.look();
    expect(standbys.choose()).toBeNull();
    await standby.replay();
    await catchUp();
  });

  it('reads from a standby while notifications are interrupted, but caches nothing from it', async () => {
    standbys.trust(false);
    await standbys.look();
    const db = standbys.choose();
    expect(db && standbys.isUpToDate(db)).toBe(false);
    clock += 601_000;
    expect(standbys.choose()).toBeNull();
  });

  it('does not use a standby that has not replayed everything it received', async () => {
    await standby.pause();
    await sell('A toaster of the primary');
    standbys.trust(false);
    await expect
      .poll(async () => {
        await standbys.look();
        return standbys.choose();
      })
      .toBeNull();
    await standby.replay();
    standbys.trust(true);
    await catchUp();
  });
});

describe('a site with a standby', () => {
  beforeEach(catchUp);

  it.each(['/deals', '/deals?search=kettle', '/api/v1/deals', '/feeds/deals.xml', '/sitemap.xml'])(
    'reads %s from a standby',
    async (address) => {
      site.cache.invalidate(['all']);
      const before = countReads();
      const { status } = await site.send(address);
      expect(status).toBe(200);
      expect(countReads()).toBe(before + 1);
    },
  );

  it.each([
    ['a visitor who just wrote', '/deals?search=kettle', { cookie: 'theme=dark; wrote=1' }],
    ['a shared page of a visitor who just wrote', '/deals', { cookie: 'wrote=1' }],
    ['a signed-in user', '/deals', { cookie: '__Host-session=none' }],
    ['an API client with a key', '/api/v1/deals', { authorization: 'Bearer none' }],
    ['a form', '/sign-in', {}],
  ])('uses the primary for %s', async (_who, address, headers) => {
    site.cache.invalidate(['all']);
    const before = countReads();
    await site.send(address, { headers });
    expect(countReads()).toBe(before);
  });

  it('sends users to the primary for five seconds after a write', async () => {
    const headers = {
      origin: 'https://deals.test',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const wrote = await site.send('/contact', { method: 'POST', headers, body: 'name=Ann' });
    expect(String(wrote.headers['set-cookie'])).toContain(
      'wrote=1; Path=/; Max-Age=5; HttpOnly; SameSite=Lax; Secure',
    );
    const read = await site.send('/deals');
    expect(read.headers['set-cookie']).toBeUndefined();
  });

  it('counts API requests on the primary when pages read from a standby', async () => {
    const { headers } = await site.send('/api/v1/deals');
    const { headers: next } = await site.send('/api/v1/deals');
    expect(next.ratelimit).not.toBe(headers.ratelimit);
  });

  describe('while the primary is unreachable', () => {
    let away: Connection;
    let alone: HttpSite;
    beforeAll(async () => {
      const nowhere = 'postgres://postgres@127.0.0.1:1/none';
      away = connect(nowhere);
      const ofSite = { DATABASE_URL: nowhere, DATABASE_URL_READ: standby.url };
      const env = readEnv({ NODE_ENV: 'test', ORIGIN: 'https://deals.test', ...ofSite });
      const services = { db: away.db, env, log: createLog('silent'), now: () => new Date() };
      const { app } = await loadBuiltSite(services, standbys);
      alone = await startHttpSite(app, { db: away.db, env: ofSite });
    });
    afterAll(async () => {
      await alone.close();
      await away.close();
    });
    beforeEach(async () => {
      standbys.trust(false);
      await standbys.look();
    });

    it.each(['/deals?search=kettle', '/api/v1/deals', '/feeds/deals.xml'])(
      'serves %s from a standby while the primary is unreachable',
      async (address) => {
        expect((await alone.send(address)).status).toBe(200);
      },
    );

    it('retries a request on a standby when the primary proves to be unreachable', async () => {
      // The site has not noticed the outage yet. The newest position is too old to prove that a
      // standby is up to date.
      standbys.trust(true);
      expect(standbys.choose()).toBeNull();
      for (const address of ['/deals?search=lamp', '/api/v1/deals']) {
        expect((await alone.send(address)).status).toBe(200);
      }
    });

    it('never serves signed-in users or recent writers from a standby while the primary is unreachable', async () => {
      for (const cookie of ['__Host-session=none', 'wrote=1']) {
        const { status } = await alone.send('/deals?search=lamp', { headers: { cookie } });
        expect(status).toBe(503);
      }
    });
  });

  it('falls back to the primary when a standby dies', async () => {
    await standby.kill();
    const before = countReads();
    const { status, text } = await site.send('/deals?search=kettle');
    expect(status).toBe(200);
    expect(countReads()).toBe(before + 1);
    expect(text).toContain('A kettle of the primary');
    await standbys.look();
    expect(standbys.choose()).toBeNull();
  });
});

it('does not use a promoted standby', async () => {
  const promoted = await startStandby(server, path.join(folder, 'promoted'));
  const examine = () => examineStandbys({ standbyUrls: [promoted.url] });
  expect(await examine()).toMatchObject([
    { state: 'ok', detail: expect.stringMatching(/follows/) },
  ]);
  const one = new Standbys(primary.db, [promoted.url], { now });
  one.trust(true);
  await promoted.promote();
  await one.mark();
  await one.look();
  expect(one.choose()).toBeNull();
  expect(await examine()).toMatchObject([
    { state: 'warning', detail: expect.stringMatching(/is not a standby/) },
  ]);
  await one.stop();
  await promoted.kill();
  expect(await examine()).toMatchObject([
    { state: 'warning', detail: expect.stringMatching(/REFUSED/) },
  ]);
});
