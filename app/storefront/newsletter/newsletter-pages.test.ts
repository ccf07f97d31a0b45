import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addDemoSettings } from '#database/seed/seed-demo.ts';
import { useTestDatabase } from '#test/database.ts';
import { type HttpSite, startHttpSite } from '#test/http-site.ts';
import { testServices } from '#test/services.ts';
import { textOf } from '#test/render-component.tsx';
import { testSite } from '#test/site.ts';
import { solveCaptcha } from '#test/solve-captcha.ts';
import { writeSiteSetting } from '#app/features/site-settings/site-settings-queries.server.ts';
import { newsletterLinkQuery } from '#app/features/newsletter/newsletter-link.server.ts';
import { findSubscription } from '#app/features/newsletter/newsletter-queries.server.ts';

const database = useTestDatabase();
let count = 0;
let email = '';
beforeEach(() => {
  count += 1;
  email = `visitor${count}@mail.example`;
});

const form = (fields: Record<string, string>) => ({
  method: 'POST',
  body: new URLSearchParams(fields),
});

async function post(fields: Record<string, string>) {
  // An earlier test may have used up this address's attempts.
  const env = testServices(database, { RATE_LIMITS: 'subscribe-address=0/1' }).env;
  return testSite(database, { env }).page('/newsletter', form(fields));
}

const solved = () => solveCaptcha(testServices(database));

async function subscribed(): Promise<string> {
  const row = await database.db
    .insertInto('newsletter_subscriptions')
    .values({ email })
    .returningAll()
    .executeTakeFirstOrThrow();
  return newsletterLinkQuery(database.db, 'unsubscribe', row);
}

const isActive = async () => (await findSubscription(database.db, email))?.is_active;

