import { beforeEach, describe, expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { mailedPath } from '#test/mailed-path.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { type TestVisitor, testVisitor } from '#test/visitor.ts';

const database = useTestDatabase();
const site = testSite(database);
const password = 'walking the hills';
let count = 0;
let email = '';
let visitor: TestVisitor;

beforeEach(() => {
  // Rate limits are counted per process, so every test uses a new user.
  count += 1;
  email = `narrow-${count}@mail.example`;
  visitor = testVisitor(site, `198.18.0.${count}`);
});

const mainOf = (html: string) =>
  /<main[\s\S]*<\/main>/.exec(html)?.[0].replace(/<!--[\s\S]*?-->/g, '') ?? '';
const hasColumn = (html: string) => html.includes('narrow-column-page');

describe('a page with a single form', () => {
  test.each([
    '/sign-in',
    '/sign-up',
    '/forgot-password',
    '/resend-verification',
    '/logout',
    '/newsletter',
    '/deals/lamp/report?about=over',
    '/price-alerts/new',
    '/price-alerts/searches/new?of=%2Fdeals',
  ])('uses the same column for %s, with one title', async (path) => {
    await insertDeal(database.db, { slug: 'lamp', title: 'Lamp' });
    const main = mainOf((await visitor.open(path)).html);
    expect(hasColumn(main)).toBe(true);
    expect(main.match(/<h1/g)).toHaveLength(1);
  });
});

describe('the panel for a dead link', () => {
  test.each([
    ['/reset-password?token=none', 'href="/forgot-password"'],
    ['/verify-email?token=none', 'href="/resend-verification"'],
    ['/confirm-address?token=none', 'href="/price-alerts"'],
    ['/invitation?token=none', 'href="/sign-in"'],
    ['/setup?token=none', 'href="/"'],
    ['/stop-mails?token=none', 'href="/price-alerts"'],
    ['/price-alerts/confirm?token=none', 'href="/deals"'],
    ['/price-alerts/by-mail?token=none', 'href="/sign-in?'],
    ['/unsubscribe', 'href="/"'],
  ])('shows one title, a link to continue and no form for %s', async (path, wayOn) => {
    const main = mainOf((await visitor.open(path)).html);
    expect(main).toContain('<h1>Invalid Link</h1>');
    expect(main).toContain(wayOn);
    expect(main).not.toContain('<form');
    expect(hasColumn(main)).toBe(true);
  });

  test('shows the panel for a dead link when a reset link was used, before a password is typed', async () => {
    const person = { full_name: 'Nora Narrow', email, password };
    await visitor.sendAsHuman('/sign-up', person);
    await visitor.sendAsHuman('/forgot-password', { email });
    const path = await mailedPath(database.db, 'reset-password', email);
    expect((await visitor.open(path)).html).toContain('name="password"');
    const token = new URL(path, 'http://deals.test').searchParams.get('token') ?? '';
    const weak = await visitor.send(path, { token, password: '123456' });
    expect(mainOf(weak.html)).toContain('name="password"');
    const done = mainOf((await visitor.send(path, { token, password: 'rowing lakes' })).html);
    expect(done).toContain('Your password has been changed.');
    expect(done).not.toContain('name="password"');
    const dead = mainOf((await visitor.open(path)).html);
    expect(dead).toContain('This link is no longer valid.');
    expect(dead).not.toContain('name="password"');
  });
});

describe('the panel that replaces a form', () => {
  const sent = async (path: string, fields: Record<string, string>) =>
    mainOf((await visitor.sendAsHuman(path, fields)).html);

  test.each<[string, Record<string, string>, string]>([
    ['/sign-up', { full_name: 'Nora Narrow', password }, '/resend-verification'],
    ['/forgot-password', {}, '/forgot-password'],
    ['/resend-verification', {}, '/resend-verification'],
  ])('replaces the form of %s with the address and a button', async (path, fields, resend) => {
    const main = await sent(path, { ...fields, email });
    expect(textOf(main)).toContain('Check your inbox');
    expect(main).toContain(`${email}</p>`);
    expect(main).not.toContain('type="password"');
    expect(main).not.toContain('type="email"');
    expect(main.match(/<form[^>]*action="([^"]+)"/)?.[1]).toBe(resend);
    expect(main).toMatch(/<button[^>]*type="submit"[^>]*>Resend/);
  });

  test('replaces the newsletter form with the address and a button on its own page', async () => {
    const main = await sent('/newsletter', { email });
    expect(textOf(main)).toContain('Check your inbox');
    expect(main).toContain(`${email}</p>`);
    expect(main).not.toContain('type="email"');
    expect(main.match(/<form[^>]*action="([^"]+)"/)?.[1]).toBe('/newsletter');
    expect(main).toMatch(/<button[^>]*type="submit"[^>]*>Resend/);
    expect(main).toContain('Use another address');
  });

  test('replaces the form of a report with a confirmation', async () => {
    await insertDeal(database.db, { slug: 'lamp', title: 'Lamp' });
    const done = await sent('/deals/lamp/report?about=over', { about: 'over' });
    expect(textOf(done)).toContain('Report sent Thank you for your report.');
    expect(done).not.toContain('<form');
  });
});
