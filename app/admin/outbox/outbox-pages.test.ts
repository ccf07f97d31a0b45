import { describe, expect, test } from 'vitest';
import type { Role } from '#database/schema/account-tables.ts';
import { useTestDatabase } from '#test/database.ts';
import { startHttpSite } from '#test/http-site.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { flashOf, signIn } from '#test/staff.ts';
import { queueMail } from '#app/platform/mail/queue-mail.server.ts';
import { retryMails } from '#app/platform/mail/outbox-queries.server.ts';

const database = useTestDatabase();

const signedIn = (role: Role, overrides: { id?: string; email?: string } = {}) =>
  signIn(database, { role, ...overrides });

const page = (path: string, cookie: string | null, init: RequestInit = {}) =>
  testSite(database).page(path, { ...init, headers: cookie === null ? {} : { cookie } });

async function testMail(to = 'reader@mail.example', userId: string | null = null): Promise<number> {
  const queued = await queueMail(database.db, {
    key: `test:${to}`,
    kind: 'test',
    to,
    userId,
    props: { askedAt: 'Monday <script>alert(1)</script>' },
  });
  if (!queued.queued) throw new Error(queued.reason);
  return queued.id;
}

const stateOf = async (id: number) =>
  (
    await database.db
      .selectFrom('mail_outbox')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).state;

describe('the guard', () => {
  // Proves Storefront 2: Routes: /admin (admin-layout.tsx)
  test('refuses pages, data, data of a single route, and posts to everyone but staff', async () => {
    const id = await testMail();
    await database.db.updateTable('mail_outbox').set({ state: 'failed' }).execute();
    const { cookie } = await signedIn('user');
    const paths = [
      '/admin/outbox',
      `/admin/outbox/${id}`,
      `/admin/outbox/${id}/html`,
      '/admin/outbox.data',
      `/admin/outbox/${id}.data?_routes=admin%2Foutbox%2Foutbox-mail-page`,
      '/admin/outbox.data?_routes=admin%2Foutbox%2Foutbox-page',
    ];
    for (const path of paths) {
      for (const [who, status] of [
        [null, 401],
        [cookie, 403],
      ] as const) {
        const answer = await page(path, who);
        expect([path, answer.status]).toEqual([path, status]);
        expect(answer.html).not.toContain('reader@mail.example');
      }
    }
    for (const path of [`/admin/outbox/${id}`, `/admin/outbox/${id}.data`]) {
      const post = { method: 'POST', body: new URLSearchParams({ a: 'b' }) };
      expect((await page(path, null, post)).status).toBe(401);
      expect((await page(path, cookie, post)).status).toBe(403);
    }
    expect(await stateOf(id)).toBe('failed');
  });

  // Proves Back office 2: Guard: four states (access-refusal-screen.tsx)
  test('explains the refusal with the specification’s text', async () => {
    const nobody = (await page('/admin/outbox?state=sent', null)).html;
    expect(nobody).toContain('Authentication Required');
    expect(nobody).toContain('Please sign in to access the admin panel.');
    expect(nobody).toContain('href="/sign-in?returnTo=%2Fadmin%2Foutbox%3Fstate%3Dsent"');
    const user = (await page('/admin/outbox', (await signedIn('user')).cookie)).html;
    expect(user).toContain('Access Restricted');
    expect(user).toContain(
      'You do not have administrative privileges. Contact your administrator for access.',
    );
  });
});

