import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { writeSampleMails } from '#test/sample-mails.ts';
import { mails } from './mails.server.ts';

const database = useTestDatabase();

/** Kinds of email that any visitor can request to any address. */
const toAnyAddress = [
  'already-registered',
  'contact-confirmation',
  'newsletter-confirm',
  'price-alert-confirm',
  'reset-password',
  'search-confirm',
  'verify-email',
];

/** Kinds of email that reach only a verified address, a person whom staff named, or the owner. */
const toVerifiedEmails = [
  'alert-channel-ended',
  'channel-switched-off',
  'confirm-address',
  'contact',
  'contact-answer',
  'contact-assigned',
  'contact-flood',
  'favorites-expiring',
  'follows-weekly',
  'newsletter',
  'newsletter-digest',
  'newsletter-test',
  'newsletter-welcome',
  'passkey-added',
  'password-changed',
  'price-alert',
  'price-alert-digest',
  'price-alert-test',
  'price-alerts-paused',
  'provider-connected',
  'provider-disconnected',
  'search-news',
  'staff-invitation',
  'test',
  'webhook-switched-off',
  'witness-conflict',
];

test('declares for each kind of email whether it is sent to verified addresses only', () => {
  const known = [...toAnyAddress, ...toVerifiedEmails];
  expect(Object.keys(mails).toSorted()).toEqual(known.toSorted());
});

// Proves R26: nothing that was typed is sent to an address that nobody proved
test('does not include typed text in an email to an unverified address', async () => {
  const written = await writeSampleMails(database.db, ['Zebra one', 'Zebra two', 'Zebra three']);
  expect(Object.keys(written)).toEqual(expect.arrayContaining(toAnyAddress));
  for (const kind of toAnyAddress) {
    expect(JSON.stringify(written[kind]), kind).not.toMatch(/Zebra|Ada|onerror|ada@/);
  }
  expect(JSON.stringify(written['price-alert'])).toContain('Zebra');
});

test('shows the default mark at the head of every kind of email, or the owner’s logo in its place', async () => {
  const written = await writeSampleMails(database.db, ['Lamp', 'Chair', 'Table']);
  expect(Object.keys(written).length).toBeGreaterThan(25);
  for (const [kind, { html }] of Object.entries(written)) {
    const [head = ''] = html.split('<h1');
    expect(head, kind).toContain('src="https://deals.test/mail-mark.png"');
    expect(html.match(/<h1/g), kind).toHaveLength(1);
    expect(html, kind).toContain('<meta name="color-scheme" content="light dark"/>');
  }
});

test('stacks pictures above texts on phones in every email that lists deals', async () => {
  const written = await writeSampleMails(database.db, ['Lamp', 'Chair', 'Table']);
  for (const kind of [
    'newsletter',
    'newsletter-digest',
    'search-news',
    'follows-weekly',
    'price-alert-digest',
  ]) {
    const html = written[kind]?.html ?? '';
    expect(html, kind).toMatch(
      /@media \(max-width: 480px\) \{[^@]*\.mail-stack td \{ display: block !important/,
    );
    expect(html.match(/class="mail-line mail-stack"/g)?.length, kind).toBeGreaterThan(1);
  }
});
