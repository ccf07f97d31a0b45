import { beforeEach, expect, test } from 'vitest';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { insertDeal, insertMerchant } from '#test/factories/insert.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signedInVisitor } from '#test/staff.ts';

const database = useTestDatabase();
const site = testSite(database, {
  env: testServices(database, { SMTP_HOST: '127.0.0.1' }).env,
});
const admin = () => signedInVisitor(database, site, 'admin');
const typed = { subject: 'Lamps', preview: 'For long evenings', content: '<p>Light.</p>' };
const stored = () => database.db.selectFrom('newsletters').selectAll().orderBy('id').execute();

beforeEach(() => writeSiteSetting(database.db, 'postalAddress', '1 Main St', 'test'));

async function subscribe(...emails: string[]): Promise<void> {
  for (const email of emails) {
    await database.db.insertInto('newsletter_subscriptions').values({ email }).execute();
  }
}

test('writes a newsletter without JavaScript, previews it and sends it to the counted subscribers', async () => {
  const visitor = await admin();
  await subscribe('a@mail.example', 'b@mail.example');
  const form = await visitor.open('/admin/newsletters/new');
  expect(form.html).toMatch(/<textarea[^>]* name="content"/);
  expect(form.html).toContain('All 2 active subscribers');
  const saved = await visitor.send('/admin/newsletters/new', typed);
  expect([saved.status, saved.headers.get('location')]).toEqual([302, '/admin/newsletters/1']);
  const { html } = await visitor.open('/admin/newsletters/1');
  expect(html).toContain('Send now to 2 subscribers');
  expect(html).toContain('Send this to 2 subscribers?');
  expect(html).toMatch(
    /<iframe[^>]*src="\/admin\/newsletters\/1\/mail[^"]*scheme=dark"[^>]*sandbox=""/,
  );
  const [, counted = ''] = /name="counted" value="([^"]+)"/.exec(html) ?? [];
  const send = { intent: 'send', version: '1', counted };
  expect(flashOf(await visitor.send('/admin/newsletters/1/send', send))).toBe(
    'Sending to 2 subscribers.',
  );
  expect(flashOf(await visitor.send('/admin/newsletters/1/send', send))).toBe(
    'This newsletter is already being sent, and each subscriber gets it only once.',
  );
  const sending = await visitor.open('/admin/newsletters/1');
  expect(sending.html).toContain('0 of 2 done.');
  expect(sending.html).not.toContain('Send now');
  expect((await visitor.open('/admin/newsletters/1/edit')).html).toContain(
    'so you can no longer change it',
  );
  expect(flashOf(await visitor.send('/admin/newsletters/1', { intent: 'pause' }))).toContain(
    'Paused.',
  );
  expect(flashOf(await visitor.send('/admin/newsletters/1/send', { intent: 'resume' }))).toBe(
    'Sending resumed.',
  );
  const list = await visitor.open('/admin/newsletters?state=sending');
  expect(list.html).toContain('of <!-- -->2<!-- --> sent');
});

test('shows errors at their fields and keeps the input', async () => {
  const { status, html } = await (
    await admin()
  ).send('/admin/newsletters/new', {
    subject: ' ',
    preview: 'Warm & bright',
    content: '<p></p>',
    audience_since: '31.12.2025',
  });
  expect(status).toBe(422);
  expect(html).toContain('Subject: Subject is required');
  expect(html).toContain('Subscribed since: Must be a date');
  expect(html).toContain('value="Warm &amp; bright"');
  const visitor = await admin();
  const empty = await visitor.send('/admin/newsletters/new', { ...typed, content: '<p> </p>' });
  expect(empty.html).toContain('Content: Content is required');
  const long = `<p>${'x'.repeat(61 * 1024)}</p>`;
  const cut = await visitor.send('/admin/newsletters/new', { ...typed, content: long });
  expect(cut.html).toContain('Content: Content must be at most 60 KB');
  expect(await stored()).toEqual([]);
});

