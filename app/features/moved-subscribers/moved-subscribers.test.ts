import { expect, test } from 'vitest';
import type { FeedSizeLimits } from '#app/features/feeds/formats/decode-feed.server.ts';
import { inAudience } from '#app/features/newsletter/audience.server.ts';
import {
  insertSubscription,
  renewSubscription,
} from '#app/features/newsletter/newsletter-queries.server.ts';
import { ask } from '#database/ask.ts';
import { useTestDatabase } from '#test/database.ts';
import {
  advanceSubscriberMove,
  moveSubscribers,
  startSubscriberMove,
  undoSubscriberMove,
} from './run-subscriber-move.server.ts';
import { stageSubscribers } from './stage-subscribers.server.ts';
import type { ColumnChoices } from './subscriber-columns.ts';
import {
  countOutcomes,
  exportLeftOut,
  findSubscriberMove,
} from './subscriber-move-queries.server.ts';
import { describeOutcome } from './subscriber-outcomes.ts';

const database = useTestDatabase();
const now = new Date('2026-11-29T12:00:00Z');
const limits: FeedSizeLimits = { rawBytes: 1e8, unpackedBytes: 1e8 };
const choices = { source: 'Old site', states_consent: false, blank_state: null } as const;

async function* bytesOf(content: string | Buffer) {
  yield Buffer.from(content);
}

const stage = (content: string | Buffer, columns: ColumnChoices = {}) =>
  stageSubscribers(database.db, bytesOf(content), {
    name: 'list.csv',
    actor: 'admin',
    limits,
    choices: columns,
    now,
  });

async function moveIn(
  content: string,
  more: Partial<Parameters<typeof startSubscriberMove>[2]> = {},
) {
  const id = await stage(content);
  await startSubscriberMove(database.db, id, { ...choices, actor: 'admin', ...more });
  await moveSubscribers(database.db);
  return id;
}

async function countsOf(id: number) {
  const move = await findSubscriberMove(database.db, id);
  return move && countOutcomes(database.db, move);
}

const subscriptions = () =>
  database.db
    .selectFrom('newsletter_subscriptions')
    .select(['email', 'is_active', 'unsubscribed_at', 'confirmed_at', 'consent_source', 'move_id'])
    .orderBy('email')
    .execute();

/** Returns the addresses that would get a newsletter to everyone now. */
const audience = () =>
  ask(database.db).column<string>`
    select s.email from newsletter_subscriptions s
     where ${inAudience({ audience_since: null, audience_confirmed: false }, new Date())} order by s.email`;

const list = `Email,Global status,Subscribed at,Unsubscribed at
in@a.example,subscribed,2020-03-04 05:06:07,
out@a.example,unsubscribed,2020-03-04,2021-01-02
bounced@a.example,bounced,2020-03-04,
waiting@a.example,unconfirmed,2020-03-04,
undated@a.example,subscribed,,
=cmd()@a.example,odd,2020-03-04,
no address,subscribed,2020-03-04,
 IN@A.example ,subscribed,2019-03-04,
twice@a.example,subscribed,2020-03-04,
twice@a.example,unsubscribed,2020-03-04,2022-01-01
`;

test('imports confirmed subscribers with their consent, but never unsubscribed ones', async () => {
  const id = await stage(list);
  const preview = {
    joined: 1,
    suppressed: 2,
    suspended: 1,
    unconfirmed: 1,
    'no-consent': 1,
    invalid: 2,
    duplicate: 2,
  };
  expect(await countsOf(id)).toEqual(preview);
  expect(await subscriptions()).toEqual([]);
  await startSubscriberMove(database.db, id, { ...choices, actor: 'admin' });
  await moveSubscribers(database.db);
  expect(await countsOf(id)).toEqual(preview);
  expect(await subscriptions()).toMatchObject([
    {
      email: 'in@a.example',
      is_active: true,
      confirmed_at: new Date('2020-03-04T05:06:07Z'),
      consent_source: 'Old site',
      move_id: id,
    },
    { email: 'out@a.example', is_active: false, unsubscribed_at: new Date('2021-01-02') },
    { email: 'twice@a.example', is_active: false, unsubscribed_at: new Date('2022-01-01') },
  ]);
  expect(await audience()).toEqual(['in@a.example']);
});