describe('the outbox', () => {
  test('lists emails with their state and the server’s response', async () => {
    await testMail();
    await database.db
      .updateTable('mail_outbox')
      .set({ state: 'failed', last_error: '550 no such user' })
      .execute();
    const { cookie } = await signedIn('admin');
    const { status, html } = await page('/admin/outbox', cookie);
    expect(status).toBe(200);
    expect(html).toContain('No email server is configured');
    expect(html).toContain('reader@mail.example');
    expect(html).toContain('550 no such user');
    expect((await page('/admin/outbox?state=sent', cookie)).html).toContain('No emails');
    expect((await page('/admin/outbox?state=nonsense&page=-7', cookie)).status).toBe(200);
  });

  test('shows the subject of each email first, and its kind second', async () => {
    const id = await testMail();
    await queueMail(database.db, {
      key: 'gone',
      kind: 'newsletter-welcome',
      to: 'gone@mail.example',
      props: { subscriptionId: 999 },
    });
    const { cookie } = await signedIn('admin');
    const { html } = await page('/admin/outbox', cookie);
    expect(html).toMatch(
      new RegExp(`href="/admin/outbox/${id}"[^>]*>Test email from Deal Hub</a>`),
    );
    expect(html).toContain(`test #${id} · reader@mail.example`);
    expect(html).toMatch(new RegExp(`>newsletter-welcome #${id + 1}</a>`));
  });

  test('lists the other emails when one cannot be rendered', async () => {
    await queueMail(database.db, {
      key: 'broken',
      kind: 'newsletter-welcome',
      to: 'broken@mail.example',
      props: { subscriptionId: 'no number' },
    });
    await testMail();
    const { cookie } = await signedIn('admin');
    const { status, html } = await page('/admin/outbox', cookie);
    expect(status).toBe(200);
    expect(html).toContain('Test email from Deal Hub');
    expect(html).toContain('broken@mail.example');
  });

  const news = (subject: string, more: { key?: string; id?: number } = {}) =>
    queueMail(database.db, {
      key: more.key ?? subject,
      kind: 'newsletter-welcome',
      to: 'news@mail.example',
      props: { subscriptionId: more.id ?? 999 },
    });
  const subjects = () =>
    database.db.selectFrom('mail_outbox').select('subject').orderBy('id').execute();

  test('reads a subject once, stores it, and finds emails by it', async () => {
    const { id } = await database.db
      .insertInto('newsletter_subscriptions')
      .values({ email: 'news@mail.example' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await news('welcome', { id });
    await news('gone');
    await testMail();
    const { cookie } = await signedIn('admin');
    const { html } = await page('/admin/outbox', cookie);
    expect(html).toContain('Test email from Deal Hub');
    const [welcome, gone, account] = (await subjects()).map(({ subject }) => subject);
    expect(welcome).toMatch(/Deal Hub/);
    expect([gone, account]).toEqual(['', null]);
    await database.db
      .updateTable('mail_outbox')
      .set({ subject: 'A stored lamp' })
      .where('subject', '=', String(welcome))
      .execute();
    const found = (await page('/admin/outbox?q=stored+LAMP', cookie)).html;
    expect(found).toMatch(/>A stored lamp<\/a>/);
    expect(found).not.toContain('Test email from');
  });

  test('neither stores the subject of an email about an account, nor finds the email by subject', async () => {
    const owner = await signedIn('super_admin', { email: 'owner@deals.example' });
    await testMail('owner@deals.example', owner.user.id);
    expect((await page('/admin/outbox', owner.cookie)).html).toContain('Test email from');
    expect(await subjects()).toEqual([{ subject: null }]);
    const admin = await signedIn('admin');
    const { html } = await page('/admin/outbox?q=email+from', admin.cookie);
    expect(html).not.toContain('owner@deals.example');
  });

  test('shows an email as text, and as HTML in a sandboxed frame', async () => {
    const id = await testMail();
    const { cookie } = await signedIn('admin');
    const { html } = await page(`/admin/outbox/${id}`, cookie);
    expect(html).toContain('Test email from Deal Hub');
    expect(html).toMatch(new RegExp(`<iframe[^>]*src="/admin/outbox/${id}/html"[^>]*sandbox=""`));
    expect(html).toContain('This email was requested on Monday');
    expect((await page('/admin/outbox/999', cookie)).status).toBe(404);
    expect((await page('/admin/outbox/1e3', cookie)).status).toBe(404);
  });

  test('sends the HTML with a policy that runs nothing and allows framing by our pages only', async () => {
    const id = await testMail();
    const { cookie } = await signedIn('admin');
    const site = testSite(database);
    const server = await startHttpSite(
      async (request) => ({
        response: await site.request(new URL(request.url).pathname, { headers: request.headers }),
        policy: null,
        error: null,
      }),
      { db: testServices(database).db },
    );
    const { headers, text } = await server.send(`/admin/outbox/${id}/html`, {
      headers: { cookie },
    });
    const other = await server.send('/admin/outbox', { headers: { cookie } });
    await server.close();
    expect(text).toContain('Email works');
    expect(text).not.toContain('<script');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*frame-ancestors 'self'; sandbox$/,
    );
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(headers['cache-control']).toBe('private, no-store');
    expect(other.headers['x-frame-options']).toBe('DENY');
    expect(other.headers['content-security-policy']).toContain("frame-src 'self'");
  });

  // Proves R02: who grants roles (app/features/accounts/people/erase-account.server.ts)
  test('hides emails that could sign in as staff from other admins (R02)', async () => {
    const owner = await signedIn('super_admin', { email: 'owner@deals.example' });
    const admin = await signedIn('admin');
    const id = await testMail('owner@deals.example', owner.user.id);
    const seen = await page(`/admin/outbox/${id}`, admin.cookie);
    expect(seen.html).not.toContain('requested on Monday');
    expect(seen.html).toContain('Only its owner and a super admin may read it.');
    expect((await page(`/admin/outbox/${id}/html`, admin.cookie)).status).toBe(404);
    const [list, ownList] = [
      await page('/admin/outbox', admin.cookie),
      await page('/admin/outbox', owner.cookie),
    ];
    expect(list.html).toContain(`>test #${id}</a>`);
    expect(list.html).not.toContain('Test email from');
    expect(ownList.html).toContain('Test email from');
    expect((await page(`/admin/outbox/${id}`, owner.cookie)).html).toContain('requested on Monday');
  });

  test('queues a failed or unsent email again', async () => {
    const id = await testMail();
    const { cookie, user } = await signedIn('admin');
    await database.db.updateTable('mail_outbox').set({ state: 'kept' }).execute();
    const answer = await page(`/admin/outbox/${id}`, cookie, { method: 'POST' });
    expect(answer.status).toBe(302);
    expect(flashOf(answer)).toBe('The email is queued again.');
    expect(await stateOf(id)).toBe('queued');
    const audit = await database.db
      .selectFrom('audit_log')
      .select(['actor', 'action', 'entity_id'])
      .execute();
    expect(audit).toEqual([{ actor: user.id, action: 'mail.retry', entity_id: String(id) }]);
    await database.db.updateTable('mail_outbox').set({ state: 'sent' }).execute();
    expect(await retryMails(database.db, id)).toBe(0);
    const late = await page(`/admin/outbox/${id}`, cookie, { method: 'POST' });
    expect(flashOf(late)).toBe('The email is already on its way.');
    expect(await stateOf(id)).toBe('sent');
    expect(await database.db.selectFrom('audit_log').select('id').execute()).toHaveLength(1);
  });
});
