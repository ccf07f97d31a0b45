import { expect, test } from 'vitest';
import { insertDeal } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import { testSite } from '#test/site.ts';
import { signIn } from '#test/staff.ts';
import {
  sessionMonitorMessages as words,
  timeLeft,
} from '#app/features/accounts/sessions/session-monitor-messages.ts';

const database = useTestDatabase();
const site = testSite(database);
const monitored = () =>
  testSite(database, { env: testServices(database, { SESSION_MONITOR: 'on' }).env });

async function enter() {
  const { user, cookie } = await signIn(database);
  return { user, headers: { cookie } };
}

/**
 * Reads a value of the root loader from the flat list of a data response. Negative positions mean
 * missing values.
 */
async function rootValue(where: ReturnType<typeof testSite>, name: string, init: RequestInit) {
  const answer = await where.request('/how-we-rank.data', init);
  const flat = JSON.parse((await answer.text()).split('\n')[0] ?? '') as unknown[];
  const key = `_${flat.indexOf(name)}`;
  const holder = flat.find((one) => typeof one === 'object' && one !== null && key in one);
  const place = (holder as Record<string, number> | undefined)?.[key] ?? Number.NaN;
  return flat[place] ?? null;
}

// Proves P36: session monitor
test('P36: loads the session monitor only when it is enabled and a user is signed in', async () => {
  const { user, headers } = await enter();
  expect(await rootValue(monitored(), 'monitorOf', { headers })).toBe(user.email);
  expect(await rootValue(site, 'monitorOf', { headers })).toBeNull();
  expect(await rootValue(monitored(), 'monitorOf', {})).toBeNull();
});

// Proves Back office 7: Test read: id and title, 3 (test-data-access-route.ts)
// Proves Back office 9: Test read of 3 rows (test-data-access-route.ts)
test('P36: returns up to three deals from the data test to signed-in users when enabled', async () => {
  const { headers } = await enter();
  for (let n = 0; n < 4; n += 1) await insertDeal(database.db);
  await insertDeal(database.db, { title: 'Not for the public', is_active: false });
  const path = '/api/test-data-access';
  const answer = await monitored().request(path, { headers });
  const { deals } = (await answer.json()) as { deals: Record<string, unknown>[] };
  expect(deals).toHaveLength(3);
  expect(new Set(deals.map((deal) => Object.keys(deal).join()))).toEqual(new Set(['id,title']));
  expect(JSON.stringify(deals)).not.toContain('Not for the public');
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect((await monitored().request(path)).status).toBe(401);
  expect((await site.request(path, { headers })).status).toBe(404);
});

test('P36: reports whether the session can be extended when enabled, and never a token', async () => {
  const { headers } = await enter();
  const read = async (where: ReturnType<typeof testSite>) =>
    (await where.request('/api/session', { headers })).json() as Promise<Record<string, unknown>>;
  expect(Object.keys(await read(site))).toEqual(['expiresAt', 'role']);
  expect(await read(monitored())).toMatchObject({ isRefreshable: true });
  await database.db
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 20 * 86_400_000) })
    .execute();
  await database.db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() + 10 * 86_400_000 + 60_000) })
    .execute();
  const last = await read(monitored());
  expect(last).toMatchObject({ isRefreshable: false });
  expect(Object.keys(last)).toEqual(['expiresAt', 'role', 'isRefreshable']);
});

test('shows the time left in minutes and seconds, and never below zero', () => {
  expect(timeLeft(1_000_000, 0)).toBe('16m 40s');
  expect(timeLeft(59_999, 0)).toBe('0m 59s');
  expect(timeLeft(0, 5_000)).toBe('0m 0s');
});

// Proves Back office 8: Session refresh and data test messages (session-monitor-messages.ts)
test('back office 8: uses the specification’s texts for the monitor’s results', () => {
  expect(words.dataRead(3)).toBe('Data access test successful! Found 3 deals.');
  expect(words.dataFailed(words.over)).toBe('Data access test failed: the session has ended');
  expect(words.refreshFailed(words.refused(503))).toBe(
    'Session refresh failed: the site responded with status 503',
  );
  expect(words.refreshError(words.unreachable)).toBe(
    'Session refresh error: the site could not be reached',
  );
});