test('changes nothing when the same file is imported again, and keeps unsubscribes after an undo', async () => {
  const first = await moveIn(list);
  const before = await subscriptions();
  const second = await moveIn(list);
  expect(await subscriptions()).toEqual(before);
  expect(await countsOf(second)).toMatchObject({ 'already-here': 1, 'already-ended': 3 });
  expect(await undoSubscriberMove(database.db, second, 'admin')).toBe(true);
  await moveSubscribers(database.db);
  expect(await subscriptions()).toEqual(before);
  expect(await undoSubscriberMove(database.db, first, 'admin')).toBe(true);
  await moveSubscribers(database.db);
  expect((await subscriptions()).map(({ email }) => email)).toEqual([
    'out@a.example',
    'twice@a.example',
  ]);
  expect(await audience()).toEqual([]);
  // A list in which everyone is subscribed does not resubscribe people who left.
  await moveIn(
    list.replaceAll(/unsubscribed,|bounced,/g, 'subscribed,').replaceAll(/,202[12]-.*/g, ','),
  );
  expect(await audience()).toEqual(['in@a.example']);
  expect(await undoSubscriberMove(database.db, first, 'admin')).toBe(false);
});

test('keeps the status and consent of an address on this site, unless it unsubscribed from the old list', async () => {
  const { db } = database;
  await insertSubscription(db as never, 'In@a.example', true);
  await insertSubscription(db as never, 'out@a.example', true);
  await insertSubscription(db as never, 'undated@a.example', false);
  await db
    .insertInto('newsletter_subscriptions')
    .values({ email: 'gone@a.example', is_active: false, unsubscribed_at: now })
    .execute();
  const id = await moveIn(`${list}gone@a.example,subscribed,2020-03-04,\n`);
  expect(await countsOf(id)).toMatchObject({
    ended: 1,
    'already-here': 2,
    'unsubscribed-here': 1,
    suppressed: 1,
  });
  expect(await subscriptions()).toMatchObject([
    { email: 'In@a.example', confirmed_at: null, consent_source: null, move_id: null },
    { email: 'gone@a.example', is_active: false },
    { email: 'out@a.example', is_active: false, unsubscribed_at: new Date('2021-01-02') },
    { email: 'twice@a.example', is_active: false },
    { email: 'undated@a.example', is_active: false, unsubscribed_at: null },
  ]);
  expect(await audience()).toEqual(['In@a.example']);
});

test('accepts rows without a date only with a statement of consent, and does not mark them as confirmed', async () => {
  const csv = 'email,status\nundated@a.example,active\nblank@a.example,\n';
  await moveIn(csv);
  expect(await subscriptions()).toEqual([]);
  const id = await moveIn(csv, { states_consent: true, blank_state: 'unsubscribed' });
  expect(await countsOf(id)).toEqual({ 'joined-stated': 1, suppressed: 1 });
  expect(await subscriptions()).toMatchObject([
    { email: 'blank@a.example', is_active: false },
    { email: 'undated@a.example', is_active: true, confirmed_at: null },
  ]);
});

test.each(['created_at', 'Created', 'created on', 'ADDED_TIME', 'Date added', 'added_at'])(
  'does not treat the date in “%s” as consent',
  async (column) => {
    const csv = `email,status,${column}\na@b.example,active,2020-03-04\n`;
    expect(await countsOf(await stage(csv))).toEqual({ 'no-consent': 1 });
    const id = await moveIn(csv, { states_consent: true });
    expect(await countsOf(id)).toEqual({ 'joined-stated': 1 });
    expect(await subscriptions()).toMatchObject([{ is_active: true, confirmed_at: null }]);
  },
);

