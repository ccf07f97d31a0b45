import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { testVisitor, type TestVisitor } from '#test/visitor.ts';
import { alertListPath, confirmAlertPath } from '#app/features/price-alerts/watch-link.server.ts';
import { stopMailPaths } from '#app/platform/mail/stop-token.server.ts';

const database = useTestDatabase();
const site = testSite(database, { env: testServices(database).env });
let count = 0;
let email = '';
let visitor: TestVisitor;
beforeEach(() => {
  email = `guest${(count += 1)}@mail.example`;
  visitor = testVisitor(site, `203.0.113.${count}`);
});

const alerts = () => database.db.selectFrom('price_alerts').selectAll().orderBy('id').execute();
const requests = () => database.db.selectFrom('watch_requests').selectAll().orderBy('id').execute();

async function ask(title = `Brass lamp ${count}`) {
  const deal = await insertDeal(database.db, { title, sale_price: 10_000 });
  const address = `/price-alerts/new?deal=${deal.id}`;
  const fields = { deal_id: String(deal.id), kind: 'target', target: '80.00', email };
  const page = await visitor.sendAsHuman(address, fields);
  const [request] = (await requests()).slice(-1);
  return { deal, page, address, fields, request: request?.id ?? 0 };
}

/** Returns the URL of the page that the confirmation redirects to. */
async function confirm(request: number): Promise<string> {
  const path = await confirmAlertPath(database.db, request);
  const { headers } = await visitor.send(path, {});
  return headers.get('location')?.replace('&created', '') ?? '';
}

describe('without JavaScript', () => {
  test('asks for an email address and a captcha on a deal’s form, keeps the input, and asks to check the inbox', async () => {
    const { deal, page, address, fields } = await ask();
    expect(page.status).toBe(200);
    expect(page.html).toContain('Check your email: we have sent you a link.');
    const { html } = await visitor.open(address);
    for (const words of ['Email address', 'Target Price ($)', 'Sign in instead', deal.title]) {
      expect(html).toContain(words);
    }
    const wrong = await visitor.send(address, { ...fields, email: 'nonsense', target: '70' });
    expect([wrong.status, /value="nonsense"/.test(wrong.html)]).toEqual([422, true]);
    const first = await visitor.send(address, { ...fields, target: '71.00' });
    expect(first.status).toBe(422);
    expect(first.html).toContain('name="captcha_answer"');
    expect(first.html).toContain('value="71.00"');
    expect(first.html).toContain(`value="${email}"`);
    expect(await alerts()).toEqual([]);
  });

  test('R15: changes nothing when the emailed link is opened, confirms when its button is pressed, and redirects when followed again', async () => {
    const { request, deal } = await ask();
    const path = await confirmAlertPath(database.db, request);
    const page = await visitor.open(path);
    expect(page.status).toBe(200);
    expect(page.html).toContain(`Email ${email} about this deal?`);
    expect(page.html).toContain('it costs $80.00 or less');
    expect(await alerts()).toEqual([]);
    const list = await confirm(request);
    expect(await alerts()).toMatchObject([{ deal_id: deal.id, is_active: true }]);
    const again = await visitor.open(path);
    expect([again.status, again.headers.get('location')]).toEqual([302, list]);
    const opened = await visitor.open(`${list}&created`);
    expect(opened.html).toContain('Price alert set.');
    expect(opened.html).toContain(deal.title);
    expect(opened.html).toContain('1 Active Alert');
    expect(opened.html).not.toContain('Send me a test');
  });

  test('changes, stops, deletes, confirms, stops all and erases alerts on the guest subscriber’s page', async () => {
    const first = await ask();
    const list = await confirm(first.request);
    const second = await ask('Copper kettle');
    const [alert] = await alerts();
    const id = String(alert?.id);
    const waiting = await visitor.open(list);
    expect(waiting.html).toContain('Waiting for your confirmation');
    expect(waiting.html).toContain('Copper kettle');
    await visitor.send(list, { intent: 'confirm', id: String(second.request) });
    expect(await alerts()).toHaveLength(2);

    expect((await visitor.open(`${list}&edit=${id}`)).html).toContain('Edit Price Alert');
    const fields = { intent: 'update', id, kind: 'target', is_active: 'on' };
    const bad = await visitor.send(list, { ...fields, target: '0' });
    expect(bad.html).toContain('Error updating alert: Target price must be greater than 0');
    const saved = await visitor.send(list, { ...fields, target: '75' });
    expect(saved.headers.get('location')).toBe(`${list}&saved`);
    expect((await alerts())[0]).toMatchObject({ target_price: 7_500, is_active: true });
    await visitor.send(list, { intent: 'stop-all' });
    expect((await alerts()).map(({ is_active }) => is_active)).toEqual([false, false]);
    await visitor.send(list, { intent: 'delete', id });
    expect(await alerts()).toHaveLength(1);

    expect((await visitor.open(`${list}&end=erase`)).html).toContain('are deleted for good');
    const erased = await visitor.send(list, { intent: 'erase' });
    const end = await visitor.open(erased.headers.get('location') ?? '');
    expect([end.status, /We will not email you again/.test(end.html)]).toEqual([200, true]);
    expect([await alerts(), await requests()]).toEqual([[], []]);
    expect(await database.db.selectFrom('mail_outbox').select('id').execute()).toEqual([]);
    expect((await visitor.open(list)).status).toBe(404);
  });
});

