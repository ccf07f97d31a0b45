import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRequestHandler } from 'react-router';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import { changeMaintenance } from '#app/features/site-settings/change-maintenance.server.ts';
import { defaultMaintenance } from '#app/features/site-settings/maintenance.ts';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { Gate } from '#server/gate.ts';
import { securityHeaders } from '#server/security-headers.ts';
import { createSiteApp } from '#server/site-app.ts';
import { loadStaticFiles, type StaticFiles } from '#server/static-files.ts';
import { useTestDatabase } from '#test/database.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { loadBuild } from '#test/site.ts';

// Tests the whole site behind the real server with the gate closed (R32). No request may reveal
// anything about the site, through any route, form or claimed origin.

const database = useTestDatabase();
const secret = 'Secretive';
const picture = '/media/deals/ab12cd34-640.webp';
const clientFolder = fileURLToPath(new URL('../../build/client', import.meta.url));
let dataFolder: string;
let files: StaticFiles;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'shut-gate-'));
  await mkdir(join(dataFolder, 'media/deals'), { recursive: true });
  await writeFile(join(dataFolder, picture), secret);
  files = await loadStaticFiles(clientFolder, securityHeaders('https://deals.test'));
});
afterAll(() => rm(dataFolder, { recursive: true }));

beforeEach(async () => {
  const { db } = database;
  const category = await insertCategory(db, { slug: 'tools', name: `${secret} tools` });
  const merchant = await insertMerchant(db, { slug: 'shop', name: `${secret} shop` });
  const where = { category_id: category.id, merchant_id: merchant.id };
  await insertDeal(db, { slug: 'drill', title: `${secret} drill`, ...where });
  await insertBlogPost(db, { slug: 'guide', title: `${secret} guide`, is_published: true });
});

const claims = {
  'x-forwarded-for': '192.0.2.1',
  'x-real-ip': '192.0.2.1',
  forwarded: 'for=192.0.2.1',
  'cf-connecting-ip': '192.0.2.1',
  'x-forwarded-host': 'localhost',
  'x-middleware-subrequest': 'root',
  'sec-fetch-site': 'same-origin',
  cookie: '__Host-session=forged; session=forged',
};

/**
 * Paths that respond while the gate is closed: the sign-in pages for staff, and the liveness probe.
 */
const wayIn = /^\/(?:sign-in(?:$|\/)|setup$|api\/captcha\/challenge$|api\/health$|api\/passkeys\/)/;

async function addresses(): Promise<string[]> {
  const { routes } = await loadBuild();
  const examples: Record<string, string> = { ':slug': 'drill', ':id': '1', ':name': 'deals.xml' };
  const found = new Set<string>();
  for (const route of Object.values(routes)) {
    if (!route || (route.path === undefined && !route.index)) continue;
    let pattern = route.path ?? '';
    for (let at = route.parentId; at !== undefined; at = routes[at]?.parentId) {
      const above = routes[at]?.path;
      if (above) pattern = `${above}/${pattern}`;
    }
    const path = `/${pattern.replace(/:\w+/g, (name) => examples[name] ?? 'Tools').replace('*', 'no/such')}`;
    found.add(path.replace(/\/$/, '') || '/');
  }
  return [...found];
}

type Mode = 'maintenance' | 'gate';

/**
 * Starts the built site with the gate closed in one of its two modes, for all but one allowed IP
 * address.
 */
async function shutSite(mode: Mode): Promise<HttpSite> {
  const settings = structuredClone(defaultMaintenance);
  if (mode === 'maintenance') Object.assign(settings, { enabled: true, allowedIPs: ['192.0.2.1'] });
  else Object.assign(settings.gate, { enabled: true, allowedIPs: ['192.0.2.1'] });
  await changeMaintenance(database.db, { settings, actor: 'cli', actorAddress: null });
  const build = await loadBuild();
  let services: AppServices | undefined;
  return startHttpSite(
    async (request, facts) => createSiteApp(build, createRequestHandler, services!)(request, facts),
    {
      db: database.db,
      env: { RATE_LIMITS: 'page=0/60,search=0/60,search-burst=0/60', DATA_DIR: dataFolder },
      files,
      gate: async (given) => {
        services = given;
        const gate = new Gate(given);
        await gate.read();
        return gate;
      },
    },
  );
}

// Proves R32: maintenance (app/features/accounts/refused-screen.tsx)
test.each(['maintenance', 'gate'] as const)(
  'R32: rejects strangers on every route while the %s is on',
  async (mode) => {
    const build = await loadBuild();
    const site = await shutSite(mode);
    try {
      const wrong: string[] = [];
      const paths = await addresses();
      expect(paths.length).toBeGreaterThan(30);
      for (const path of paths) {
        const data = path === '/' ? '/_.data' : `${path}.data`;
        const ids = Object.keys(build.routes).map(encodeURIComponent).slice(0, 2);
        const targets = [path, data, `${data}?_routes=${ids.join(',')}`, `${path}?search=drill`];
        for (const target of targets) {
          for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
            const { status, text } = await site.send(target, {
              method,
              headers: claims,
            });
            const isWayIn = wayIn.test(path);
            const isRefused = status === (method === 'DELETE' ? 405 : 503);
            if ((!isWayIn && !isRefused) || text.includes(secret)) {
              wrong.push(`${method} ${target}: ${status}`);
            }
          }
        }
      }
      expect(wrong).toEqual([]);
      expect((await site.send('/sign-in')).status).toBe(200);
    } finally {
      await site.close();
    }
  },
);

test.each(['maintenance', 'gate'] as const)(
  'R32: reveals nothing about the site at other URLs while the %s is on',
  async (mode) => {
    const site = await shutSite(mode);
    const ask = async (target: string, method = 'GET') => {
      const { status, text } = await site.send(target, { method, headers: claims });
      return [method, target, status, text.includes(secret)];
    };
    try {
      // Pictures belong to the shop, and even a HEAD request would reveal their existence.
      for (const method of ['GET', 'HEAD', 'POST']) {
        expect(await ask(picture, method)).toEqual([method, picture, 503, false]);
      }
      expect(await ask('/media/missing.webp')).toEqual(['GET', '/media/missing.webp', 503, false]);
      // The files of the built client are the same for every site of this version.
      const assets = await readdir(join(clientFolder, 'assets'));
      const script = assets.find((name) => name.endsWith('.js'));
      for (const target of ['/sw.js', '/offline', '/favicon.svg', `/assets/${script}`]) {
        expect(await ask(target)).toEqual(['GET', target, 200, false]);
      }
      expect(await ask('/assets/no-such.js')).toEqual(['GET', '/assets/no-such.js', 404, false]);
      // The liveness probe is for monitoring; the readiness probe is not public.
      expect(await ask('/health/live')).toEqual(['GET', '/health/live', 200, false]);
      expect(await ask('/health/ready')).toEqual(['GET', '/health/ready', 404, false]);
      // CORS preflights are answered for every client and reveal nothing.
      const preflight = await site.send('/api/v1/deals', { method: 'OPTIONS', headers: claims });
      expect([preflight.status, preflight.text]).toEqual([204, '']);
    } finally {
      await site.close();
    }
  },
);
