import * as fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { nightlyBackups, nightlyName, outdatedBackups } from './kept-backups.ts';

const night = (ago: number) => new Date(Date.UTC(2026, 10, 24, 2, 45) - ago * 86_400_000);
const now = night(0);
const nights = (count: number) =>
  Array.from({ length: count }, (_, ago) => nightlyName(night(ago)));

it('keeps backups from seven days and four weeks', () => {
  const all = nights(60);
  const outdated = outdatedBackups(all, now);
  const kept = all.filter((name) => !outdated.includes(name)).map((name) => name.slice(8, 18));
  // The Sundays of four weeks, two of which are among the seven days.
  const weeks = ['2026-11-15', '2026-11-08'];
  expect(kept).toEqual([
    '2026-11-24',
    '2026-11-23',
    '2026-11-22',
    '2026-11-21',
    '2026-11-20',
    '2026-11-19',
    '2026-11-18',
    ...weeks,
  ]);
});

it('counts only days and weeks with a backup, so that a stopped site loses none', () => {
  expect(outdatedBackups([nightlyName(night(400)), nightlyName(night(300))], now)).toEqual([]);
});

it('keeps the newest of a day’s backups', () => {
  const morning = nightlyName(new Date('2026-11-24T09:00:00Z'));
  expect(
    outdatedBackups([nightlyName(night(0)), morning], new Date('2026-11-24T10:00:00Z')),
  ).toEqual([nightlyName(night(0))]);
});

it('does not delete files that the site did not write', () => {
  const others = [
    'deal-hub-2020-01-01T00-00-00-000Z.backup',
    'nightly-2020-01-01T00-00.backup.part',
    'mine.backup',
  ];
  expect(outdatedBackups([...others, ...nights(60)], now)).not.toEqual(
    expect.arrayContaining([others[0]]),
  );
  expect(nightlyBackups(others, now)).toEqual([]);
});

it('never deletes the newest backup, nor any backup twice', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 900 }), { minLength: 1, maxLength: 80 }), (ages) => {
      const names = ages.map((ago) => nightlyName(night(ago)));
      const outdated = outdatedBackups(names, now);
      const kept = names.filter((name) => !outdated.includes(name));
      expect(kept).toContain(names.toSorted().at(-1));
      expect(kept.length).toBeLessThanOrEqual(11);
      expect(outdatedBackups(kept, now)).toEqual([]);
    }),
  );
});

it('neither counts nor removes a backup with a name from the future', () => {
  const forged = ['nightly-2099-01-01T00-00.backup', ...nights(60)];
  expect(nightlyBackups(forged, now)[0]?.name).toBe(nightlyName(now));
  expect(outdatedBackups(forged, now)).toEqual(outdatedBackups(nights(60), now));
});