describe('R03: the link of one address', () => {
  test('R03: does not reveal another email address’s data through a guest subscriber’s link', async () => {
    const mine = await confirm((await ask()).request);
    const [other] = await alerts();
    email = `other${count}@mail.example`;
    const theirs = await ask('Copper kettle');
    const list = await confirm(theirs.request);
    const third = await ask('Steel pan');
    const id = String(other?.id);
    for (const intent of ['update', 'delete']) {
      const fields = { intent, id, kind: 'target', target: '5', is_active: 'on' };
      expect((await visitor.send(list, fields)).status).toBe(404);
    }
    const foreign = await visitor.send(mine, { intent: 'confirm', id: String(third.request) });
    expect(foreign.status).toBe(404);
    expect((await visitor.open(mine)).html).not.toContain('Copper kettle');
    expect((await visitor.open(`${list}&edit=${id}`)).html).not.toContain('Edit Price Alert');
    expect((await alerts())[0]).toEqual(other);
  });

  test('R03: opens only the subscriber’s own page through a guest subscriber’s link, which cannot be forged', async () => {
    const { request } = await ask();
    const list = await confirm(request);
    const token = (path: string) => new URLSearchParams(path.split('?')[1]).get('token') ?? '';
    const manage = token(list);
    const confirming = token(await confirmAlertPath(database.db, request));
    const { stopPath } = await stopMailPaths(database.db, { what: 'watcher', id: '1' });
    for (const wrong of ['', 'x', manage.replace(/\d/, '9'), confirming, token(stopPath)]) {
      expect((await visitor.open(`/price-alerts/by-mail?token=${wrong}`)).status).toBe(404);
      const sent = await visitor.send(`/price-alerts/by-mail?token=${wrong}`, { intent: 'erase' });
      expect(sent.status).toBe(404);
    }
    for (const wrong of ['', manage, token(stopPath)]) {
      expect((await visitor.open(`/price-alerts/confirm?token=${wrong}`)).status).toBe(404);
      expect((await visitor.open(`/stop-mails?token=${confirming}`)).status).toBe(404);
    }
    expect(await alerts()).toHaveLength(1);
    expect(await alertListPath(database.db, null)).toBe('/price-alerts');
  });
});

describe('RFC 8058: one click', () => {
  const oneClick = async (wish: Parameters<typeof stopMailPaths>[1]) => {
    const { unsubscribePath, stopPath } = await stopMailPaths(database.db, wish);
    expect((await visitor.open(stopPath)).status).toBe(200);
    return visitor.send(unsubscribePath, { 'List-Unsubscribe': 'One-Click' });
  };

  test('stops everything for an email address with one click (RFC 8058), or deletes its open request', async () => {
    await confirm((await ask()).request);
    const [alert] = await alerts();
    expect((await oneClick({ what: 'watcher', id: String(alert?.watcher_id) })).status).toBe(200);
    expect(await alerts()).toMatchObject([{ is_active: false }]);
    const { request } = await ask('Copper kettle');
    expect((await oneClick({ what: 'request', id: String(request) })).status).toBe(200);
    expect((await requests()).map(({ id }) => id)).not.toContain(request);
  });
});
