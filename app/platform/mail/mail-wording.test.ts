import { describe, expect, test } from 'vitest';
import type { Db } from '#database/connect.ts';
import type { FiredAlert } from '#app/features/price-alerts/fired-alert-queries.server.ts';
import {
  findFault,
  mailKind,
  type MailSite,
  type MailTemplate,
  type OutboxMail,
} from './mail-kind.server.ts';

const site: MailSite = {
  name: 'Deal & Hub',
  origin: 'https://deals.example',
  contactEmail: 'help@deals.example',
  replyHours: 24,
  postalAddress: '1 Long Road\n Springfield\n12345 USA',
  currency: 'USD',
  timeZone: 'UTC',
};

/** A title that a feed may contain, with markup, quotes and a third-party URL. */
const nasty = '<b>Lamp</b> & "more" https://evil.example';

const alert: FiredAlert = {
  alertId: 3,
  watcherId: null,
  eventId: 4,
  kind: 'target',
  title: nasty,
  dealId: 7,
  slug: 'desk-lamp',
  merchantName: nasty,
  oldPrice: 3999,
  newPrice: 1999,
  targetPrice: 2000,
  targetPercent: null,
  repeats: false,
  goesTo: 'both',
  mailKey: null,
  isEnded: false,
  isStillMet: true,
};

const digestDeal = {
  slug: 'desk-lamp',
  title: nasty,
  store: nasty,
  price: '$19.99',
  claim: '50% off, was $39.99',
  evidence: 'Was: the store’s claim',
  proof: 'Lowest in 30 days',
  couponCode: 'LAMP10',
};

const expiring = {
  title: nasty,
  slug: 'desk-lamp',
  price: 1999,
  expiresAt: new Date('2026-11-22T09:00:00Z'),
  merchantName: nasty,
};

interface Sample {
  load(): Promise<MailTemplate<never>>;
  props: object;
}

const accountEmails = () => import('#app/features/accounts/people/account-emails.tsx');

const samples: Record<string, Sample> = {
  'verify-email': {
    load: async () => (await accountEmails()).verifyAddress,
    props: { path: '/verify-email?token=abc&x=1' },
  },
  'confirm-address': {
    load: async () => (await accountEmails()).confirmAddress,
    props: { path: '/confirm-address?token=abc' },
  },
  'reset-password': {
    load: async () => (await accountEmails()).resetPassword,
    props: { path: '/reset-password?token=abc' },
  },
  'newsletter-welcome': {
    load: () => import('#app/features/newsletter/welcome-email.tsx'),
    props: { unsubscribePath: '/unsubscribe?token=abc', hasDigest: true },
  },
  'newsletter-digest': {
    load: () => import('#app/features/newsletter/digest-email.tsx'),
    props: {
      writtenAt: 'Nov 21, 2026, 9:00 AM UTC',
      deals: [digestDeal],
      unsubscribePath: '/unsubscribe?token=abc',
    },
  },
  'favorites-expiring': {
    load: () => import('#app/features/favorites/favorites-expiring-email.tsx'),
    props: { deals: [expiring], stopPath: '/mails/stop?token=abc' },
  },
  'price-alert': {
    load: () => import('#app/features/price-alerts/price-alert-email.tsx'),
    props: {
      ...alert,
      rules: [{ kind: 'target', target_price: 2000, target_percent: null }],
      lowest90: 1999,
      watchedSince: new Date(0),
      usual: null,
      stopPath: '/mails/stop?token=abc',
      isTest: false,
      now: new Date(),
    },
  },
  'price-alert-digest': {
    load: () => import('#app/features/price-alerts/price-alert-digest-email.tsx'),
    props: { alerts: [alert], stopPath: '/mails/stop?token=abc' },
  },
  test: { load: () => import('./test-email.tsx'), props: { askedAt: 'noon' } },
};

/** Renders a template from these facts like the worker, but without its lookup. */
async function write(name: string, props: object = {}, around: Partial<MailSite> = {}) {
  const sample = samples[name];
  if (!sample) throw new Error(`There is no sample of ${name}.`);
  const kind = mailKind({ isAboutAccount: true, load: sample.load });
  const mail = { payload: { ...sample.props, ...props } } as OutboxMail;
  const written = await kind.write({} as Db, mail, { ...site, ...around }, 'send');
  if (!written) throw new Error('Nothing was written.');
  return written;
}