test('resumes an interrupted import, and starts or undoes each import only once', async () => {
  const many = Array.from({ length: 4_500 }, (_, at) => `p${at}@a.example,subscribed,2020-03-04`);
  const id = await stage(`email,status,subscribed_at\n${many.join('\n')}\n`);
  const start = () => startSubscriberMove(database.db, id, { ...choices, actor: 'admin' });
  expect(await Promise.all([start(), start()])).toContain(false);
  await advanceSubscriberMove(database.db, id, { batches: 1 });
  expect(await countsOf(id)).toEqual({ joined: 2_000 });
  await Promise.all([moveSubscribers(database.db), moveSubscribers(database.db)]);
  expect(await countsOf(id)).toEqual({ joined: 4_500 });
  expect(await subscriptions()).toHaveLength(4_500);
  const renewed = (await subscriptions())[0]?.email ?? '';
  await database.db
    .updateTable('newsletter_subscriptions')
    .set({ is_active: false, unsubscribed_at: now })
    .where('email', '=', renewed)
    .execute();
  const row = await database.db
    .selectFrom('newsletter_subscriptions')
    .select('id')
    .where('email', '=', renewed)
    .executeTakeFirstOrThrow();
  await renewSubscription(database.db as never, row.id, true);
  await undoSubscriberMove(database.db, id, 'admin');
  await moveSubscribers(database.db);
  // A person who has subscribed here since then remains subscribed.
  expect((await subscriptions()).map(({ email }) => email)).toEqual([renewed]);
});

test('reads UTF-16, semicolons and the three files of Mailchimp', async () => {
  const columns = '"Email Address";MEMBER_RATING;OPTIN_TIME;CONFIRM_TIME';
  const utf16 = Buffer.from(
    `\uFEFF${columns}\na@b.example;2;2020-01-01 10:00:00;2020-01-02 10:00:00\n`,
    'utf16le',
  );
  expect(await countsOf(await stage(utf16))).toEqual({ joined: 1 });
  const left = '"Email Address",CONFIRM_TIME,UNSUB_TIME\nc@b.example,2020-01-01,\n';
  expect(await countsOf(await stage(left))).toEqual({ suppressed: 1 });
  const cleaned = 'Email Address,CLEAN_TIME\nd@b.example,2020-01-01\n';
  expect(await countsOf(await stage(cleaned))).toEqual({ suspended: 1 });
  const listmonk =
    'uuid,email,name,attributes,status,created_at\n1,e@b.example,E,"{""a"": 1}",enabled,2020-01-01T00:00:00Z\n2,f@b.example,F,{},blocklisted,2020-01-01\n';
  expect(await countsOf(await stage(listmonk))).toEqual({ 'no-consent': 1, suppressed: 1 });
});

test('reads a MailPoet export with the strictest status, and skips rows shifted by a quotation mark', async () => {
  const mailpoet = `\uFEFF"Email","First name","Last name","Subscription IP","Subscription time","Confirmation time","Confirmation IP","List status","Global status","List"
"in@a.example","Jane","Doe","192.0.2.1","2020-03-01 10:00:00","2020-03-04 05:06:07","192.0.2.1","subscribed","subscribed","Weekly"
"out@a.example","","","","2020-03-01 10:00:00","2020-03-04 05:06:07","","subscribed","unsubscribed","Weekly"
"left@a.example","","","","2020-03-01 10:00:00","2020-03-04 05:06:07","","subscribed","subscribed","Weekly"
"left@a.example","","","","2020-03-01 10:00:00","2020-03-04 05:06:07","","unsubscribed","subscribed","Daily"
"bounced@a.example","","","","2020-03-01 10:00:00","2020-03-04 05:06:07","","subscribed","bounced","Weekly"
"waiting@a.example","","","","2020-03-01 10:00:00","","","unconfirmed","unconfirmed","Weekly"
"added@a.example","","","","2020-03-01 10:00:00","","","subscribed","subscribed","Weekly"
"moved@a.example","Jane \\"JJ\\", x","Doe","192.0.2.1","2020-03-01 10:00:00","2020-03-04 05:06:07","192.0.2.1","subscribed","unsubscribed","Weekly"
`;
  const id = await stage(mailpoet);
  await startSubscriberMove(database.db, id, { ...choices, actor: 'admin' });
  await moveSubscribers(database.db);
  expect(await countsOf(id)).toEqual({
    joined: 1,
    suppressed: 2,
    suspended: 1,
    unconfirmed: 1,
    'no-consent': 1,
    duplicate: 1,
    'bad-status': 1,
  });
  expect(await subscriptions()).toMatchObject([
    { email: 'in@a.example', confirmed_at: new Date('2020-03-04T05:06:07Z') },
    { email: 'left@a.example', is_active: false },
    { email: 'out@a.example', is_active: false },
  ]);
  expect(await audience()).toEqual(['in@a.example']);
});