test('keeps both texts when two people save a newsletter (R47), and sends nothing from a stale page', async () => {
  const visitor = await admin();
  await subscribe('a@mail.example');
  await visitor.send('/admin/newsletters/new', typed);
  await visitor.send('/admin/newsletters/1/edit', { ...typed, subject: 'Theirs', version: '1' });
  const mine = await visitor.send('/admin/newsletters/1/edit', {
    ...typed,
    subject: 'Mine',
    version: '1',
  });
  expect(mine.status).toBe(409);
  expect(mine.html).toContain('Someone else saved this newsletter in the meantime.');
  expect(mine.html).toContain('Theirs');
  const stale = await visitor.send('/admin/newsletters/1/send', { intent: 'send', version: '1' });
  expect(flashOf(stale)).toContain('Check it again before you send it.');
  expect((await stored())[0]).toMatchObject({ subject: 'Theirs', state: 'draft' });
});

test('asks for a missing postal address when sending, and never replaces an existing one', async () => {
  await writeSiteSetting(database.db, 'postalAddress', '', 'test');
  const visitor = await admin();
  await subscribe('a@mail.example');
  await visitor.send('/admin/newsletters/new', typed);
  const { html } = await visitor.open('/admin/newsletters/1');
  expect(html).toContain('There is no postal address.');
  expect(html).toMatch(/<textarea[^>]* name="postalAddress"/);
  expect(html).not.toContain('Send now to');
  expect((await visitor.open('/admin/newsletters')).html).toContain('You cannot send yet');
  const send = { intent: 'send', version: '1' };
  expect(flashOf(await visitor.send('/admin/newsletters/1/send', send))).toContain(
    'There is no postal address.',
  );
  const save = (postalAddress: string) =>
    visitor.send('/admin/newsletters/1', { intent: 'address', postalAddress });
  expect(flashOf(await save('  '))).toBe('Enter the postal address that readers can write to.');
  expect(flashOf(await save('12 Market Street'))).toContain('The postal address is saved and');
  await save('Another street');
  const ready = await visitor.open('/admin/newsletters/1');
  expect(ready.html).toContain('Send now to 1 subscriber');
  expect((await visitor.open('/admin/newsletters/1/mail')).html).toContain('12 Market Street');
});

test('previews the email in both color schemes, and lists what is left out', async () => {
  const visitor = await admin();
  const merchant = await insertMerchant(database.db, { name: 'Lamp House' });
  const lamp = await insertDeal(database.db, { title: 'Lamp', merchant_id: merchant.id });
  const over = await insertDeal(database.db, {
    title: 'Torch',
    expires_at: new Date('2020-01-01'),
  });
  const content =
    `<p onclick="x()">Light.<script>alert(1)</script></p><hr data-deal="${lamp.id}">` +
    `<hr data-deal="${over.id}"><hr data-deal="999" title="Old &amp; gone">`;
  await visitor.send('/admin/newsletters/new', { ...typed, content });
  const { html } = await visitor.open('/admin/newsletters/1');
  expect(html).toContain('2 deals<!-- --> of it <!-- -->are<!-- --> left out');
  expect(html).toContain('Torch<!-- --> <!-- -->has expired');
  expect(html).toContain('Old &amp; gone<!-- --> <!-- -->is no longer on the site');
  const light = await visitor.open('/admin/newsletters/1/mail?scheme=light');
  const dark = await visitor.open('/admin/newsletters/1/mail?scheme=dark');
  expect(light.html).toContain('@media not all');
  expect(dark.html).toContain('@media all');
  for (const page of [light, dark]) {
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox$/);
    expect(page.html).toContain('Lamp House');
    expect(page.html).not.toMatch(/onclick|<script|Torch|data-deal/);
  }
  const edit = await visitor.open('/admin/newsletters/1/edit');
  expect(edit.html).toContain('data-deal=&quot;999&quot;');
});

test('previews the typed text as an email that saves nothing and runs no script', async () => {
  const visitor = await admin();
  const post = (values: Record<string, string>) =>
    visitor.send('/admin/newsletters/preview', values);
  const light = await post({
    ...typed,
    content: '<p onclick="x()">Light.<script>alert(1)</script></p>',
    scheme: 'light',
  });
  expect(light.status).toBe(200);
  expect(light.html).toContain('Light.');
  expect(light.html).toContain('For long evenings');
  expect(light.html).toContain('@media not all');
  expect(light.html).not.toMatch(/onclick|<script/);
  expect(light.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox$/);
  expect((await post({ ...typed, scheme: 'dark' })).html).toContain('@media all');
  expect((await post({ ...typed, content: 'x'.repeat(61 * 1024) })).status).toBe(422);
  expect((await post({})).status).toBe(200);
  expect(await stored()).toEqual([]);
});

