import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertCategory, insertDeal, insertMerchant, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { exportAccount } from '#app/features/accounts/people/export-account.server.ts';
import { readMailSite } from '#app/features/site-settings/read-mail-site.server.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { sendDueMails, unsubscribeHeaders } from '#app/platform/mail/send-due-mails.server.ts';
import type { Delivery, MailTransport } from '#app/platform/mail/smtp-transport.server.ts';
import { countAudience } from './audience.server.ts';
import { createNewsletter } from './change-newsletter.server.ts';
import { insertDigestIssue, queueNextDigestMails } from './digest-queries.server.ts';
import { unsubscribeByLink } from './follow-newsletter-link.server.ts';
import { findNewsletter } from './managed-newsletter-queries.server.ts';
import { newsletterLinkQuery } from './newsletter-link.server.ts';
import {
  addList,
  changeList,
  listManagedLists,
  listOfferedLists,
  retireList,
} from './newsletter-lists.server.ts';
import { newsletterMails } from './newsletter-mails.server.ts';
import { findSubscription, renewSubscription } from './newsletter-queries.server.ts';
import { type ChosenPreferences, readPreferences, savePreferences } from './preferences.server.ts';
import { queueNewsletters } from './queue-newsletters.server.ts';
import { startNewsletter } from './send-newsletter.server.ts';

const database = useTestDatabase();
const services = () => testServices(database, { SMTP_HOST: '127.0.0.1' });
const [digest, letters] = [1, 2];
/** The id of a list that tests add. */
const games = 4;
const nothing: ChosenPreferences = {
  lists: [],
  categories: [],
  stores: [],
  followsFavorites: false,
};

beforeEach(async () => {
  await writeSiteSetting(database.db, 'postalAddress', '1 Main St', 'test');
  await writeSiteSetting(database.db, 'newsletterPerHour', 360_000, 'test');
});