test('treats inactive subscribers of MailPoet as subscribed, but not those of other services', async () => {
  const mailpoet = `"Email","Confirmation time","List status","Global status"
"idle@a.example","2020-03-04 05:06:07","subscribed","inactive"
"left@a.example","2020-03-04 05:06:07","unsubscribed","inactive"
"waiting@a.example","2020-03-04 05:06:07","unconfirmed","inactive"
"undated@a.example","","subscribed","inactive"
`;
  expect(await countsOf(await moveIn(mailpoet))).toEqual({
    joined: 1,
    suppressed: 1,
    unconfirmed: 1,
    'no-consent': 1,
  });
  expect(await audience()).toEqual(['idle@a.example']);
  const other = 'email,status,confirmed_at\nother@a.example,inactive,2020-03-04\n';
  expect(await countsOf(await moveIn(other))).toEqual({ 'bad-status': 1 });
});

// Brevo does not export a date of consent, only when a contact was added.
test.each([
  [
    'EMAIL_BLACKLISTED',
    `EMAIL;LASTNAME;FIRSTNAME;SMS;EMAIL_BLACKLISTED;SMS_BLACKLISTED;ADDED_TIME;MODIFIED_TIME
in@a.example;Doe;Jane;;No;Yes;12-04-2022 09:30;13-04-2022 10:00
out@a.example;Roe;John;33611111111;Yes;No;12-04-2022 09:30;13-04-2022 10:00
`,
  ],
  [
    'EMAIL_BLOCKLISTED',
    `CONTACT ID;EMAIL;LASTNAME;FIRSTNAME;SMS;DOUBLE_OPT-IN;OPT_IN;EMAIL_BLOCKLISTED;ADDED_TIME;MODIFIED_TIME
1;in@a.example;Doe;Jane;;Yes;Yes;false;12-04-2022;13-04-2022
2;out@a.example;Roe;John;;Yes;Yes;true;12-04-2022;13-04-2022
`,
  ],
  [
    '_BLOCKLISTED',
    `EMAIL;_listIds;_SUBSCRIBED;_BLOCKLISTED;ADDED_TIME;MODIFIED_TIME
in@a.example;[2|4];email_marketing;;12-04-2022;13-04-2022
out@a.example;[2];;email_marketing;12-04-2022;13-04-2022
`,
  ],
])(
  'reads a Brevo export with %s, and subscribes people only with a statement of consent',
  async (_name, brevo) => {
    const first = await moveIn(brevo);
    expect(await countsOf(first)).toEqual({ 'no-status': 1, suppressed: 1 });
    expect(await audience()).toEqual([]);
    const undated = await moveIn(brevo, { blank_state: 'subscribed' });
    expect(await countsOf(undated)).toEqual({ 'no-consent': 1, 'already-ended': 1 });
    await moveIn(brevo, { blank_state: 'subscribed', states_consent: true });
    expect(await subscriptions()).toMatchObject([
      { email: 'in@a.example', is_active: true, confirmed_at: null, consent_source: 'Old site' },
      { email: 'out@a.example', is_active: false },
    ]);
    expect(await audience()).toEqual(['in@a.example']);
  },
);

test('rejects a file without an address column, unless the owner names one', async () => {
  await expect(stage('name,post\nA,a@b.example\n')).rejects.toThrow('no column of email addresses');
  await expect(stage('')).rejects.toThrow('empty');
  expect(await database.db.selectFrom('subscriber_moves').select('id').execute()).toEqual([]);
  expect(await countsOf(await stage('name,post\nA,a@b.example\n', { email: 'Post' }))).toEqual({
    'no-status': 1,
  });
});

test('exports the omitted rows with line and reason', async () => {
  const id = await stage(list);
  const move = await findSubscriberMove(database.db, id);
  const rows = move ? await Array.fromAsync(exportLeftOut(database.db, move, describeOutcome)) : [];
  expect(rows[0]).toEqual([
    5,
    'waiting@a.example',
    'unconfirmed',
    'Never confirmed the subscription',
  ]);
  expect(rows.map(([line]) => line)).toEqual([5, 6, 7, 8, 9, 11]);
});
