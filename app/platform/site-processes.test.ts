import { expect, it } from 'vitest';
import { useTestDatabase } from '#test/database.ts';
import { testServices } from '#test/services.ts';
import {
  examineProcesses,
  listSiteProcesses,
  type SiteProcess,
  reportProcess,
} from './site-processes.server.ts';

const database = useTestDatabase();
const now = new Date('2026-11-24T10:00:00Z');
const one = (role: SiteProcess['role'], more: Partial<SiteProcess> = {}): SiteProcess => ({
  host: 'a',
  port: 3000,
  role,
  version: '1.0.0',
  seen_at: now,
  ...more,
});

it('lists a process once while it runs, and removes it when it has stopped', async () => {
  const as = (role: string) => testServices(database, { ROLE: role, PORT: '3001' });
  const killed = await reportProcess(as('web'), '1.0.0');
  // The process starts in the same place after a kill.
  const again = await reportProcess(as('worker'), '1.1.0');
  expect(await listSiteProcesses(database.db)).toMatchObject([
    { port: 3001, role: 'worker', version: '1.1.0' },
  ]);
  await killed.stop();
  expect(await listSiteProcesses(database.db)).toHaveLength(1);
  await again.stop();
  expect(await listSiteProcesses(database.db)).toEqual([]);
});

it.each([
  [[], 'ok', 'No process has reported yet'],
  [[one('all')], 'ok', '1 for everything of version 1.0.0'],
  [
    [one('web'), one('web', { port: 3001 }), one('worker', { host: 'b' })],
    'ok',
    '2 web of version 1.0.0, 1 worker of version 1.0.0',
  ],
  [[one('web')], 'problem', '1 web of version 1.0.0; none runs the jobs'],
  [
    [one('web'), one('worker', { version: '1.1.0' })],
    'warning',
    '1 web of version 1.0.0, 1 worker of version 1.1.0',
  ],
  [
    [one('web'), one('worker', { host: 'b', seen_at: new Date(now.getTime() - 300_000) })],
    'problem',
    '1 web of version 1.0.0; b:3000 (worker) does not respond, last seen 5 min ago',
  ],
])('reports the processes %j with their state', (processes, state, detail) => {
  const found = examineProcesses(processes, now);
  expect(found).toMatchObject({ state, detail });
  expect(found.fix === undefined).toBe(state === 'ok');
});
