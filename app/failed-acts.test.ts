import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createLog } from '#app/platform/log.server.ts';
import {
  insertBlogPost,
  insertCategory,
  insertDeal,
  insertMerchant,
  insertUser,
} from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { loadBuild, testSite } from '#test/site.ts';
import { givePassword, flashOf, signedInVisitor, staffPassword } from '#test/staff.ts';
import type { TestVisitor } from '#test/visitor.ts';
import { entryOf } from '#server/site-app.ts';

// Makes every form and action fail with a real database error. The page must keep the typed values,
// and show the specified sentence, the cause, and the reference of the log line.

const lines: string[] = [];
const log = createLog('error', { write: (line: string) => void lines.push(line) });
const database = useTestDatabase();
const site = testSite(database, { log });
let staff: TestVisitor & { userId: string };
beforeEach(async () => {
  staff = await signedInVisitor(database, site, 'super_admin');
  await givePassword(database, staff.userId);
  lines.length = 0;
});
afterEach(letWrites);

/**
 * Tables that no form writes to directly, so writes to them still succeed. Some of these tables
 * are written before the form is read.
 */
const others = new Set([
  'rate_limits',
  'sessions',
  'captcha_spent',
  'schema_migrations',
  'site_secrets',
]);

const lostConnection = 'perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1);';
const raise = (code: string, words = 'refused by a test') =>
  `raise exception '${words}' using errcode = '${code}';`;

/** Makes every later write to the site's own tables fail. */
async function refuseWrites(statement = raise('P0001')): Promise<void> {
  await sql
    .raw(
      `create function refuse_write() returns trigger language plpgsql as $$ begin ${statement} return null; end $$`,
    )
    .execute(database.db);
  for (const table of await siteTables()) {
    await sql`create trigger aaa_refuse before insert or update or delete on ${sql.table(table)}
      for each statement execute function refuse_write()`.execute(database.db);
  }
}

async function letWrites(): Promise<void> {
  await sql`drop function if exists refuse_write() cascade`.execute(database.db);
}

async function siteTables(): Promise<string[]> {
  const { rows } = await sql<{ tablename: string }>`select tablename from pg_tables
    where schemaname = 'public'`.execute(database.db);
  return rows.map(({ tablename }) => tablename).filter((table) => !others.has(table));
}

type Fields = Record<string, string>;
interface Case {
  what: string;
  /** Creates the rows of the form. Returns its URL and the fields to post. */
  make: () => Promise<[address: string, fields: Fields]>;
  says: string;
  /** The part of the typed text that the page must show again. */
  typed?: string[];
}

const act = (id: number | string, intent = 'delete'): Fields => ({ intent, id: String(id) });
const proof = { password: staffPassword };