async function subscriber(email: string, change: { list_ids?: number[] } = {}) {
  return database.db
    .insertInto('newsletter_subscriptions')
    .values({ email, subscribed_at: new Date(Date.now() - 86_400_000), ...change })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function linkOf(email: string) {
  const subscription = await findSubscription(database.db, email);
  if (!subscription) throw new Error('no subscription');
  const query = await newsletterLinkQuery(database.db, 'unsubscribe', subscription);
  const search = new URLSearchParams(query);
  return { email: search.get('email') ?? '', token: search.get('token') ?? '' };
}

async function leave(email: string, list: number | null) {
  return unsubscribeByLink(database.db, { ...(await linkOf(email)), list });
}

const listsOf = async (email: string) => {
  const found = await findSubscription(database.db, email);
  return found?.is_active ? found.list_ids : [];
};

/** Sends everything that is due, and returns recipients by kind of email. */
async function deliver(): Promise<string[]> {
  const arrived: string[] = [];
  const transport: MailTransport = {
    description: 'a test',
    deliver: async ({ to }): Promise<Delivery> => {
      arrived.push(to);
      return { outcome: 'sent', words: '250 ok' };
    },
    close: () => {},
  };
  await sendDueMails(services(), { kinds: newsletterMails, readSite: readMailSite, transport });
  return arrived;
}

type Change = Parameters<typeof createNewsletter>[1];

async function start(change: Partial<Change> = {}) {
  const input = {
    subject: 'Lamps',
    preview: '',
    content: '<p>Light.</p>',
    audience_since: null,
    audience_confirmed: false,
    ...change,
  };
  const saved = await createNewsletter(database.db, input, {
    actor: 'ada',
    origin: 'https://x.test',
  });
  if (!saved.ok) throw new Error(saved.reason);
  const { id } = saved.newsletter;
  const seen = { actor: 'ada', expectedVersion: 1, until: new Date() };
  return { id, started: await startNewsletter(services(), id, seen) };
}

async function sendTo(change: Partial<Change> = {}): Promise<string[]> {
  const { id } = await start(change);
  const arrived: string[] = [];
  while ((await findNewsletter(database.db, id))?.state === 'sending') {
    await database.db.updateTable('newsletters').set({ paced_at: null }).execute();
    await queueNewsletters(services());
    arrived.push(...(await deliver()));
  }
  return arrived.toSorted();
}

describe('lists', () => {
  test('adds a subscriber to the default lists if an insert names none', async () => {
    await addList(database.db, { name: 'Coupons', isJoined: true, actor: 'ada' });
    await addList(database.db, { name: 'Games', isJoined: false, actor: 'ada' });
    await database.db
      .insertInto('newsletter_subscriptions')
      .values({ email: 'a@x.example' })
      .execute();
    expect(await listsOf('a@x.example')).toEqual([digest, letters, games]);
  });

  test('sends a newsletter only to its list', async () => {
    await addList(database.db, { name: 'Games', isJoined: false, actor: 'ada' });
    await subscriber('all@x.example', { list_ids: [digest, letters, games] });
    await subscriber('games@x.example', { list_ids: [games] });
    await subscriber('letters@x.example');
    expect(await sendTo({ list_id: games })).toEqual(['all@x.example', 'games@x.example']);
    expect(await sendTo()).toEqual(['all@x.example', 'letters@x.example']);
  });

  test('removes a subscriber from one list per email link, and unsubscribes them when the last one is left', async () => {
    await subscriber('a@x.example');
    expect(await leave('a@x.example', letters)).toBe(true);
    expect(await listsOf('a@x.example')).toEqual([digest]);
    expect(await leave('a@x.example', letters)).toBe(true);
    expect(await listsOf('a@x.example')).toEqual([digest]);
    expect(await leave('a@x.example', digest)).toBe(true);
    expect(await findSubscription(database.db, 'a@x.example')).toMatchObject({
      is_active: false,
      unsubscribed_at: expect.any(Date),
    });
  });

  test('unsubscribes a reader from everything through an old link, or if only one list is offered', async () => {
    await subscriber('a@x.example');
    await subscriber('b@x.example');
    await leave('b@x.example', null);
    await writeSiteSetting(database.db, 'digestEnabled', false, 'test');
    await leave('a@x.example', letters);
    expect((await findSubscription(database.db, 'a@x.example'))?.is_active).toBe(false);
    expect((await findSubscription(database.db, 'b@x.example'))?.is_active).toBe(false);
  });

  test('sends the digest only to its list, but not to readers who left it in the meantime', async () => {
    await subscriber('both@x.example');
    await subscriber('letters@x.example', { list_ids: [letters] });
    await subscriber('late@x.example');
    const deal = {
      slug: 'lamp',
      title: 'Lamp',
      store: 'Shop',
      price: '$1',
      claim: null,
      evidence: null,
      proof: '',
      couponCode: null,
    };
    const content = { writtenAt: 'now', deals: [deal] };
    const issue = await insertDigestIssue(database.db, {
      kind: 'weekly',
      issue: '2026-W01',
      content,
      dealIds: [],
    });
    const queue = database.db
      .transaction()
      .execute((tx) => queueNextDigestMails(tx, issue ?? 0, 10));
    expect(await queue).toBe(2);
    await leave('late@x.example', digest);
    expect(await deliver()).toEqual(['both@x.example']);
  });

  test('includes the list in List-Id, in List-Unsubscribe and in the link of the email', async () => {
    await subscriber('a@x.example');
    await start();
    await queueNewsletters(services());
    const mail = await database.db.selectFrom('mail_outbox').selectAll().executeTakeFirstOrThrow();
    const site = {
      ...(await readMailSite(database.db, services().env)),
      origin: 'https://deals.test',
    };
    const written = await newsletterMails.newsletter.write(database.db, mail, site, 'send');
    expect(unsubscribeHeaders(written!, site)).toEqual({
      'List-Id': '<list-2.deals.test>',
      'List-Unsubscribe': expect.stringMatching(/one-click\?.*&list=2>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(written?.text).toContain('/newsletter/preferences?email=');
  });

  test('rejects a list without a unique name, and does not retire the last list', async () => {
    const { db } = database;
    const bad = (reason: string) => ({ ok: false, reason });
    const named = (name: string) => ({ name, isJoined: false, actor: 'ada' });
    expect(await addList(db, named(' \n '))).toEqual(bad('no-name'));
    expect(await addList(db, named('x'.repeat(61)))).toEqual(bad('no-name'));
    expect(await addList(db, named('newsletters'))).toEqual(bad('name-taken'));
    expect(await retireList(db, letters, { isRetired: true, actor: 'ada' })).toEqual(bad('last'));
    expect(await retireList(db, digest, { isRetired: true, actor: 'ada' })).toEqual(bad('missing'));
    expect(await addList(db, named('Games'))).toEqual({ ok: true });
    const added = (await listManagedLists(db)).at(-1)?.id ?? 0;
    expect(await changeList(db, added, named('Newsletters'))).toEqual(bad('name-taken'));
    expect(await changeList(db, added, named('Toys'))).toEqual({ ok: true });
    expect(await changeList(db, 99, named('Boats'))).toEqual(bad('missing'));
    const both = [letters, added].map((id) =>
      retireList(db, id, { isRetired: true, actor: 'ada' }),
    );
    const done = await Promise.all(both);
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
    const actions = await db.selectFrom('audit_log').select('action').orderBy('id').execute();
    expect(actions.map(({ action }) => action)).toEqual(
      ['create', 'update', 'retire'].map((verb) => `newsletter_list.${verb}`),
    );
  });

  test('does not retire a list while a newsletter is sent to it, and sends none to a retired list', async () => {
    const { db } = database;
    await addList(db, { name: 'Games', isJoined: false, actor: 'ada' });
    await subscriber('a@x.example', { list_ids: [games] });
    const first = await start({ list_id: games });
    expect(first.started).toEqual({ ok: true, recipients: 1 });
    const retire = () => retireList(db, games, { isRetired: true, actor: 'ada' });
    expect(await retire()).toEqual({ ok: false, reason: 'in-use' });
    await db.updateTable('newsletters').set({ state: 'draft' }).execute();
    expect(await retire()).toEqual({ ok: true });
    const again = { actor: 'ada', expectedVersion: 2, until: new Date() };
    expect(await startNewsletter(services(), first.id, again)).toEqual({
      ok: false,
      reason: 'list-retired',
    });
    expect((await listOfferedLists(db)).map(({ id }) => id)).toEqual([digest, letters]);
    await retireList(db, games, { isRetired: false, actor: 'ada' });
    expect((await listManagedLists(db)).map(({ id, subscribers }) => [id, subscribers])).toEqual([
      [digest, 0],
      [letters, 0],
      [3, 0],
      [games, 1],
    ]);
  });
});

describe('preferences', () => {
  test('stores the chosen lists and topics, and shows them later', async () => {
    const category = await insertCategory(database.db);
    const store = await insertMerchant(database.db);
    await subscriber('a@x.example');
    const link = await linkOf('a@x.example');
    const chosen = {
      ...nothing,
      lists: [digest, 77],
      categories: [category.id, 999],
      stores: [store.id],
    };
    expect(await savePreferences(database.db, link, chosen)).toBe('saved');
    const read = await readPreferences(database.db, link);
    expect(read?.lists.map(({ id, isOn }) => [id, isOn])).toEqual([
      [digest, true],
      [letters, false],
    ]);
    expect(read?.categories.filter(({ isOn }) => isOn).map(({ id }) => id)).toEqual([category.id]);
    expect(read?.stores.filter(({ isOn }) => isOn).map(({ id }) => id)).toEqual([store.id]);
    expect(read?.followsFavorites).toBe(false);
    await insertUser(database.db, { id: 'a', email: 'a@x.example', email_verified: true });
    expect(await exportAccount(database.db, 'a')).toMatchObject({
      newsletter: [{ lists: ['Weekly digest'], followed_categories: [category.name] }],
    });
  });

  test('ends a subscription without any list, and never restarts it through its link', async () => {
    await subscriber('a@x.example');
    const link = await linkOf('a@x.example');
    expect(await savePreferences(database.db, link, nothing)).toBe('left');
    const all = { ...nothing, lists: [digest, letters] };
    expect(await savePreferences(database.db, link, all)).toBe('not-active');
    expect(await listsOf('a@x.example')).toEqual([]);
    expect(await savePreferences(database.db, { ...link, token: 'v1.1.x' }, all)).toBe('invalid');
  });

  test('keeps subscribers on the digest’s list while the digest is turned off', async () => {
    await subscriber('a@x.example');
    await writeSiteSetting(database.db, 'digestEnabled', false, 'test');
    const link = await linkOf('a@x.example');
    await savePreferences(database.db, link, { ...nothing, lists: [letters] });
    expect(await listsOf('a@x.example')).toEqual([digest, letters]);
  });
});

describe('followers', () => {
  test('sends a newsletter to readers who chose a category or store, or have a favorite there', async () => {
    const { db } = database;
    const { id: category } = await insertCategory(db);
    const { id: store } = await insertMerchant(db);
    const deal = await insertDeal(db, { category_id: category, merchant_id: store });
    for (const name of ['ticked', 'fan', 'shy', 'unproved', 'other', 'store']) {
      await subscriber(`${name}@x.example`);
    }
    const tick = async (name: string, chosen: Partial<ChosenPreferences>) =>
      savePreferences(db, await linkOf(`${name}@x.example`), {
        ...nothing,
        lists: [letters],
        ...chosen,
      });
    await tick('ticked', { categories: [category] });
    await tick('store', { stores: [store] });
    await tick('shy', {});
    for (const id of ['fan', 'shy', 'unproved']) {
      await insertUser(db, { id, email: `${id}@x.example`, email_verified: id !== 'unproved' });
      await db.insertInto('user_favorites').values({ user_id: id, deal_id: deal.id }).execute();
    }
    const audience = { audience_since: null, audience_confirmed: false, list_id: letters };
    const count = (change: object) => countAudience(db, { ...audience, ...change }, new Date());
    expect(await count({ audience_category_id: category })).toBe(2);
    expect(await count({ audience_category_id: 999 })).toBe(0);
    expect(await sendTo({ audience_category_id: category })).toEqual([
      'fan@x.example',
      'ticked@x.example',
    ]);
    expect(await sendTo({ audience_merchant_id: store })).toEqual([
      'fan@x.example',
      'store@x.example',
    ]);
    expect(await sendTo({ audience_category_id: category, audience_merchant_id: store })).toEqual([
      'fan@x.example',
      'store@x.example',
      'ticked@x.example',
    ]);
    await leave('ticked@x.example', null);
    expect(await findSubscription(db, 'ticked@x.example')).toMatchObject({
      followed_category_ids: [],
    });
  });
});

test('never sends a newsletter to subscribers who left, in any order of actions', async () => {
  const { db } = database;
  await addList(db, { name: 'Games', isJoined: false, actor: 'ada' });
  const all = [digest, letters, games];
  const model = new Map<string, number[]>();
  const names = Array.from({ length: 6 }, (_, n) => `walker${n}@x.example`);
  const wrong: string[] = [];
  const note = (step: number, what: string, seen: string | boolean, wanted: string | boolean) => {
    if (seen !== wanted) wrong.push(`step ${step} ${what}: ${seen} instead of ${wanted}`);
  };
  let seed = 20_261_129;
  const below = (most: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % most;
  };
  for (let step = 0; step < 150; step++) {
    const email = names[below(names.length)] ?? '';
    const known = model.get(email);
    const list = all[below(all.length)] ?? letters;
    switch (below(5)) {
      case 0: {
        const found = await findSubscription(db, email);
        if (!found) await subscriber(email);
        else if (!found.is_active)
          await db.transaction().execute((tx) => renewSubscription(tx, found.id, true));
        if (!known?.length) model.set(email, [digest, letters]);
        break;
      }
      case 1:
        if (known) {
          await leave(email, list);
          model.set(
            email,
            known.filter((one) => one !== list),
          );
        }
        break;
      case 2:
        if (known) {
          await leave(email, null);
          model.set(email, []);
        }
        break;
      case 3:
        if (known) {
          const lists = all.filter(() => below(2) === 0);
          await savePreferences(db, await linkOf(email), { ...nothing, lists: lists });
          if (known.length > 0) model.set(email, lists);
        }
        break;
      default: {
        const to = below(2) === 0 ? letters : games;
        const expected = names.filter((name) => model.get(name)?.includes(to));
        const { id, started } = await start({ list_id: to });
        note(step, 'starts', started.ok, expected.length > 0);
        await queueNewsletters(services());
        // One of them unsubscribes after the email is queued but before it is sent.
        const leaver = expected[0];
        if (leaver !== undefined) {
          await leave(leaver, to);
          model.set(
            leaver,
            (model.get(leaver) ?? []).filter((one) => one !== to),
          );
        }
        const arrived = (await deliver()).toSorted();
        note(step, 'sends', arrived.join(' '), expected.slice(1).join(' '));
        await sql`update newsletters set paced_at = null`.execute(db);
        await queueNewsletters(services());
        const state = (await findNewsletter(db, id))?.state ?? 'gone';
        note(step, 'ends', state, expected.length > 0 ? 'sent' : 'draft');
      }
    }
  }
  expect(wrong).toEqual([]);
  for (const name of names) expect(await listsOf(name)).toEqual(model.get(name) ?? []);
});