test('suggests only live deals for a newsletter, and finds them by words', async () => {
  await insertDeal(database.db, { title: 'Desk lamp' });
  await insertDeal(database.db, { title: 'Old lamp', is_active: false });
  await insertDeal(database.db, { title: 'Kettle' });
  const { html } = await (await admin()).open('/admin/newsletters/deals.data?q=lamp');
  expect(html).toContain('Desk lamp');
  expect(html).not.toContain('Old lamp');
  expect(html).not.toContain('Kettle');
});

test('schedules a newsletter in the site’s time zone, in the future only, and can cancel it', async () => {
  await writeSiteSetting(database.db, 'timeZone', 'America/New_York', 'test');
  const visitor = await admin();
  await subscribe('a@mail.example');
  await visitor.send('/admin/newsletters/new', typed);
  const year = new Date().getUTCFullYear();
  const schedule = (sendAt: string, version = '1') =>
    visitor.send('/admin/newsletters/1/send', { intent: 'schedule', version, sendAt });
  for (const wrong of ['', 'soon', '2020-01-01T10:00', `${year + 5}-01-01T10:00`]) {
    expect(flashOf(await schedule(wrong))).toBe('Choose a future time within a year.');
  }
  const soon = new Date(Date.now() + 90_000_000).toISOString().slice(0, 10);
  expect(flashOf(await schedule(`${soon}T10:00`))).toBe('Scheduled.');
  const [row] = await stored();
  expect(row?.send_at?.toISOString().slice(0, 13)).toMatch(new RegExp(`^${soon}T1[45]$`));
  const back = await visitor.send('/admin/newsletters/1', { intent: 'unschedule' });
  expect(flashOf(back)).toContain('a draft again');
});

test('deletes a draft from the list, with Undo', async () => {
  const visitor = await admin();
  await visitor.send('/admin/newsletters/new', typed);
  const gone = await visitor.send('/admin/newsletters', { intent: 'delete', id: '1' });
  expect(flashOf(gone)).toBe('Newsletter deleted');
  expect(await stored()).toEqual([]);
  await visitor.send('/admin/newsletters', { intent: 'restore', id: '1' });
  expect(await stored()).toMatchObject([{ id: 1, subject: 'Lamps' }]);
  const copied = await visitor.send('/admin/newsletters', { intent: 'copy', id: '1' });
  expect(copied.headers.get('location')).toBe('/admin/newsletters/2/edit');
  expect((await visitor.open('/admin/audit')).html).toContain('Lamps');
  expect((await visitor.open('/admin/newsletters/99')).status).toBe(404);
});

test('redirects a newsletter’s link, and counts clicks after the newsletter is sent but never those of bots', async () => {
  const visitor = await admin();
  await subscribe('a@mail.example');
  const content =
    '<p><a href="/blog">a</a> <a href="https://lamps.example/x?y=1&amp;z=2">b</a> <a href="//evil.example/">c</a></p>';
  await visitor.send('/admin/newsletters/new', { ...typed, content });
  await visitor.send('/admin/newsletters/1', { intent: 'test' });
  const follow = async (position: number, agent = 'Mozilla/5.0 Firefox/140.0') => {
    const headers = { 'user-agent': agent };
    const answer = await site.request(`/out/newsletter/1/${position}`, { headers });
    return answer.headers.get('location');
  };
  expect(await follow(1)).toBe('/blog');
  await visitor.send('/admin/newsletters/1/send', { intent: 'send', version: '1' });
  expect(await follow(1)).toBe('/blog');
  expect(await follow(2)).toBe('https://lamps.example/x?y=1&z=2');
  expect(await follow(2)).toBe('https://lamps.example/x?y=1&z=2');
  await follow(2, 'Googlebot/2.1 (+http://www.google.com/bot.html)');
  for (const nowhere of [99, 0, 12_345_678]) expect(await follow(nowhere)).toBe('/');
  const links = await database.db
    .selectFrom('newsletter_links')
    .select(['position', 'clicks'])
    .orderBy('position')
    .execute();
  expect(links.slice(0, 2)).toEqual([
    { position: 1, clicks: 1 },
    { position: 2, clicks: 2 },
  ]);
});
