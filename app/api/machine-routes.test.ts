import { existsSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testOrigin } from '#test/origin.ts';
import { testSite } from '#test/site.ts';
import { strictlyParse } from '#test/strictly-parse.ts';

const database = useTestDatabase();
const site = testSite(database);

describe('robots.txt', () => {
  it('excludes click-outs, searches and filter combinations in robots.txt, and names the sitemap', async () => {
    const { html: text, headers } = await site.page('/robots.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const lines = text.split('\n');
    for (const line of [
      'Disallow: /out/',
      'Disallow: /api/',
      'Disallow: /deals?search=',
      'Disallow: /*?sort=',
      'Disallow: /*&min=',
      `Sitemap: ${testOrigin}/sitemap.xml`,
    ]) {
      expect(lines).toContain(line);
    }
  });

  it('allows pages, deals and further pages of lists in robots.txt', async () => {
    const { html: text } = await site.page('/robots.txt');
    const open = [
      '/',
      '/deals',
      '/deals/kettle',
      '/deals?page=2',
      '/categories/audio',
      '/feeds/deals.xml',
    ];
    expect(open.filter((path) => isDisallowed(text, path))).toEqual([]);
    const closed = [
      '/out/12',
      '/api/suggest?q=a',
      '/deals?search=a',
      '/deals?page=2&sort=discount',
    ];
    expect(closed.filter((path) => !isDisallowed(text, path))).toEqual([]);
  });
});

describe('opensearch.xml', () => {
  it('names the site’s search in opensearch.xml, in at most sixteen letters', async () => {
    await writeSiteSetting(database.db, 'siteName', 'R&D Bargains of the World', 'test');
    const { html, headers } = await site.page('/opensearch.xml');
    expect(headers.get('content-type')).toBe(
      'application/opensearchdescription+xml; charset=utf-8',
    );
    const xml = strictlyParse(html);
    expect(xml.texts('ShortName')).toEqual(['R&D Bargains of']);
    expect(xml.attributes('Url')[0]).toMatchObject({
      type: 'text/html',
      template: `${testOrigin}/deals?search={searchTerms}`,
    });
  });
});

describe('manifest.webmanifest', () => {
  it('uses the site’s own name in the web manifest, and existing pictures of the stated size', async () => {
    await writeSiteSetting(database.db, 'siteName', 'Bargains', 'test');
    const response = await site.request('/manifest.webmanifest');
    expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
    const manifest: {
      name: string;
      start_url: string;
      icons: { src: string; sizes: string }[];
    } = await response.json();
    expect(manifest).toMatchObject({ name: 'Bargains', start_url: '/' });
    for (const { src, sizes } of manifest.icons) {
      const { width, height } = await sharp(`public${src}`).metadata();
      expect(`${src} ${width}x${height}`).toBe(`${src} ${sizes}`);
    }
  });
});

it('shares pages with a picture of the required size', async () => {
  expect(existsSync('public/art/share.png')).toBe(true);
  expect(await sharp('public/art/share.png').metadata()).toMatchObject({
    width: 1200,
    height: 630,
  });
});

it('sets no cookie on machine-readable files', async () => {
  for (const path of [
    '/robots.txt',
    '/sitemap.xml',
    '/opensearch.xml',
    '/manifest.webmanifest',
    '/feeds/deals.xml',
    '/feeds/price-drops.json',
    '/feeds/ending-soon.ics',
  ]) {
    const response = await site.request(path);
    expect({ path, status: response.status, cookie: response.headers.get('set-cookie') }).toEqual({
      path,
      status: 200,
      cookie: null,
    });
    expect(response.headers.get('cache-control')).toContain('public');
  }
});

/** Matches paths like robots do: from the start of the address, with `*` as wildcard (RFC 9309). */
function isDisallowed(robots: string, path: string): boolean {
  return robots
    .split('\n')
    .filter((line) => line.startsWith('Disallow: '))
    .map((line) => line.slice('Disallow: '.length))
    .some((rule) => {
      const parts = rule.split('*').map((part) => part.replace(/[.?+^$()[\]{}|\\/]/g, '\\$&'));
      return new RegExp(`^${parts.join('.*')}`).test(path);
    });
}

describe('llms.txt', () => {
  it('names the site in llms.txt, whose addresses all respond', async () => {
    await writeSiteSetting(database.db, 'siteName', 'Bargain Barn', 'test');
    const { status, html: text, headers } = await site.page('/llms.txt');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.split('\n')[0]).toBe('# Bargain Barn');
    const addresses = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address ?? '');
    expect(addresses.length).toBeGreaterThan(8);
    for (const address of addresses) {
      const path = address.slice(testOrigin.length);
      expect(address.startsWith(testOrigin)).toBe(true);
      expect([path, (await site.page(path)).status]).toEqual([path, 200]);
    }
  });
});

// Proves R57: security.txt, signed releases, reports (security-txt-route.ts)
describe('R57: security.txt', () => {
  it('R57: shows the site’s own address for vulnerability reports in security.txt, valid for half a year', async () => {
    await writeSiteSetting(database.db, 'contactEmail', 'safety@deals.test', 'test');
    const now = () => new Date('2026-11-21T12:00:00Z');
    const {
      status,
      html: text,
      headers,
    } = await testSite(database, { now }).page('/.well-known/security.txt');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text.trim().split('\n')).toEqual([
      'Contact: mailto:safety@deals.test',
      `Contact: ${testOrigin}/contact`,
      'Expires: 2027-05-01T00:00:00.000Z',
      'Preferred-Languages: en',
      `Canonical: ${testOrigin}/.well-known/security.txt`,
    ]);
  });

  it('R57: names only the contact page in security.txt when no address is set', async () => {
    const { html: text } = await testSite(database).page('/.well-known/security.txt');
    expect(text.match(/^Contact: .*$/gm)).toEqual([`Contact: ${testOrigin}/contact`]);
  });
});

describe('the well-known addresses for password managers', () => {
  it('redirects the well-known addresses for password managers to the password form and the passkeys page', async () => {
    const password = await testSite(database).page('/.well-known/change-password');
    expect([password.status, password.headers.get('location')]).toEqual([
      302,
      '/profile#profile-password',
    ]);
    const passkeys = await testSite(database).page('/.well-known/passkey-endpoints');
    const page = `${testOrigin}/profile/passkeys`;
    expect(JSON.parse(passkeys.html)).toEqual({ enroll: page, manage: page });
    expect(passkeys.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('the health check of open pages', () => {
  it('reports to open pages that the site can read its data, in an uncacheable response', async () => {
    const { status, html, headers } = await site.page('/api/health');
    expect([status, JSON.parse(html)]).toEqual([200, { ok: true }]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('R23: reports to open pages that the site cannot reach its data, without the database’s message', async () => {
    await database.db.schema.alterTable('deals').renameTo('deals_hidden').execute();
    try {
      const { status, html } = await site.page('/api/health');
      expect(status).toBe(503);
      expect(JSON.parse(html)).toEqual({
        ok: false,
        error: 'The site cannot reach its data right now.',
      });
    } finally {
      await database.db.schema.alterTable('deals_hidden').renameTo('deals').execute();
    }
  });
});