test('shows the site’s name in place of a missing postal address', async () => {
  const { text } = await write('test', {}, { postalAddress: '' });
  expect(text.trim().endsWith('Deal & Hub')).toBe(true);
});

describe('the subject', () => {
  test('writes a subject as one line if the title has line breaks, so that no header can be injected', async () => {
    const { subject } = await write('price-alert', { title: 'Lamp\r\nBcc: all@evil.example\t!' });
    expect(subject).toBe('Now $19.99: Lamp Bcc: all@evil.example !');
  });

  test('truncates a long subject without splitting a character', async () => {
    for (const title of ['x'.repeat(400), `${'x'.repeat(136)}💡💡💡`, `${'x'.repeat(137)}💡💡💡`]) {
      const { subject } = await write('price-alert', { title });
      expect(subject.length).toBeLessThanOrEqual(150);
      expect(subject.endsWith('…')).toBe(true);
      expect(subject.isWellFormed()).toBe(true);
    }
  });
});

describe('a price alert', () => {
  test('shows the price, the former price, the target and the low of 90 days in a price alert', async () => {
    const { text } = await write('price-alert', { title: 'Lamp', merchantName: 'Lamp House' });
    expect(text).toMatch(/\$19\.99 was \$39\.99\s+at Lamp House/);
    expect(text).toContain('Your target was $20.00.');
    expect(text).toContain('That is the lowest price we have seen in 90 days.');
    expect(text).toContain('https://deals.example/deals/desk-lamp');
  });

  // Proves P7: a mail claims no more days than we watched (price-proof.ts)
  test('P7: never claims more days in a price alert than the deal was watched', async () => {
    const watchedSince = new Date(Date.now() - 88.5 * 86_400_000);
    const { text } = await write('price-alert', { watchedSince });
    expect(text).toContain(
      'That is the lowest price we have seen in the 88 days that we have watched it.',
    );
  });

  test('shows the usual price in a price alert if it is known', async () => {
    const usual = { price: 3499, days: 87, higher: 83, same: 4, lower: 0, isSteady: false };
    expect((await write('price-alert', { usual })).text).toContain(
      'It usually costs $34.99; this price is lower than on 83 of the 87 days that we saw it on offer.',
    );
    expect((await write('price-alert')).text).not.toContain('usually');
  });

  test('states the evidence only once in a price alert', async () => {
    const usual = { price: 3499, days: 87, higher: 83, same: 4, lower: 0, isSteady: false };
    const { text } = await write('price-alert', { usual });
    expect(text).not.toContain('lowest price we have seen');
    expect(text.match(/Your target/g)).toHaveLength(1);
  });

  test('shows the picture and price chart with size and alt text in the HTML of a price alert only', async () => {
    const line = '/mail-pictures/price-line-7-9-2000.png';
    const pictures = { picture: '/mail-pictures/deal-7.jpg', line };
    const { html, text } = await write('price-alert', pictures);
    const tags = html.match(/<img [^>]*>/g) ?? [];
    expect(tags).toHaveLength(3);
    for (const tag of tags)
      expect(tag).toMatch(/ alt=".* width="\d+"|width="\d+" height="\d+" alt="/);
    expect(tags[1]).toContain('src="https://deals.example/mail-pictures/deal-7.jpg"');
    expect(tags[2]).toContain(`src="https://deals.example${line}" width="520" height="120"`);
    expect(html).toContain('The dashed line is your target.');
    expect(text).toContain('Your target was $20.00.');
    expect(text).not.toMatch(/dashed|mail-pictures|Price history/);
    const { html: without } = await write('price-alert');
    expect(without).not.toMatch(/mail-pictures|dashed/);
  });

  test('does not praise a price in a price alert if it was lower before', async () => {
    const { text } = await write('price-alert', { lowest90: 1500 });
    expect(text).toContain('The lowest price we have seen in 90 days is $15.00.');
    expect((await write('price-alert', { lowest90: null })).text).toContain(
      'We have no price history of this deal yet.',
    );
  });

  test('mentions a price drop in a price alert only if there was one', async () => {
    expect((await write('price-alert', { oldPrice: null })).text).not.toContain('39.99');
    expect((await write('price-alert', { oldPrice: 1999 })).text).not.toContain(' was $19');
  });

  test('announces in a price alert that a deal is back in stock', async () => {
    const rules = [{ kind: 'back_in_stock', target_price: null, target_percent: null }];
    const back = { rules, title: 'Lamp' };
    const { subject, text } = await write('price-alert', back);
    expect(subject).toBe('Back in stock at $19.99: Lamp');
    expect(text).not.toContain('Your target');
  });

  test('labels the test email of an alert as a test, and leaves the alert active', async () => {
    const { subject, text } = await write('price-alert', { isTest: true, title: 'Lamp' });
    expect(subject).toBe('Test: Now $19.99: Lamp');
    expect(text).toContain('The alert stays active.');
    expect(text).not.toContain('The alert has now ended');
  });

  test('combines many alerts of one day in one email that states their number', async () => {
    const { subject, text } = await write('price-alert-digest', {
      alerts: [
        { ...alert, title: 'Lamp' },
        { ...alert, eventId: 5, dealId: 8, title: 'Desk', slug: 'desk', oldPrice: null },
      ],
    });
    expect(subject).toBe('2 more price alerts at Deal & Hub');
    expect(text).toContain('https://deals.example/deals/desk-lamp');
    expect(text).toContain('https://deals.example/deals/desk');
    expect((await write('price-alert-digest')).subject).toBe('1 more price alert at Deal & Hub');
  });
});