async function insertSubscription(isActive = true): Promise<number> {
  const values = { email: 'ada@mail.example', is_active: isActive };
  const row = database.db.insertInto('newsletter_subscriptions').values(values).returning('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

async function insertMessage(): Promise<number> {
  const values = { name: 'Ada', email: 'ada@mail.example', subject: 'Hello', message: 'Hello' };
  const row = database.db.insertInto('contact_messages').values(values).returning('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

async function newDeal(): Promise<Fields> {
  await insertMerchant(database.db, { name: 'Acme' });
  const { id } = await insertCategory(database.db);
  return {
    title: 'A lamp that I described',
    description: 'Two hours of work',
    merchant: 'Acme',
    category_id: String(id),
    sale_price: '199.99',
    original_price: '249.99',
    deal_url: 'https://shop.example/lamp',
    status: 'new',
    seller_type: 'amazon',
    availability: 'in_stock',
    is_active: 'on',
  };
}

const post = {
  title: 'How to buy a lamp',
  excerpt: 'Light',
  content: '<p>Look at the bulb.</p>',
  featured_image_url: 'https://pictures.example/lamp.jpg',
};
const user = async () => (await insertUser(database.db, { id: 'ann' })).id;

const forms: Case[] = [
  {
    what: 'a new deal',
    make: async () => ['/admin/deals/new', await newDeal()],
    says: 'Error saving deal',
    typed: ['value="A lamp that I described"', 'Two hours of work', 'value="199.99"'],
  },
  {
    what: 'a deal that is edited',
    make: async () => {
      const { id, version } = await insertDeal(database.db);
      return [`/admin/deals/${id}/edit`, { ...(await newDeal()), version: String(version) }];
    },
    says: 'Error saving deal',
    typed: ['value="A lamp that I described"', 'Two hours of work'],
  },
  {
    what: 'a new category',
    make: async () => ['/admin/categories/new', { name: 'Garden & More', slug: 'garden' }],
    says: 'Error saving category',
    typed: ['value="Garden &amp; More"', 'value="garden"'],
  },
  {
    what: 'a new merchant',
    make: async () => ['/admin/merchants/new', { name: 'Lamp House', slug: 'lamp-house' }],
    says: 'Error saving merchant',
    typed: ['value="Lamp House"'],
  },
  {
    what: 'a new blog post',
    make: async () => ['/admin/blog/new', post],
    says: 'Failed to create blog post',
    typed: ['value="How to buy a lamp"', 'Look at the bulb.'],
  },
  {
    what: 'a blog post that is edited',
    make: async () => {
      const { id, version } = await insertBlogPost(database.db);
      return [`/admin/blog/edit/${id}`, { ...post, version: String(version) }];
    },
    says: 'Failed to update blog post',
    typed: ['value="How to buy a lamp"', 'Look at the bulb.'],
  },
  {
    what: 'a role',
    make: async () => [`/admin/users/${await user()}`, { role: 'admin', ...proof }],
    says: 'Failed to update user role',
    typed: ['value="admin" selected'],
  },
  {
    what: 'a role of one’s own',
    make: async () => ['/admin/roles/new', { name: 'Night shift', 'blog.read': 'on', ...proof }],
    says: 'Error saving role',
    typed: ['Night shift'],
  },
  {
    what: 'a suspension',
    make: async () => [
      `/admin/users/${await user()}/suspend`,
      { intent: 'suspend', reason: 'Spam, five times', ...proof },
    ],
    says: 'Failed to suspend user',
    typed: ['Spam, five times'],
  },
  {
    what: 'the deletion of a user',
    make: async () => [`/admin/users/${await user()}/delete`, proof],
    says: 'Failed to delete user',
  },
  {
    what: 'a subscription that is made active again',
    make: async () => [
      `/admin/subscriptions/${await insertSubscription(false)}/reactivate`,
      { reason: 'She asked by mail' },
    ],
    says: 'Failed to update subscription',
    typed: ['She asked by mail'],
  },
  {
    what: 'an answer to a message',
    make: async () => [
      `/admin/messages/${await insertMessage()}`,
      { intent: 'answer', op: 'one-form-of-many', answer: 'A long answer' },
    ],
    says: 'The answer was not sent',
    typed: ['A long answer'],
  },
  {
    what: 'the settings of the site',
    make: async () => [
      '/admin/settings?section=site',
      {
        siteName: 'Lamp Deals',
        tagline: 'Cheap and cheerful',
        contactEmail: 'hello@shop.example',
        contactPhone: '+1 555',
        supportTimes: 'Monday | 9 to 5',
        timeZone: 'Europe/Berlin',
        currency: 'USD',
        replyHours: '24',
        version: '0',
      },
    ],
    says: 'Error saving settings',
    typed: ['value="Lamp Deals"'],
  },
  {
    what: 'a new key of the API',
    make: async () => [
      '/admin/developers',
      { intent: 'create-key', name: 'My spreadsheet', rights: 'limits' },
    ],
    says: 'This was not saved',
    typed: ['value="My spreadsheet"'],
  },
  {
    what: 'a new webhook',
    make: async () => [
      '/admin/developers',
      { intent: 'add-webhook', url: 'https://hooks.example/in', events: 'deal.published' },
    ],
    says: 'This was not saved',
    typed: ['value="https://hooks.example/in"'],
  },
  {
    what: 'the name of a profile',
    make: async () => ['/profile', { intent: 'name', full_name: 'Ada Lovelace' }],
    says: 'This was not saved',
    typed: ['value="Ada Lovelace"'],
  },
];

/** Inserts an alert of the signed-in user. */
async function insertAlert(): Promise<number> {
  const { id } = await insertDeal(database.db, { sale_price: 5_000 });
  await staff.send('/price-alerts/new', { deal_id: String(id), target: '10' });
  const row = database.db.selectFrom('price_alerts').select('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

const acts: Case[] = [
  {
    what: 'setting a price alert',
    make: async () => {
      const { id } = await insertDeal(database.db, { sale_price: 5_000 });
      return [`/price-alerts/new?deal=${id}`, { deal_id: String(id), target: '12.34' }];
    },
    says: 'Failed to create price alert. Please try again.',
    typed: ['value="12.34"'],
  },
  {
    what: 'changing a price alert',
    make: async () => {
      const id = String(await insertAlert());
      return ['/price-alerts', { intent: 'update', id, kind: 'target', target: '12.34' }];
    },
    says: 'Error updating alert',
  },
  {
    what: 'deleting a price alert',
    make: async () => ['/price-alerts', act(await insertAlert())],
    says: 'Failed to delete price alert',
  },
  {
    what: 'deleting a category',
    make: async () => ['/admin/categories', act((await insertCategory(database.db)).id)],
    says: 'Failed to delete category',
  },
  {
    what: 'deleting a merchant',
    make: async () => ['/admin/merchants', act((await insertMerchant(database.db)).id)],
    says: 'Failed to delete merchant',
  },
  {
    what: 'deleting a subscription',
    make: async () => ['/admin/subscriptions', act(await insertSubscription())],
    says: 'Failed to delete subscription',
  },
  {
    what: 'ending a subscription',
    make: async () => ['/admin/subscriptions', act(await insertSubscription(), 'deactivate')],
    says: 'Failed to update subscription',
  },
  {
    what: 'deleting many subscriptions',
    make: async () => {
      const ids = String(await insertSubscription());
      return ['/admin/subscriptions', { intent: 'bulk', verb: 'delete', ids }];
    },
    says: 'Failed to delete subscription',
  },
  {
    what: 'deleting a blog post',
    make: async () => ['/admin/blog', act((await insertBlogPost(database.db)).id)],
    says: 'Failed to delete blog post',
  },
  {
    what: 'publishing a blog post',
    make: async () => {
      const { id } = await insertBlogPost(database.db, {
        is_published: false,
        featured_image_url: 'https://pictures.test/post.jpg',
      });
      return ['/admin/blog', act(id, 'publish')];
    },
    says: 'Failed to update blog post',
  },
  {
    what: 'activating a deal',
    make: async () => {
      const { id } = await insertDeal(database.db, { is_active: false });
      return ['/admin/deals', act(id, 'activate')];
    },
    says: 'Failed to update deal',
  },
  {
    what: 'deleting a message',
    make: async () => ['/admin/messages', act(await insertMessage())],
    says: 'Failed to delete message',
  },
];

// Proves Back office 8: “Error saving deal” (deal-messages.ts)
// Proves Storefront 8: Price alert: update failure (price-alerts-page.tsx)
// Proves Storefront 8: Price alert: delete failure (price-alerts-page.tsx)
// Proves Back office 8: What was typed stays when the database refuses, with the act’s own sentence (catch-failed-acts.server.ts)
test.each([...forms, ...acts])(
  'keeps $what in the form when the database rejects it',
  async (given) => {
    const [address, fields] = await given.make();
    expect(lines).toEqual([]);
    await refuseWrites(raise('P0001', 'The books are closed'));
    const answer = await staff.send(address, fields);
    expect([answer.status, lines.length]).toEqual([500, 1]);
    expect(lines[0]).toContain('test-request');
    for (const words of [given.says, 'The books are closed', 'test-request']) {
      expect(answer.html).toContain(words);
    }
    for (const typed of given.typed ?? []) expect(answer.html).toContain(typed);
    expect(answer.html).not.toContain(staffPassword);

    await letWrites();
    const again = await staff.send(address, fields);
    expect(again.status).toBeLessThan(400);
  },
);

test('keeps a deal in the list when it cannot be deleted', async () => {
  const { id } = await insertDeal(database.db);
  await refuseWrites();
  const answer = await staff.send('/admin/deals', act(id));
  expect([answer.status, flashOf(answer)]).toEqual([302, 'Failed to delete deal']);
});

const errors: [what: string, statement: string, status: number, cause: string][] = [
  ['a time-out', raise('57014'), 503, 'The database took too long to respond.'],
  ['a conflict', raise('40001'), 503, 'Someone else changed this at the same moment.'],
  ['a full disk', raise('53100'), 503, "The database's disk is full."],
  ['a lost connection', lostConnection, 503, 'The connection to the database was lost.'],
  ['a fault of ours', raise('XX000'), 500, 'Unknown error occurred'],
];

describe.each(errors)('%s', (_what, statement, status, cause) => {
  it('keeps a deal’s form unchanged when the database fails', async () => {
    const fields = await newDeal();
    await refuseWrites(statement);
    const { html, ...answer } = await staff.send('/admin/deals/new', fields);
    expect(answer.status).toBe(status);
    for (const words of ['Error saving deal', cause, 'test-request', 'Two hours of work']) {
      expect(html).toContain(words);
    }
    expect(lines.some((line) => line.includes('test-request'))).toBe(true);
    expect(html).not.toContain('refused by a test');
  });

  it('keeps a list unchanged when an action on it fails', async () => {
    const { id } = await insertCategory(database.db, { name: 'Garden' });
    await refuseWrites(statement);
    const { html, ...answer } = await staff.send('/admin/categories', act(id));
    expect(answer.status).toBe(status);
    for (const words of ['Failed to delete category', cause, 'Garden']) {
      expect(html).toContain(words);
    }
  });
});

it('sends the failure to the client-side router, and leaves the page to it', async () => {
  const fields = new URLSearchParams(await newDeal());
  const cookie = [...staff.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  await refuseWrites();
  const init = { method: 'POST', body: fields, headers: { cookie } };
  const answer = await site.request('/admin/deals/new.data', init);
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).toContain('failedAct');
  expect(text).toContain('Two hours of work');
});

it('redirects back after a failed post to a URL that has no page', async () => {
  await refuseWrites();
  const answer = await staff.send('/admin/subscriptions/file', proof);
  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    '/admin/subscriptions/export',
  ]);
  expect(flashOf(answer)).toContain('Failed to export subscriptions');
});

it('wraps each action of the admin and of accounts', async () => {
  const build = await loadBuild();
  const caught = entryOf(build).catchFailedActs(build.routes);
  const isCaught = ([id, route]: [string, (typeof build.routes)[string]]) =>
    route?.module.action !== caught[id]?.module.action;
  const withAction = Object.entries(build.routes).filter(([, route]) => route?.module.action);
  const ofPeople = withAction.filter(([id]) => /^(?:admin|account)\//.test(id));
  expect(ofPeople.length).toBeGreaterThan(50);
  // These routes respond with a file and have no page.
  expect(ofPeople.filter((one) => !isCaught(one)).map(([id]) => id)).toEqual([
    'account/export-route',
  ]);
});
