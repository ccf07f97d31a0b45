import path from 'node:path';
import { expect, it } from 'vitest';
import { errorMessage } from '#database/error-code.ts';
import { explainFullDisk } from './explain-full-disk.ts';

const own = { databaseUrl: null, dataDir: './data' };
const lost = new Error('Postgres connection has been discarded');
const full = Object.assign(new Error('could not extend file "base/5/2610"'), { code: '53100' });
const failed = new Error('database/migrations/0001_initial.sql failed', { cause: full });
const noFile = Object.assign(new Error('write'), { code: 'ENOSPC' });
const noInitdb = new Error('FATAL:  could not write to file: No space left on device');

it.each([
  ['a lost connection with little space left', lost, 3_500_000],
  ['an error of the database', failed, 40_000_000],
  ['an error of a file', noFile, 0],
  ['an error of initdb, which has removed its files since', noInitdb, 40_000_000],
  ['an error of the database on a disk that cannot be measured', failed, null],
])('names the folder whose disk is full after %s', async (_case, error, free) => {
  const explained = await explainFullDisk(error, own, async () => free);
  expect(errorMessage(explained)).toContain(`The disk of ${path.resolve('data')} is full`);
  expect(errorMessage(explained)).toContain('or set DATA_DIR to a folder on another disk.');
  expect(explained).toMatchObject({ cause: error });
});

it.each([
  ['there is space', lost, own, 2e9],
  ['the disk cannot be measured', lost, own, null],
  ['the database is on another server', full, { ...own, databaseUrl: 'postgres://db/x' }, 0],
])('returns the original error if %s', async (_case, error, env, free) => {
  expect(await explainFullDisk(error, env, async () => free)).toBe(error);
});