describe('the other emails', () => {
  test("lists each expiring favorite with its expiry in the site's time zone", async () => {
    const two = { deals: [expiring, { ...expiring, slug: 'other', title: 'Other' }] };
    const { subject, text } = await write('favorites-expiring', two, { timeZone: 'Europe/Berlin' });
    expect(subject).toBe('2 of your favorites end soon');
    expect(text).toMatch(/November 22, 2026 at 10:00\sAM GMT\+1/);
    expect(
      (await write('favorites-expiring', { deals: [{ ...expiring, title: 'Lamp' }] })).subject,
    ).toBe('Ends soon: Lamp');
  });

  test('starts the digest with its best deal, and shows the evidence for each deal', async () => {
    const { subject, text } = await write('newsletter-digest', {
      deals: [
        { ...digestDeal, title: 'Lamp' },
        {
          ...digestDeal,
          slug: 'b',
          title: 'Desk',
          claim: null,
          evidence: null,
          couponCode: null,
          store: 'Desk Shop',
        },
      ],
    });
    expect(subject).toBe('$19.99: Lamp');
    expect(text).toContain('Price log: Lowest in 30 days');
    expect(text).toContain('Coupon LAMP10');
    expect(text.match(/Coupon/g)).toHaveLength(1);
    expect(text.match(/50% off/g)).toHaveLength(1);
    expect(text).toContain('at Desk Shop');
    expect(text).toContain('Prices as of Nov 21, 2026, 9:00 AM UTC.');
  });

  test('promises a weekly email in the welcome email only if there is one', async () => {
    expect((await write('newsletter-welcome')).text).toContain('Once a week');
    const without = await write('newsletter-welcome', { hasDigest: false });
    expect(without.text).not.toContain('Once a week');
  });

  test('shows how long single-use links are valid', async () => {
    expect((await write('verify-email')).text).toContain('used once and expires in 24 hours.');
    expect((await write('reset-password')).text).toContain('used once and expires in 30 minutes.');
  });
});

describe('an email that must not be sent', () => {
  const written = { subject: 's', text: 't', unsubscribePath: null };
  const kind = (isAboutAccount: boolean) => mailKind({ isAboutAccount, load: samples.test!.load });
  const fault = (html: string, isAboutAccount = true) =>
    findFault(kind(isAboutAccount), { ...written, html }, site);

  test('holds back an email that is not about the account and has no way to unsubscribe', () => {
    expect(fault('', false)).toBe('it has no way to unsubscribe');
    const out = { ...written, html: '', unsubscribePath: '/unsubscribe/one-click' };
    expect(findFault(kind(false), out, site)).toBeNull();
  });

  test.each([
    'https://evil.example/',
    'https://deals.example.evil.example/',
    'http://deals.example/',
    '//evil.example/',
    'javascript:alert(1)',
    '/deals',
    '',
  ])('holds back an email that links to %j', (address) => {
    expect(fault(`<a class="x" href="${address}">`)).toBe(`it links to ${address}`);
    expect(fault(`<img src="${address}">`)).toBe(`it links to ${address}`);
  });

  test('sends an email that links to the site or contains a mailto link', () => {
    expect(fault('<a href="https://deals.example">')).toBeNull();
    expect(fault('<a href="https://deals.example/deals?x=1">')).toBeNull();
    expect(fault('<a href="mailto:help@deals.example">')).toBeNull();
  });
});
