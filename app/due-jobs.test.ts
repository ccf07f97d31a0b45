import { sql as rawSql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { jobs } from '#app/jobs.server.ts';
import { findDue } from '#app/platform/run-jobs.server.ts';
import { insertDeal, insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';

// A wrong condition disables its job silently. So each condition has examples that make it true and
// others that do not.

const database = useTestDatabase();
const dueJobs = jobs.filter((job) => 'isDue' in job);
const services = (env: Record<string, string> = {}) => testServices(database, env);

async function namesOfDue(env: Record<string, string> = { PICTURES_MB: '1' }): Promise<string[]> {
  return (await findDue(dueJobs, services(env))).map(({ name }) => name);
}

/** Runs the jobs that the site would run on this database, until nothing is due. */
async function settle(): Promise<void> {
  await expect
    .poll(async () => {
      const due = await findDue(dueJobs, services());
      for (const job of due) await job.run(services(), new AbortController().signal);
      return due;
    })
    .toEqual([]);
}

/** An example, in a database with one deal and one user. */
interface Example {
  job: string;
  is: string;
  isDue: boolean;
  sql: string;
  env?: Record<string, string>;
}

const due = (job: string, is: string, sql: string): Example => ({ job, is, isDue: true, sql });
const not = (job: string, is: string, sql: string): Example => ({ job, is, isDue: false, sql });

const past = `now() - interval '1 second'`;
const future = `now() + interval '1 hour'`;
const leasedUntil = (until: string) => `lease_owner = 'worker', lease_until = ${until}`;

const mail = (isBulk = false) => `
  insert into mail_outbox (key, kind, recipient, payload, is_bulk)
  values ('key', 'plain', 'a@mail.example', '{}', ${isBulk});`;
const delivery = `
  insert into webhook_endpoints (url, events, secret) values ('https://hooks.example/', '{deal.published}', '');
  insert into webhook_deliveries (endpoint_id, event, deal_id)
    select e.id, 'deal.published', d.id from webhook_endpoints e, deals d;`;
const channelPost = `
  insert into channels (name, kind, settings, events, template) values ('A', 'webhook', '', '{new}', '{title}');
  insert into channel_posts (channel_id, key, event) select id, 'post', 'test' from channels;`;
const oldPrice = (age: string) => `
  insert into price_log (id, deal_id, at, sale_price, availability, source) overriding system value
    select -1, id, now() - interval '${age}', 100, 'in_stock', 'feed' from deals limit 1;`;
const sealedDay = `
  insert into evidence_days values (current_date - 1, 1, 0, 1, 0, '', '', '', now(), '', '', '', '', '', '{}', '{}', '{}', '{}');`;
const alertMessage = `
  update users set email_verified = true;
  insert into alert_channels (user_id, kind, settings, place, place_hash, proved_at)
    select id, 'ntfy', '', 'ntfy.sh/a', 'a', now() from users limit 1;
  ${mail()} update mail_outbox set state = 'sent';
  insert into alert_messages (channel_id, mail_id, is_instead) select c.id, m.id, false from alert_channels c, mail_outbox m;`;
const publicOrigin = { ORIGIN: 'https://shop.deals.dev', PICTURES_MB: '1' };
const address = `
  insert into discovery_services (name, due_at) values ('indexnow', ${past});
  insert into discovery_queue (service, path, queued_at) values ('indexnow', '/deals/lamp', now() - interval '4 minutes');`;
const service = (set: string) => `update discovery_services set ${set}`;
const search = `
  insert into watched_searches (user_id, address, name, cadence, waiting, next_mail_at)
    select id, '/deals', 'All deals', 'daily', 1, ${past} from users;`;
const productLow = (doneTo: string) => `
  with product as (insert into products (slug, title) values ('a', 'A') returning id)
  insert into product_lows (product_id, offer_class, with_shipping, total, done_to) select id, 'new', true, 1, ${doneTo} from product;`;
const push = `${search}
  update watched_searches set waiting = 0;
  insert into push_subscriptions (user_id, endpoint, p256dh, auth) select id, 'https://push.example/', 'x', 'y' from users;
  insert into push_outbox (key, kind, subscription_id, search_id, search_mail)
    select 'key', 'search-news', p.id, s.id, 1 from push_subscriptions p, watched_searches s;`;
const picture = `
  insert into pictures (source, source_key, merchant_id, due_at, shown_on)
    select 'https://shop.example/1.png', gen_random_uuid(), id, ${past}, current_date from merchants;`;
const letter = (state: string, sendAt: string) => `
  insert into newsletters (subject, content, state, send_at, letter, started_at, audience_until)
  values ('News', '<p>News</p>', '${state}', ${sendAt}, '{}', now(), now());`;
const move = (state: string) => `
  insert into subscriber_moves (file_name, created_by, state) values ('list.csv', 'admin', '${state}');`;
const priceMove = (state: string) => `
  insert into price_moves (file_name, created_by, state) values ('prices.csv', 'admin', '${state}');`;
const change = (state: string) => `
  insert into bulk_changes (actor, verb, batch, deal_ids, state) values ('admin', 'delete', gen_random_uuid(), '{1}', '${state}');`;
const postMove = (state: string) =>
  `insert into post_moves (file_name, state, created_by) values ('a.xml', '${state}', 'x')`;
const movedPicture = (dueAt: string) => `
  ${postMove('done')};
  insert into post_move_pictures (move_id, address, sources, items, due_at)
    select id, 'https://old.example/a.jpg', '{}', '{}', ${dueAt} from post_moves;`;
const run = (state: string, beat = 'now()', rolledBackBy = 'null') => `
  insert into import_runs (source_name, format, state, beat_at, rolled_back_by)
  values ('feed', 'csv', '${state}', ${beat}, ${rolledBackBy});`;
const hiddenDeal = `
  insert into site_settings (name, value) values ('currency', '"EUR"');
  update deals set is_active = false, waits_for_price = true;
  delete from suggestion_checks;`;
const pictureBytes = (bytes: number) =>
  `update site_counters set value = ${bytes} where name = 'picture_bytes'`;

const examples: readonly Example[] = [
  due('send-mails', 'a mail', mail()),
  due('send-mails', 'a newsletter', mail(true)),
  due(
    'send-mails',
    'a lease that ran out',
    `${mail()} update mail_outbox set ${leasedUntil(past)}`,
  ),
  not('send-mails', 'a mail for later', `${mail()} update mail_outbox set due_at = ${future}`),
  not('send-mails', 'a leased mail', `${mail()} update mail_outbox set ${leasedUntil(future)}`),
  not('send-mails', 'a sent mail', `${mail()} update mail_outbox set state = 'sent'`),

  due('queue-newsletters', 'a newsletter whose time has come', letter('scheduled', past)),
  due('queue-newsletters', 'a newsletter that is being sent', letter('sending', 'null')),
  not('queue-newsletters', 'a newsletter for later', letter('scheduled', future)),
  not('queue-newsletters', 'a paused newsletter', letter('paused', past)),
  not('queue-newsletters', 'a sent newsletter', letter('sent', past)),

  due('move-subscribers', 'a move that runs', move('running')),
  due('move-subscribers', 'a move that is undone', move('undoing')),
  not('move-subscribers', 'a preview', move('ready')),
  not('move-subscribers', 'a finished move', move('done')),

  due('move-prices', 'a move that runs', priceMove('running')),
  due('move-prices', 'a move that is undone', priceMove('undoing')),
  not('move-prices', 'a preview', priceMove('ready')),
  not('move-prices', 'a finished move', priceMove('done')),

  due('send-webhooks', 'a delivery', delivery),
  due(
    'send-webhooks',
    'a pause that is over',
    `${delivery} update webhook_endpoints set paused_until = ${past}`,
  ),
  not(
    'send-webhooks',
    'a paused endpoint',
    `${delivery} update webhook_endpoints set paused_until = ${future}`,
  ),
  not(
    'send-webhooks',
    'an inactive endpoint',
    `${delivery} update webhook_endpoints set is_active = false`,
  ),
  not(
    'send-webhooks',
    'a delivery for later',
    `${delivery} update webhook_deliveries set due_at = ${future}`,
  ),
  not(
    'send-webhooks',
    'a leased delivery',
    `${delivery} update webhook_deliveries set ${leasedUntil(future)}`,
  ),

  due('seal-first-days', 'prices of another day', oldPrice('1 day')),
  not('seal-first-days', 'the prices of today', oldPrice('0 days')),
  not('seal-first-days', 'a sealed log', `${oldPrice('1 day')} ${sealedDay}`),

  due('send-alert-messages', 'a message', alertMessage),
  not(
    'send-alert-messages',
    'a message for later',
    `${alertMessage} update alert_messages set due_at = ${future}`,
  ),
  not(
    'send-alert-messages',
    'a channel that waits',
    `${alertMessage} update alert_channels set next_at = ${future}`,
  ),
  not(
    'send-alert-messages',
    'a leased message',
    `${alertMessage} update alert_messages set ${leasedUntil(future)}`,
  ),
  due('send-channel-posts', 'a post', channelPost),
  not(
    'send-channel-posts',
    'a channel that waits',
    `${channelPost} update channels set next_at = ${future}`,
  ),
  not(
    'send-channel-posts',
    'an inactive channel',
    `${channelPost} update channels set is_active = false`,
  ),
  not(
    'send-channel-posts',
    'a post for later',
    `${channelPost} update channel_posts set due_at = ${future}`,
  ),
  not(
    'send-channel-posts',
    'a leased post',
    `${channelPost} update channel_posts set ${leasedUntil(future)}`,
  ),

  { ...due('notify-search-engines', 'an address that waited', address), env: publicOrigin },
  {
    ...due(
      'notify-search-engines',
      'a lease that ran out',
      `${address} ${service(leasedUntil(past))}`,
    ),
    env: publicOrigin,
  },
  not('notify-search-engines', 'an address of a site that is not public', address),
  ...(
    [
      [
        'an address of a minute ago',
        `update discovery_queue set queued_at = now() - interval '1 minute'`,
      ],
      ['a service that rests', service(`due_at = ${future}`)],
      ['a leased service', service(leasedUntil(future))],
      ['a stopped service', service('stopped_at = now()')],
    ] as const
  ).map(([is, sql]) => ({
    ...not('notify-search-engines', is, `${address} ${sql}`),
    env: publicOrigin,
  })),

  due(
    'match-products',
    'a changed GTIN',
    `insert into match_checks (gtin) values ('4006381333931')`,
  ),
  due('suggest-matches', 'a changed deal', 'update deals set title = title || 2'),
  due('check-alerts', 'a change', 'insert into alert_checks (deal_id) select id from deals'),

  due('send-pushes', 'a push', push),
  due('send-pushes', 'a lease that ran out', `${push} update push_outbox set ${leasedUntil(past)}`),
  not('send-pushes', 'a push for later', `${push} update push_outbox set due_at = ${future}`),
  not('send-pushes', 'a leased push', `${push} update push_outbox set ${leasedUntil(future)}`),
  not('send-pushes', 'a cancelled push', `${push} update push_outbox set state = 'cancelled'`),

  due('tell-of-searches', 'no search was ever looked for', 'delete from watch_marks'),
  due('tell-of-searches', 'a new price', 'update deals set sale_price = sale_price - 1'),
  due('tell-of-searches', 'a new deal', 'update watch_marks set seen_deal = 0'),
  due(
    'tell-of-searches',
    'a hit',
    `insert into watched_filter_hits (filter_id, deal_ids, changed_at) values (gen_random_uuid(), '{1}', '{now}')`,
  ),
  due(
    'tell-of-searches',
    'a new coupon',
    `insert into coupons (merchant_id, code, title) select id, 'SAVE10', '10% off' from merchants`,
  ),
  not(
    'tell-of-searches',
    'a coupon for later',
    `insert into coupons (merchant_id, code, title, starts_at) select id, 'SAVE10', '10% off', ${future} from merchants`,
  ),
  due(
    'tell-of-searches',
    'a changed offer of a watched product',
    'insert into product_checks (product_id) values (1)',
  ),
  not(
    'tell-of-searches',
    'a price that staff can still undo',
    `insert into product_checks (product_id, due_at) values (1, ${future})`,
  ),
  due('tell-of-searches', 'a low that fell', productLow('0')),
  not('tell-of-searches', 'a low that was told', productLow('null')),
  due('tell-of-searches', 'a mail', search),
  not(
    'tell-of-searches',
    'a search without news',
    `${search} update watched_searches set waiting = 0`,
  ),
  not(
    'tell-of-searches',
    'a mail for later',
    `${search} update watched_searches set next_mail_at = ${future}`,
  ),
  not(
    'tell-of-searches',
    'a paused search',
    `${search} update watched_searches set is_active = false`,
  ),
  not(
    'tell-of-searches',
    'a suspended user',
    `${search} update users set suspended_at = now(), suspended_for = 'spam'`,
  ),
  not(
    'tell-of-searches',
    'an unverified address',
    `${search} update users set email_verified = false`,
  ),

  due('make-bulk-changes', 'a change', change('queued')),
  not('make-bulk-changes', 'a change that is done', change('done')),
  not('make-bulk-changes', 'a change that failed', change('failed')),

  due('move-posts', 'a move', postMove('running')),
  due('move-posts', 'an undo', postMove('undoing')),
  not('move-posts', 'a preview', postMove('ready')),
  not('move-posts', 'a move that is done', postMove('done')),
  due('fetch-moved-pictures', 'a picture of a finished move', movedPicture(past)),
  not('fetch-moved-pictures', 'a picture that rests', movedPicture(future)),
  not('fetch-moved-pictures', 'a picture of a preview', movedPicture('null')),

  due(
    'change-currency',
    'a change that was asked for',
    `insert into site_settings (name, value) values ('nextCurrency', '"EUR"')`,
  ),
  due(
    'change-currency',
    'a deal that may be shown again',
    `${hiddenDeal} update site_settings set value = '"USD"' where name = 'currency'`,
  ),
  due(
    'change-currency',
    'owners of paused alerts without a mail',
    `insert into site_settings (name, value) values ('pausedCurrencies', '[{"currency":"EUR","at":1}]')`,
  ),
  not('change-currency', 'a deal that waits for a price in the new currency', hiddenDeal),
  not(
    'change-currency',
    'a change that is done',
    `insert into site_settings (name, value) values ('nextCurrency', '""'), ('pausedCurrencies', '[]')`,
  ),

  due('fetch-pictures', 'a picture', picture),
  due('fetch-pictures', 'more than there is room for', pictureBytes(2 ** 20 + 1)),
  not('fetch-pictures', 'as much as there is room for', pictureBytes(2 ** 20)),
  not('fetch-pictures', 'a picture for later', `${picture} update pictures set due_at = ${future}`),
  not('fetch-pictures', 'a picture that stays', `${picture} update pictures set due_at = null`),
  {
    ...due(
      'fetch-pictures',
      'a picture without room',
      `${picture} update pictures set due_at = null`,
    ),
    env: { PICTURES_MB: '0' },
  },

  due('run-imports', 'a run that waits', run('queued')),
  due('run-imports', 'a run that has not moved', run('running', `now() - interval '61 seconds'`)),
  due('run-imports', 'a rollback that was asked for', run('done', 'now()', `'admin'`)),
  not('run-imports', 'a run under way', run('running')),
  not('run-imports', 'a rollback of a run under way', run('running', 'now()', `'admin'`)),
  not('run-imports', 'a run that is done', run('done')),
  not('run-imports', 'a run that was rolled back', run('rolled_back', 'now()', `'admin'`)),
];

beforeEach(async () => {
  await insertUser(database.db);
  await insertDeal(database.db);
  await settle();
});

test('lists an example for every job with a condition, and for no other job', () => {
  const names = new Set(examples.filter(({ isDue }) => isDue).map(({ job }) => job));
  expect([...names].toSorted()).toEqual(dueJobs.map(({ name }) => name).toSorted());
});

test('does not scan a table for a job’s condition, even if the statistics report many due rows', async () => {
  const filled = ['mail_outbox', 'pictures', 'import_runs', 'bulk_changes', 'alert_checks'];
  await database.pool.query(`
    insert into mail_outbox (key, kind, recipient, payload) select n, 'plain', 'a@mail.example', '{}' from generate_series(1, 2000) n;
    insert into pictures (source, source_key, merchant_id, due_at, shown_on)
      select n, gen_random_uuid(), m.id, ${past}, current_date from merchants m, generate_series(1, 2000) n;
    insert into import_runs (source_name, format, state, rolled_back_by) select n, 'csv', 'done', 'admin' from generate_series(1, 2000) n;
    insert into bulk_changes (actor, verb, batch, deal_ids) select n, 'delete', gen_random_uuid(), '{1}' from generate_series(1, 2000) n;
    insert into alert_checks (deal_id) select d.id from deals d, generate_series(1, 2000);
    analyze ${filled.join(', ')}`);
  const plans = dueJobs.map(({ isDue }) =>
    rawSql<Record<string, string>>`explain select ${isDue(services().env)}`.execute(database.db),
  );
  const lines = (await Promise.all(plans)).flatMap(({ rows }) => rows.flatMap(Object.values));
  for (const table of filled) {
    expect(lines.filter((line) => line.includes(` on ${table} `)).join()).toMatch(/Index.* Scan/);
    expect(lines.filter((line) => line.includes(`Seq Scan on ${table} `))).toEqual([]);
  }
});

test.each(examples)(
  'checks whether $job is due if $is: $isDue',
  async ({ job, isDue, sql, env }) => {
    await database.pool.query(sql);
    expect(await namesOfDue(env)).toEqual(isDue ? [job] : []);
  },
);