describe('the form without JavaScript', () => {
  // Proves Storefront 2: Home: Stay Updated newsletter form (newsletter-form.tsx)
  test('shows the newsletter form with its three lines on the home page, and in the footer of other pages', async () => {
    const site = testSite(database);
    const home = (await site.page('/')).html;
    expect(home).toMatch(/id="newsletter"[\s\S]*Stay Updated/);
    for (const line of ['No spam', 'Unsubscribe anytime', 'Free to join'])
      expect(home).toContain(line);
    expect(home.match(/action="\/newsletter"/g)).toHaveLength(1);
    expect((await site.page('/deals')).html.match(/action="\/newsletter"/g)).toHaveLength(1);
  });

  test('promises a weekly email only if one is sent', async () => {
    const weekly = /once a week/;
    const withServer = testServices(database, { SMTP_HOST: '127.0.0.1' }).env;
    const read = async (path: string, env = withServer) =>
      (await testSite(database, { env }).page(path)).html;
    for (const path of ['/', '/newsletter', '/faq']) {
      await writeSiteSetting(database.db, 'postalAddress', '', 'test');
      expect(await read(path)).not.toMatch(weekly);
      await writeSiteSetting(database.db, 'postalAddress', '1 Main St', 'test');
      expect(await read(path)).toMatch(weekly);
      expect(await read(path, testServices(database).env)).not.toMatch(weekly);
      await writeSiteSetting(database.db, 'digestEnabled', false, 'test');
      expect(await read(path)).not.toMatch(weekly);
      await writeSiteSetting(database.db, 'digestEnabled', true, 'test');
    }
  });

  // Proves Storefront 8: Newsletter: invalid email (newsletter-messages.ts)
  test('shows the error in the newsletter field, and keeps the input', async () => {
    const { status, html } = await post({ email: 'nonsense' });
    expect(status).toBe(422);
    expect(html).toContain('Please enter a valid email address');
    expect(html).toContain('value="nonsense"');
  });

  // Proves Storefront 5: Newsletter: check first, button disabled (newsletter-form.tsx)
  test('asks newsletter subscribers without JavaScript a question instead of the captcha puzzle', async () => {
    const { status, html } = await post({ email });
    expect(status).toBe(422);
    expect(html).toContain('Please complete the security verification.');
    expect(html).toContain('name="captcha_question"');
    expect(html).toContain(`value="${email}"`);
  });

  // Proves Storefront 8: Newsletter: fallback, success, welcome back (newsletter-messages.ts)
  test('accepts and confirms a subscription, even for existing and returning subscribers', async () => {
    const first = await post({ email, captcha_token: await solved() });
    expect(first.status).toBe(200);
    expect(first.html).toContain('Successfully subscribed! Check your email for confirmation.');
    expect(await isActive()).toBe(true);
    const again = await post({ email, captcha_token: await solved() });
    expect(again.status).toBe(409);
    expect(again.html).toContain('This email is already subscribed to our newsletter');
    await database.db
      .updateTable('newsletter_subscriptions')
      .set({ is_active: false, unsubscribed_at: new Date() })
      .execute();
    const back = await post({ email, captcha_token: await solved() });
    expect(back.html).toContain('Welcome back! Your subscription has been reactivated.');
  });

  test('shows the same result of a resend for known, unknown and unsubscribed addresses', async () => {
    const resend = async () =>
      (await post({ email, resend: '1', captcha_token: await solved() })).html.replaceAll(
        email,
        '',
      );
    const textIn = (html: string) => textOf(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '');
    const unknown = textIn(await resend());
    expect(unknown).toContain(
      'If this address signed up for our newsletter, a new email is on its way.',
    );
    expect(await findSubscription(database.db, email)).toBeNull();
    await subscribed();
    expect(textIn(await resend())).toBe(unknown);
    await database.db
      .updateTable('newsletter_subscriptions')
      .set({ is_active: false, unsubscribed_at: new Date() })
      .execute();
    expect(textIn(await resend())).toBe(unknown);
    expect(await isActive()).toBe(false);
  });

  test('shows the captcha question for a resend next to the resend button', async () => {
    const { status, html } = await post({ email, resend: '1' });
    expect(status).toBe(422);
    const [resend = ''] =
      /<form(?:(?!<\/form>)[\s\S])*name="resend"[\s\S]*?<\/form>/.exec(html) ?? [];
    expect(resend).toContain('name="captcha_question"');
    expect(resend).toContain(`value="${email}"`);
    expect(resend).toContain('Resend');
    expect(html).toContain('Please complete the security verification.');
  });

  // Proves Storefront 8: Newsletter: permission denied (newsletter-messages.ts)
  test('returns 429 for too many newsletter attempts', async () => {
    const env = testServices(database, { RATE_LIMITS: 'subscribe-address=1/600' }).env;
    const site = testSite(database, { env });
    await site.page('/newsletter', form({ email }));
    const { status, html, headers } = await site.page('/newsletter', form({ email }));
    expect(status).toBe(429);
    expect(html).toContain('Unable to subscribe at this time. Please try again later.');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('/unsubscribe', () => {
  // Proves Storefront 2: Routes: unsubscribe (unsubscribe-page.tsx)
  // Proves R15: no change by GET
  test('changes nothing when the unsubscribe page is opened', async () => {
    const query = await subscribed();
    const { status, html } = await testSite(database).page(`/unsubscribe?${query}`);
    expect(status).toBe(200);
    expect(html).toContain('Processing...');
    expect(html).toContain(email);
    expect(html).toMatch(/<button[^>]*type="submit"/);
    expect(html).toContain('name="robots" content="noindex');
    expect(await isActive()).toBe(true);
  });

  // Proves Back office 4: Unsubscribe: loading, success, error, invalid (unsubscribe-page.tsx)
  // Proves P29: resubscribe (unsubscribe-page.tsx)
  // Proves R25: unsubscribe
  test('unsubscribes through a post from its page, and accepts a second post', async () => {
    await addDemoSettings(database.db);
    const query = await subscribed();
    for (const _ of [1, 2]) {
      const { status, html } = await testSite(database).page(
        `/unsubscribe?${query}`,
        form(Object.fromEntries(new URLSearchParams(query))),
      );
      expect(status).toBe(200);
      expect(html).toContain('Unsubscribed Successfully');
      expect(html).toContain('You have been successfully unsubscribed from our newsletter.');
      expect(html).toContain('href="/#newsletter">Resubscribe to Newsletter');
      expect(html).toContain('Go to Homepage');
      expect(html).toContain('mailto:');
    }
    expect(await isActive()).toBe(false);
  });

  // Proves Back office 5: Unsubscribe needs both parameters (newsletter-link.server.ts)
  test('reports a forged unsubscribe link as failed', async () => {
    const query = (await subscribed()).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const fields = Object.fromEntries(new URLSearchParams(query));
    const { status, html } = await testSite(database).page(`/unsubscribe?${query}`, form(fields));
    expect(status).toBe(400);
    expect(html).toContain('Unsubscribe Failed');
    expect(html).toContain('Failed to unsubscribe. Please try again or contact support.');
    expect(html).toContain('Try Again');
    expect(await isActive()).toBe(true);
  });

  // Proves Back office 8: Unsubscribe: three sentences (unsubscribe-page.tsx)
  test.each(['', '?email=a%40b.example', '?token=v1.1.x', '?email=&token='])(
    'reports an unsubscribe link with a missing part as invalid: %j',
    async (query) => {
      const { status, html } = await testSite(database).page(`/unsubscribe${query}`);
      expect(status).toBe(400);
      expect(html).toContain('Invalid Link');
      expect(html).toContain(
        'Invalid unsubscribe link. Please check your email for the correct link.',
      );
      expect(html).toContain('href="/contact"');
    },
  );
});

describe('/newsletter/confirm', () => {
  test('shows the subscription on GET and confirms it on POST', async () => {
    const row = await database.db
      .insertInto('newsletter_subscriptions')
      .values({ email, is_active: false })
      .returningAll()
      .executeTakeFirstOrThrow();
    const query = await newsletterLinkQuery(database.db, 'confirm', row);
    const site = testSite(database);
    expect((await site.page(`/newsletter/confirm?${query}`)).html).toContain(
      'Confirm your subscription',
    );
    expect(await isActive()).toBe(false);
    const fields = Object.fromEntries(new URLSearchParams(query));
    const done = await site.page(`/newsletter/confirm?${query}`, form(fields));
    expect(done.html).toContain('Subscription confirmed');
    expect(await isActive()).toBe(true);
    const bad = await site.page(`/newsletter/confirm`, form({ email, token: 'x' }));
    expect(bad.status).toBe(400);
    expect(bad.html).toContain('Invalid Link');
  });
});

describe('the one-click address (RFC 8058)', () => {
  const oneClick = { method: 'POST', body: 'List-Unsubscribe=One-Click' };
  let server: HttpSite | null = null;
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  async function send(path: string, headers: Record<string, string> = {}, body = oneClick.body) {
    const site = testSite(database);
    server ??= await startHttpSite(async (request) => ({
      response: await site.request(new URL(request.url).pathname + new URL(request.url).search, {
        method: request.method,
        headers: request.headers,
        body: await request.text(),
      }),
      policy: null,
      error: null,
    }));
    return server.send(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  test('accepts a one-click post without an origin (RFC 8058)', async () => {
    const query = await subscribed();
    const answer = await send(`/unsubscribe/one-click?${query}`);
    expect([answer.status, answer.text]).toEqual([200, 'Unsubscribed.\n']);
    expect(await isActive()).toBe(false);
    expect((await send(`/unsubscribe/one-click?${query}`)).status).toBe(200);
  });

  test('accepts a one-click post from another origin, and as multipart', async () => {
    const query = await subscribed();
    const multipart =
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
    const answer = await send(
      `/unsubscribe/one-click?${query}`,
      {
        'content-type': 'multipart/form-data; boundary=b',
        origin: 'https://mail.example',
        'sec-fetch-site': 'cross-site',
      },
      multipart,
    );
    expect(answer.status).toBe(200);
    expect(await isActive()).toBe(false);
  });

  // Proves R14: cross-site requests
  test('rejects a one-click unsubscribe when its body or token is wrong', async () => {
    const query = await subscribed();
    expect((await send(`/unsubscribe/one-click?${query}`, {}, 'x=y')).status).toBe(400);
    expect((await send(`/unsubscribe/one-click?${query}x`)).status).toBe(400);
    expect(await isActive()).toBe(true);
  });

  // Proves R14: cross-site requests
  test('applies the origin check to every other path', async () => {
    const query = await subscribed();
    for (const path of ['/unsubscribe', '/unsubscribe/one-click.data', '/newsletter'])
      expect((await send(`${path}?${query}`)).status).toBe(403);
    expect(await isActive()).toBe(true);
  });

  test('redirects visitors from the one-click address to the unsubscribe page, and changes nothing', async () => {
    const query = await subscribed();
    const answer = await testSite(database).request(`/unsubscribe/one-click?${query}`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe(`/unsubscribe?${query}`);
    expect(await isActive()).toBe(true);
  });
});
