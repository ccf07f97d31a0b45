import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { siteSecret } from '#app/platform/site-secret.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { startHttpSite } from '#test/http-site.ts';
import { checkCertificate, examineAddress } from './examine-address.ts';
import { examineMailDns } from './examine-mail-dns.ts';
import { examineConnections, examineSiteSecret } from './examine-secrets.ts';
import { examineSite } from './examine-site.ts';

const database = useTestDatabase();
const now = new Date('2026-05-01T00:00:00Z');
let stranger: Server | undefined;
afterEach(() => void stranger?.close());

const settings = (more: Record<string, string>) =>
  readEnv({ ORIGIN: 'https://deals.test', ...more });

describe('R55: doctor', () => {
  // Proves R55: doctor
  it('R55: runs every check in the list, and suggests a fix for each problem', async () => {
    const results = await examineSite({
      ORIGIN: 'http://localhost:9',
      DATABASE_URL: database.url,
      DATA_DIR: tmpdir(),
      TRUSTED_PROXIES: '0.0.0.0/0',
    });
    const named = new Set(results.map(({ name }) => name));
    for (const name of [
      'headers',
      'trusted proxies',
      'ORIGIN',
      'site secret',
      'durability',
      'clock',
      'mail DNS',
      'disk',
      'migrations',
    ]) {
      expect(named).toContain(name);
    }
    const troubled = results.filter(({ state }) => state !== 'ok');
    expect(troubled.map(({ name }) => name)).toContain('trusted proxies');
    for (const { name, fix } of troubled) expect([name, fix]).toEqual([name, expect.any(String)]);
  });

  it('R55: checks the headers at the site’s own URL, and detects another program that responds there', async () => {
    const site = await startHttpSite(
      async () => ({ response: new Response(), policy: null, error: null }),
      { env: { ORIGIN: 'http://localhost:3000' } },
    );
    try {
      const [own] = await examineAddress(`http://localhost:${site.port}`, now);
      expect(own).toMatchObject({ name: 'headers', state: 'ok' });
    } finally {
      await site.close();
    }
    stranger = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const [other] = await examineAddress(`http://localhost:${port}`, now);
    expect(other).toMatchObject({ name: 'headers', state: 'problem' });
    expect(other?.detail).toContain('content-security-policy');
    const [none] = await examineAddress('http://localhost:9', now);
    expect(none).toMatchObject({ name: 'headers', state: 'warning' });
  });

  it('R55: warns two weeks before the certificate expires', () => {
    const ends = new Date('2026-05-20T00:00:00Z');
    expect(checkCertificate(ends, now).state).toBe('ok');
    expect(checkCertificate(ends, new Date('2026-05-10T00:00:00Z')).state).toBe('warning');
  });

  it('R55: looks up SPF, DMARC and the DKIM key, and names missing records', async () => {
    const env = settings({
      SMTP_URL: 'smtp://mail.deals.test',
      SMTP_FROM: 'no-reply@deals.test',
      DKIM_DOMAIN: 'deals.test',
      DKIM_SELECTOR: 'm1',
      DKIM_PRIVATE_KEY: '/key.pem',
    });
    const texts: Record<string, string[]> = {
      'deals.test': ['google-site-verification=a', 'v=spf1 mx -all'],
      'm1._domainkey.deals.test': ['v=DKIM1; k=rsa; p='],
    };
    const asked: string[] = [];
    const results = await examineMailDns(env, async (name) => {
      asked.push(name);
      return texts[name] ?? [];
    });
    expect(asked).toEqual(['deals.test', '_dmarc.deals.test', 'm1._domainkey.deals.test']);
    expect(results.map(({ name, state }) => [name, state])).toEqual([
      ['SPF', 'ok'],
      ['DMARC', 'warning'],
      ['DKIM', 'warning'], // An empty key means a revoked key.
    ]);
    const away = await examineMailDns(env, async () => {
      throw Object.assign(new Error('timeout'), { code: 'ETIMEOUT' });
    });
    expect(
      away.every(({ state, detail }) => state === 'warning' && detail.includes('ETIMEOUT')),
    ).toBe(true);
    expect((await examineMailDns(settings({}))).map(({ state }) => state)).toEqual(['ok']);
  });

  it.each([
    ['postgres://shop:short@127.0.0.1/shop', 'warning'],
    ['postgres://shop:long-enough-to-keep@127.0.0.1/shop', 'ok'],
    ['postgres://shop:long-enough-to-keep@db.example/shop', 'warning'],
    ['postgres://shop:long-enough-to-keep@db.example/shop?sslmode=verify-full', 'ok'],
  ])('R55: checks the secrets %s: %s, and prints no password', (DATABASE_URL, state) => {
    const [result] = examineConnections(settings({ DATABASE_URL }));
    expect(result?.state).toBe(state);
    expect(JSON.stringify(result)).not.toMatch(/:short|long-enough-to/);
  });

  it('R55: accepts a generated site secret as strong, but not one that was set manually', async () => {
    const { db } = database;
    await siteSecret(db, 'test');
    expect((await examineSiteSecret(db)).state).toBe('ok');
    const weak = Buffer.alloc(32, 'a').toString('base64url');
    const own = await db.selectFrom('site_secrets').selectAll().executeTakeFirstOrThrow();
    await db.updateTable('site_secrets').set({ value: weak }).execute();
    const result = await examineSiteSecret(db);
    expect(result.state).toBe('problem');
    expect(JSON.stringify(result)).not.toContain(weak);
    await db.updateTable('site_secrets').set({ value: own.value }).execute();
  });
});
