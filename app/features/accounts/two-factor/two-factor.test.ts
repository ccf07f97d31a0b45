import { expect, test } from 'vitest';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { useStoppedClock } from '#test/stopped-clock.ts';
import { testServices } from '#test/services.ts';
import { totpCode } from './totp.server.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  countBackupCodes,
  endTwoFactor,
  isRightSecondFactor,
} from './two-factor.server.ts';

const database = useTestDatabase();
useStoppedClock();

/** Returns the current code, shifted by this many steps of 30 s. */
const codeOf = (key: Buffer, steps: number) =>
  totpCode(key, Math.floor(Date.now() / 30_000) + steps);

// Proves R50: second factor
test('R50: turns two-factor on once the app has shown a right code, and accepts each code once', async () => {
  const services = testServices(database);
  const { id } = await insertUser(database.db);
  const key = await beginTwoFactor(services, id);
  expect(await beginTwoFactor(services, id)).toEqual(key);
  const rows = await database.db.selectFrom('two_factors').selectAll().execute();
  expect(rows[0]?.sealed_key.includes(key)).toBe(false);
  expect(await confirmTwoFactor(services, id, '000000')).toBeNull();

  const backup = await confirmTwoFactor(services, id, codeOf(key, -1));
  expect(backup).toHaveLength(10);
  const next = codeOf(key, 0);
  expect(await isRightSecondFactor(services, id, next)).toBe(true);
  expect(await isRightSecondFactor(services, id, next)).toBe(false);
  const [first = ''] = backup ?? [];
  expect(await isRightSecondFactor(services, id, first.toUpperCase())).toBe(true);
  expect(await isRightSecondFactor(services, id, first)).toBe(false);
  expect(await countBackupCodes(services, id)).toBe(9);

  await endTwoFactor(services, id);
  expect(await isRightSecondFactor(services, id, codeOf(key, 1))).toBe(false);
  expect(await isRightSecondFactor(services, id, backup?.[1] ?? '')).toBe(false);
});
