import { createElement } from 'react';
import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { plainMailSite } from '#test/fixtures/plain-mail-kinds.ts';
import { findFault, mailKind, type MailTemplate, type WrittenMail } from './mail-kind.server.ts';
import { mailToken, readStopToken, type StopWish, stopMailPaths } from './stop-token.server.ts';

const database = useTestDatabase();
const origin = 'https://deals.test';
const site = plainMailSite(origin);

interface Props {
  title: string;
}

const template: MailTemplate<Props> = {
  subject: ({ title }) => `On sale: ${title}`,
  default: ({ title }) =>
    createElement('div', null, createElement('h1', null, title), 'Have a look.'),
};

const written = async (props: object, prepare?: () => Promise<{ props: Props } | null>) => {
  const load = async () => template;
  const kind = mailKind({ isAboutAccount: true, load, ...(prepare && { prepare }) });
  return kind.write(database.db, { payload: props } as never, site, 'send');
};

describe('a rendered email', () => {
  test('renders a one-line subject, whatever the title, and ends it on a whole character', async () => {
    const subjectOf = async (title: string) => (await written({ title }))?.subject ?? '';
    expect(await subjectOf(' Lamp\r\nBcc: eve@evil.example\t\u0000 now ')).toBe(
      'On sale: Lamp Bcc: eve@evil.example now',
    );
    const long = await subjectOf(`x${'🔥'.repeat(200)}`);
    expect(long.length).toBeLessThanOrEqual(150);
    expect(long.isWellFormed()).toBe(true);
    expect(long).toMatch(/🔥…$/u);
    const whole = 'x'.repeat(150 - 'On sale: '.length);
    expect(await subjectOf(whole)).toBe(`On sale: ${whole}`);
  });

  test("renders the same content as text and HTML, without changing a title's letters", async () => {
    const mail = await written({ title: 'Lamp & <Desk>' });
    expect(mail?.html).toContain('Lamp &amp; &lt;Desk&gt;');
    expect(mail?.text).toContain('Lamp & <Desk>');
    expect(mail?.text).toContain('Have a look.');
    expect(mail?.unsubscribePath).toBeNull();
  });

  test('uses the current facts of an email, and cancels it if its reason is gone', async () => {
    const now = await written({ title: 'as queued' }, async () => ({
      props: { title: 'as it is' },
    }));
    expect(now?.subject).toBe('On sale: as it is');
    expect(await written({ title: 'as queued' }, async () => null)).toBeNull();
  });
});

describe('R53: an email that must not be sent', () => {
  const mailOf = (html: string, unsubscribePath: string | null = '/u'): WrittenMail => ({
    subject: 's',
    text: 't',
    html,
    unsubscribePath,
  });
  const news = { isAboutAccount: false, write: async () => null };

  test.each([
    'https://evil.example/',
    `${origin}.evil.example/`,
    `${origin}@evil.example/`,
    '//evil.example/',
    '/deals/lamp',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://deals.test/',
    '',
  ])('R53: holds back an email with a link to %j', (address) => {
    expect(findFault(news, mailOf(`<a class="x" href="${address}">x</a>`), site)).toContain(
      'it links to',
    );
    expect(findFault(news, mailOf(`<p>x</p><img src="${address}" alt=""/>`), site)).toContain(
      'it links to',
    );
  });

  test('R53: sends an email whose links all point to the site or are mailto links', () => {
    const html = `<a href="${origin}">a</a><a href="${origin}/deals">b</a><a href="mailto:help@deals.test">c</a>`;
    expect(findFault(news, mailOf(html), site)).toBeNull();
  });

  test('R53: holds back an email without a way to unsubscribe, unless it is about the account', () => {
    expect(findFault(news, mailOf('x', null), site)).toBe('it has no way to unsubscribe');
    expect(findFault({ ...news, isAboutAccount: true }, mailOf('x', null), site)).toBeNull();
  });
});

describe('R25: a link that stops emails', () => {
  const wishes: StopWish[] = [
    { what: 'alert', id: '7' },
    { what: 'alerts', id: 'user_Ab-1' },
    { what: 'watcher', id: '7' },
    { what: 'request', id: '7' },
    { what: 'search', id: '7' },
    { what: 'reminders', id: 'user_Ab-1' },
    { what: 'follows', id: 'user_Ab-1' },
  ];
  const tokenOf = async (wish: StopWish) => {
    const { stopPath } = await stopMailPaths(database.db, wish);
    return new URL(stopPath, origin).searchParams.get('token') ?? '';
  };

  test.each(wishes)('R25: describes exactly what an unsubscribe link stops: %j', async (wish) => {
    const { stopPath, unsubscribePath } = await stopMailPaths(database.db, wish);
    expect(stopPath).toMatch(/^\/stop-mails\?token=v1\./);
    expect(unsubscribePath).toBe(stopPath.replace('/stop-mails', '/stop-mails/one-click'));
    expect(await readStopToken(database.db, await tokenOf(wish))).toEqual(wish);
  });

  test('R25: accepts an unsubscribe link for one purpose only, so neither number nor kind can be changed', async () => {
    const tokens = await Promise.all(wishes.map(tokenOf));
    expect(new Set(tokens.map((token) => token.split('.').at(-1))).size).toBe(wishes.length);
    const [alert = ''] = tokens;
    for (const forged of [
      alert.replace('.7.', '.8.'),
      alert.replace('.alert.', '.alerts.'),
      alert.replace('.alert.', '.watcher.'),
      // A page's token is invalid for stopping emails, and vice versa.
      await mailToken(database.db, 'manage', '7'),
      alert.replace('.alert.', '.everything.'),
      alert.replace('v1.', 'v2.'),
      alert.slice(0, -1),
      `${alert}x`,
      alert.replace(/\.[\w-]+$/, '.'),
      alert.replace(/\.[\w-]+$/, `.${'A'.repeat(43)}`),
    ]) {
      expect([forged, await readStopToken(database.db, forged)]).toEqual([forged, null]);
    }
  });

  test('R25: rejects a guessed or malformed unsubscribe link without an error', async () => {
    const id = fc.string({ maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.tuple(id, id).map((parts) => `v1.alert.${parts.join('.')}`),
        ),
        async (text) => {
          expect(await readStopToken(database.db, text)).toBeNull();
        },
      ),
    );
  });
});
