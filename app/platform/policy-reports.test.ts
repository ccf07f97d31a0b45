import { beforeEach, describe, expect, it } from 'vitest';
import { forgetOldRows } from '#database/forget-old-rows.ts';
import {
  listPolicyReports,
  notePolicyReports,
} from '#app/platform/policy-report-queries.server.ts';
import { useTestDatabase } from '#test/database.ts';

const database = useTestDatabase();
const report = (path: string, blocked = 'inline') => ({
  directive: 'script-src-elem',
  blocked,
  path,
});
const counted = async () =>
  (await listPolicyReports(database.db, 100)).rows
    .map(({ blocked, path, seen }) => `${blocked} ${path} ${seen}`)
    .toSorted();

// Proves R57: security.txt (app/api/policy-reports-route.ts)
describe('R57: reports of the content policy', () => {
  it('R57: counts policy reports by kind, even if one request contains the same report twice', async () => {
    await notePolicyReports(database.db, [report('/a'), report('/a'), report('/b')]);
    await notePolicyReports(database.db, [report('/a'), report('/a', 'eval')]);
    await notePolicyReports(database.db, []);
    expect(await counted()).toEqual(['eval /a 1', 'inline /a 3', 'inline /b 1']);
  });

  it('R57: stores no more kinds of policy reports than the limit, and still counts existing ones', async () => {
    await notePolicyReports(database.db, [report('/a'), report('/b')], 3);
    await notePolicyReports(database.db, [report('/c'), report('/d'), report('/a')], 3);
    expect(await counted()).toEqual(['inline /a 2', 'inline /b 1', 'inline /c 1']);
    await notePolicyReports(database.db, [report('/e'), report('/c')], 3);
    expect(await counted()).toEqual(['inline /a 2', 'inline /b 1', 'inline /c 2']);
  });

  it('R57: stays within the limit if many policy reports arrive at once, and loses no count', async () => {
    const sendings = Array.from({ length: 12 }, (_, n) => [report('/same'), report(`/own-${n}`)]);
    await Promise.all(sendings.map((reports) => notePolicyReports(database.db, reports, 5)));
    const { rows, total } = await listPolicyReports(database.db, 100);
    expect(total).toBe(5);
    expect(rows.find(({ path }) => path === '/same')?.seen).toBe(12);
  });

  describe('old reports', () => {
    beforeEach(async () => {
      await notePolicyReports(database.db, [report('/old'), report('/again'), report('/new')]);
      await database.db
        .updateTable('policy_reports')
        .set({ last_seen_at: new Date(Date.now() - 31 * 86_400_000) })
        .where('path', '<>', '/new')
        .execute();
    });

    it('R57: deletes a kind of policy report thirty days after its last report', async () => {
      await notePolicyReports(database.db, [report('/again')]);
      await forgetOldRows(database.db, 'forget-spent-attempts');
      expect(await counted()).toEqual(['inline /again 2', 'inline /new 1']);
    });

    it('R57: lists old policy reports after newer ones', async () => {
      const { rows, total } = await listPolicyReports(database.db, 1);
      expect(rows.map(({ path }) => path)).toEqual(['/new']);
      expect(total).toBe(3);
    });
  });
});
