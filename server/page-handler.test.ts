import { sql } from 'kysely';
import { createRequestHandler } from 'react-router';
import { beforeAll, expect, it, vi } from 'vitest';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { createPageHandler } from '#server/page-handler.ts';
import { createSiteApp, entryOf } from '#server/site-app.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
} from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { loadBuild } from '#test/site.ts';
import { signIn } from '#test/staff.ts';

const database = useTestDatabase();
const slugs = { deals: 'lamp', categories: 'home', merchants: 'shop', blog: 'guide' };
const time = new Date();
/** The cookie of a signed-in user, whose pages contain their token from the start. */
let cookie: string;

/**
 * Returns everything that the browser and the log receive for a request, from the router's handler
 * and from ours.
 */
async function bothAnswers(path: string, init?: RequestInit, services: Partial<AppServices> = {}) {
  const build = await loadBuild();
  const outside = { ...testServices(database), now: () => time, ...services };
  const facts = { id: 'id', nonce: 'nonce', isForCache: false, address: '', gateNote: null };
  return Promise.all(
    [createRequestHandler, createPageHandler].map(async (create) => {
      const site = createSiteApp(build, create, outside);
      const asked = new Request(outside.env.origin + path, init);
      const { response, policy, error } = await site(asked, facts);
      const { status, headers } = response;
      return { status, headers: [...headers], html: await response.text(), policy, error };
    }),
  );
}

beforeAll(async () => {
  const { db } = database;
  const category_id = (await insertCategory(db, { slug: 'home' })).id;
  const merchant_id = (await insertMerchant(db, { slug: 'shop' })).id;
  await insertDeal(db, { category_id, merchant_id, slug: 'lamp', coupon_code: 'SAVE' });
  await insertDeal(db, { category_id, merchant_id, slug: 'desk', is_featured: true });
  await insertBlogPost(db, { slug: 'guide' });
  cookie = `${(await signIn(database)).cookie}; own=aaaaaaaa`;
});

it('renders every cached page as the router does, for any visitor', async () => {
  const pages = entryOf(await loadBuild()).cachedPages.map(({ path }) =>
    path.replace(/(?<=^\/(\w+)\/):slug/, (_, kind) => slugs[kind as keyof typeof slugs]),
  );
  const others = ['/deals?page=9', '/deals?search=lamp&type=coupon', '/deals?sort=price-low'];
  for (const path of [...pages, ...others, '/deals/none', '/categories/none', '/blog/none']) {
    for (const init of [{}, { headers: { cookie } }]) {
      const [router, ours] = await bothAnswers(path, init);
      expect([path, ours]).toEqual([path, router]);
    }
  }
});

it('fails as the router does, and logs the error once', async () => {
  const { db } = database;
  const log = { ...createLog('silent'), error: vi.fn<(...words: unknown[]) => void>() };
  await sql`alter table categories rename to gone`.execute(db);
  try {
    const [router, ours] = await bothAnswers('/deals', {}, { log });
    expect({ ...ours, error: String(ours?.error) }).toEqual({
      ...router,
      error: String(router?.error),
    });
    expect([ours?.status, String(ours?.error), log.error.mock.calls.length]).toEqual([
      500,
      expect.stringContaining('categories'),
      2, // Each of the two handlers wrote one line.
    ]);
  } finally {
    await sql`alter table gone rename to categories`.execute(db);
  }
});

it('sends the same data as React Router, except data only read by a client-side router', async () => {
  const build = await loadBuild();
  const keysOf = async (create: typeof createPageHandler) => {
    let keys: string[] = [];
    const module = { ...build.entry.module };
    const render = module.default;
    module.default = (request, status, headers, entryContext, context) => {
      keys = Object.keys(entryContext).toSorted();
      return render(request, status, headers, entryContext, context);
    };
    const outside = { ...testServices(database), now: () => time };
    const site = createSiteApp({ ...build, entry: { ...build.entry, module } }, create, outside);
    const facts = { id: 'id', nonce: 'nonce', isForCache: false, address: '', gateNote: null };
    await site(new Request(`${outside.env.origin}/deals`), facts);
    return keys;
  };
  const ours = await keysOf(createPageHandler);
  const router = await keysOf(createRequestHandler);
  // Client-side routers and the development server need this data.
  const leftOut = ['criticalCss', 'serializeError', 'serverHandoffStream', 'serverHandoffString'];
  expect([...ours, ...leftOut].toSorted()).toEqual(router.toSorted());
});
