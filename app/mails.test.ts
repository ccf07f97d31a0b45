import { expect, test } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { writeSampleMails } from '#test/sample-mails.ts';
import { mails } from './mails.server.ts';

const database = useTestDatabase();

/** Kinds that any visitor can have sent to any address. */
const toAnyAddress = [
  'already-registered',
  'contact-confirmation',
  'newsletter-confirm',
  'price-alert-confirm',
  'reset-password',
  'search-confirm',
  'verify-email',
];

/** Kinds that reach only a verified address, a person whom staff named, or the owner. */
const toProvedAddresses = [
  'confirm-address',
  'contact',
  'contact-answer',
  'contact-assigned',
  'contact-flood',
  'favorites-expiring',
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
];

test('each kind of mail is listed as sent to verified addresses only or to any address', () => {
  const known = [...toAnyAddress, ...toProvedAddresses];
  expect(Object.keys(mails).toSorted()).toEqual(known.toSorted());
});

// Proves R26: nothing that was typed is sent to an address that nobody proved
test('a mail to any address contains no text that was typed with it', async () => {
  const written = await writeSampleMails(database.db, ['Zebra one', 'Zebra two', 'Zebra three']);
  expect(Object.keys(written)).toEqual(expect.arrayContaining(toAnyAddress));
  for (const kind of toAnyAddress) {
    expect(JSON.stringify(written[kind]), kind).not.toMatch(/Zebra|Ada|onerror|ada@/);
  }
  expect(JSON.stringify(written['price-alert'])).toContain('Zebra');
});
