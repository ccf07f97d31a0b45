import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  moveInSubscribers,
  moveInSubscribersCommand,
} from '#server/commands/move-in-subscribers-command.ts';
import { useTestDatabase } from '#test/database.ts';

const database = useTestDatabase();
let file = '';

beforeAll(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'move-in-command-'));
  file = path.join(folder, 'list.csv');
  await writeFile(
    file,
    'email,status,subscribed_at\na@b.example,enabled,2020-01-01\nc@b.example,enabled,\n',
  );
});
afterAll(() => rm(path.dirname(file), { recursive: true, force: true }));

const addresses = async () => {
  const rows = await database.db
    .selectFrom('newsletter_subscriptions')
    .select(['email', 'consent_source'])
    .orderBy('email')
    .execute();
  return rows.map(({ email, consent_source: source }) => `${email} ${source}`);
};

test('stores nothing in a dry run, and imports the same file only once', async () => {
  expect(await moveInSubscribers(database.db, file, { rehearse: true })).toBe(0);
  expect(await addresses()).toEqual([]);
  expect(await database.db.selectFrom('subscriber_moves').select('id').execute()).toEqual([]);
  for (const stateConsent of [false, true, true])
    expect(await moveInSubscribers(database.db, file, { source: 'Shop', stateConsent })).toBe(0);
  expect(await addresses()).toEqual(['a@b.example Shop', 'c@b.example Shop']);
});

test('assigns the chosen status to rows that have none, and still requires proof of consent', async () => {
  const brevo = path.join(path.dirname(file), 'brevo.csv');
  await writeFile(brevo, 'EMAIL;EMAIL_BLACKLISTED\na@b.example;No\nc@b.example;Yes\n');
  const subscribed = () =>
    database.db
      .selectFrom('newsletter_subscriptions')
      .select('email')
      .where('is_active', '=', true)
      .execute();
  const moveIn = (...typed: string[]) => {
    moveInSubscribersCommand.parseOptions(typed);
    return moveInSubscribers(database.db, brevo, moveInSubscribersCommand.opts());
  };
  await moveIn('--source', 'Shop', '--blank-status', 'subscribed');
  expect(await subscribed()).toEqual([]);
  await moveIn('--state-consent');
  expect(await subscribed()).toEqual([{ email: 'a@b.example' }]);
  await moveIn('--blank-status', 'unsubscribed');
  expect(await subscribed()).toEqual([]);
});

test('returns 1 when the file does not exist', async () => {
  expect(await moveInSubscribers(database.db, `${file}.gone`, {})).toBe(1);
});
