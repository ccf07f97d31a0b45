import { beforeAll, describe, expect, test } from 'vitest';
import { mails } from '#app/mails.server.ts';
import { createTestDatabase } from '#test/database.ts';
import { sampleSite, writeSampleMails } from '#test/sample-mails.ts';
import { findFault, type WrittenMail } from '#app/platform/mail/mail-kind.server.ts';
import { unsubscribeHeaders } from '#app/platform/mail/send-due-mails.server.ts';

const evil = '<img src=x onerror=1> & "q"';
let written: Record<string, WrittenMail> = {};

beforeAll(async () => {
  const database = await createTestDatabase();
  written = await writeSampleMails(database.db, [evil, `${evil} two`, `${evil} three`]);
  await database.close();
});

const accountKinds = Object.keys(mails).filter((kind) => mails[kind]?.isAboutAccount);
const otherKinds = Object.keys(mails).filter((kind) => !mails[kind]?.isAboutAccount);

function mailOf(kind: string): WrittenMail {
  const mail = written[kind];
  if (!mail) throw new Error(`there is no sample of ${kind}: add one to test/sample-mails.ts`);
  return mail;
}

function addressesIn({ html, text }: WrittenMail): string[] {
  const attributes = [...html.matchAll(/\s(?:href|src|action|background)="([^"]*)"/g)];
  const words = [...text.matchAll(/https?:\/\/[^\s>]+/g)];
  return [...attributes.map(([, address]) => address ?? ''), ...words.map(([word]) => word)];
}

describe.each(Object.keys(mails))('the mail %s', (kind) => {
  // Proves Storefront 7: Email (send-due-mails.server.ts)
  test('R53: has a subject of one line, a look and the same words as text', () => {
    const { subject, html, text } = mailOf(kind);
    expect(subject).toMatch(/^[^\n\r]{5,150}$/);
    expect(html).toMatch(/^<!DOCTYPE html.*<html[^>]*lang="en"/s);
    expect(html).toContain('max-width:600px');
    expect(html).toContain('prefers-color-scheme: dark');
    const heading = /<h1[^>]*>([^<]+)<\/h1>/.exec(html)?.[1] ?? 'no heading';
    expect(text).toContain(decode(heading));
    expect(text).not.toMatch(/<\/?(?:p|table|div|span|strong)\b/);
  });

  test('R53: makes no element of what a title holds', () => {
    const { html } = mailOf(kind);
    expect(html).not.toContain('<img');
    expect(html).not.toContain('"q"');
  });

  // Proves R53: mails in text and HTML
  test('R53: links to the own host only', () => {
    const addresses = addressesIn(mailOf(kind));
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(new URL(address).origin).toBe(sampleSite.origin);
  });

  test('has at most one button', () => {
    expect(mailOf(kind).html.match(/class="mail-button"/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });
});

describe.each(otherKinds)('the mail %s', (kind) => {
  test('R25: can be left by its own words, by its header and by one click', () => {
    const mail = mailOf(kind);
    expect(mails[kind] && findFault(mails[kind], mail, sampleSite)).toBeNull();
    expect(unsubscribeHeaders(mail, sampleSite)).toEqual({
      'List-Unsubscribe': expect.stringMatching(/^<https:\/\/deals\.test\/[\w/-]+one-click\?\S+>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    const hasWords = /Unsubscribe|Stop|Switch these reminders off/.test(mail.text);
    // A confirmation nobody asked for ends by doing nothing.
    expect(hasWords || mail.text.includes('ignore this email')).toBe(true);
  });

  test('P28: says where its sender lives', () => {
    expect(mailOf(kind).text).toContain('12 Market Street');
  });
});

test.each(accountKinds)('the mail %s carries no way to unsubscribe from an account', (kind) => {
  expect(mailOf(kind).unsubscribePath).toBeNull();
  expect(unsubscribeHeaders(mailOf(kind), sampleSite)).toEqual({});
});

test('a button for one click is offered over https only, since mailboxes press no other', () => {
  const site = { origin: 'http://deals.test' };
  const headers = unsubscribeHeaders(mailOf('price-alert'), site);
  expect(Object.keys(headers)).toEqual(['List-Unsubscribe']);
});

test.each(['verify-email', 'reset-password', 'already-registered', 'newsletter-confirm'])(
  'R26: %s goes to an address that may be a stranger’s and holds nothing the sender typed',
  (kind) => {
    // The sample's person is named like the title.
    for (const part of Object.values(mailOf(kind))) expect(String(part)).not.toContain('onerror');
  },
);

test('a deal is told by its title, its price, what it cost, and what the log knows', () => {
  const { html, text, subject } = mailOf('price-alert');
  expect(subject).toBe(`Now $79.99: ${evil}`);
  expect(text).toContain(`${evil}\n`);
  expect(text).toContain('$79.99 was $149.99');
  expect(text).toContain(
    'That is the lowest price we have seen in the 60 days that we have watched it. Your target was $90.00.',
  );
  expect(html).toContain('&lt;img src=x onerror=1&gt; &amp; &quot;q&quot;');
  expect(mailOf('price-alert-digest').text).toContain('was $124.99');
  expect(mailOf('newsletter-digest').text).toContain('Price log: Lowest in');
  expect(mailOf('newsletter-digest').text).toContain('Coupon SAVE10');
  expect(mailOf('favorites-expiring').text).toMatch(/Ends \w+ \d+, \d{4} at/);
});

function decode(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
