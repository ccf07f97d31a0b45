import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.server.ts';

test('R11: stores passwords as argon2id with at least 19 MiB, two passes and a unique salt', async () => {
  const [one, two] = await Promise.all([
    hashPassword('plain sailing'),
    hashPassword('plain sailing'),
  ]);
  const [, memory, passes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(one) ?? [];
  expect(Number(memory)).toBeGreaterThanOrEqual(19 * 1024);
  expect(Number(passes)).toBeGreaterThanOrEqual(2);
  expect(one).not.toBe(two);
});

test('verifies a password against its own hash only, whether accents are composed or decomposed', async () => {
  const hash = await hashPassword('caf\u00E9 au lait');
  expect(await verifyPassword(hash, 'cafe\u0301 au lait')).toBe(true);
  expect(await verifyPassword(hash, 'cafe au lait')).toBe(false);
  expect(await verifyPassword('', '')).toBe(false);
  expect(await verifyPassword('$argon2id$v=19$m=99999999,t=2,p=1$c2FsdHNhbHQ$aGFzaA', 'x')).toBe(
    false,
  );
});

// Proves R11: argon2id, in a queue
test('R11: queues many parallel calls and completes all of them', async () => {
  const hash = await hashPassword('right');
  const tries = Array.from({ length: 8 }, (_, n) =>
    verifyPassword(hash, n % 2 ? 'right' : 'wrong'),
  );
  expect(await Promise.all(tries)).toEqual([false, true, false, true, false, true, false, true]);
});
