import { expect, test } from 'vitest';
import { connect } from '#database/connect.ts';
import { addressKey } from './address-key.ts';
import { admitSignIn, forgetWrongPasswords, limit } from './rate-limit.server.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';

const database = useTestDatabase();
useStoppedClock();

async function countAdmitted(attempt: () => Promise<{ ok: boolean }>, times: number) {
  let admitted = 0;
  for (let n = 0; n < times; n++) if ((await attempt()).ok) admitted += 1;
  return admitted;
}

test('R12: allows attempts up to the limit, then returns the seconds until the next', async () => {
  const services = testServices(database);
  expect(await countAdmitted(() => limit(services, 'contact-address', '192.0.2.7'), 9)).toBe(5);
  const refused = await limit(services, 'contact-address', '192.0.2.7');
  expect(refused).toMatchObject({ ok: false });
  expect(!refused.ok && refused.retryAfterSeconds).toBeGreaterThan(3_500);
  expect(await limit(services, 'contact-address', '192.0.2.8')).toEqual({ ok: true });
});

test('R12: counts the addresses of one IPv6 /64 as one visitor, and those of the next /64 as another', async () => {
  const services = testServices(database);
  let host = 0;
  const fromHousehold = () =>
    limit(services, 'contact-address', `2001:db8:1:2::${(++host).toString(16)}`);
  expect(await countAdmitted(fromHousehold, 9)).toBe(5);
  expect(await limit(services, 'contact-address', '2001:db8:1:3::1')).toEqual({ ok: true });
  expect(addressKey('::ffff:192.0.2.7')).toBe(addressKey('192.0.2.7'));
  expect(addressKey('2001:0DB8:0001:0002:0:0:0:9')).toBe(addressKey('2001:db8:1:2::1'));
});

// Proves R12: limits
test('R12: shares the counters between processes, and keeps them when a process ends', async () => {
  const services = testServices(database);
  await countAdmitted(() => limit(services, 'contact-address', '192.0.2.9'), 3);
  const other = connect(database.url);
  try {
    const elsewhere = { ...services, db: other.db };
    expect(await countAdmitted(() => limit(elsewhere, 'contact-address', '192.0.2.9'), 5)).toBe(2);
  } finally {
    await other.close();
  }
});

test('counts each of many simultaneous attempts', async () => {
  const services = testServices(database);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => limit(services, 'contact-address', '192.0.2.10')),
  );
  expect(answers.filter((answer) => answer.ok)).toHaveLength(5);
});

test('counts an email address in any letter case, and does not store it in plain text', async () => {
  const services = testServices(database);
  await limit(services, 'account-mail-recipient', 'Ada@Mail.example');
  await limit(services, 'account-mail-recipient', 'ada@mail.example ');
  const rows = await database.db.selectFrom('rate_limits').selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.points).toBe(2);
  expect(rows[0]?.key).not.toMatch(/ada/i);
});

test('overrides a limit by RATE_LIMITS, and disables it with 0', async () => {
  const changed = testServices(database, { RATE_LIMITS: 'contact-address=2/60, search=0' });
  expect(await countAdmitted(() => limit(changed, 'contact-address', '192.0.2.11'), 5)).toBe(2);
  expect(await countAdmitted(() => limit(changed, 'search', '192.0.2.11'), 5)).toBe(5);
});

test('delays sign-ins ever longer after wrong passwords, and clears the delay after the right one', async () => {
  const services = testServices(database);
  const attempt = () => admitSignIn(services, 'ada@mail.example');
  expect(await countAdmitted(attempt, 5)).toBe(5);
  expect(await attempt()).toEqual({ ok: false, retryAfterSeconds: 1 });
  await forgetWrongPasswords(services, 'ADA@mail.example');
  expect(await countAdmitted(attempt, 5)).toBe(5);
});

test('allows at most twenty simultaneous guesses before the long wait', async () => {
  const services = testServices(database);
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => admitSignIn(services, 'bob@mail.example')),
  );
  const admitted = answers.filter((answer) => answer.ok).length;
  expect(admitted).toBeGreaterThan(0);
  expect(admitted).toBeLessThanOrEqual(20);
  const after = await admitSignIn(services, 'bob@mail.example');
  expect(after.ok).toBe(false);
});
