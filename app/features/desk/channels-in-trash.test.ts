import { expect, test } from 'vitest';
import { insertChannel } from '#test/factories/insert-channel.ts';
import { insertUser } from '#test/factories/insert.ts';
import { useTestDatabase } from '#test/database.ts';
import { eraseAccount } from '#app/features/accounts/people/erase-account.server.ts';
import { deleteChannel } from '#app/features/channels/change-channel.server.ts';
import { openChannelSettings } from '#app/features/channels/channel-settings.server.ts';
import { createLog } from '#app/platform/log.server.ts';
import { restoreFromTrash } from './restore-from-trash.server.ts';
import { trashKindNames } from './trash-kinds.ts';
import { describeInside, describeRestore } from './trash-messages.ts';
import { listTrash } from './trash-queries.server.ts';

const database = useTestDatabase();

const list = async () => {
  const query = { search: '', page: 1, sort: 'deleted', isDescending: true } as const;
  const all = { ...query, filters: { kind: null } };
  return (await listTrash(database.db, all, trashKindNames)).rows;
};

test('restores a channel with its posts and settings, turned off, after its creator left', async () => {
  const { db } = database;
  const { id: actor } = await insertUser(db, { role: 'admin' });
  const settings = { url: 'https://discord.test/hook' };
  const id = await insertChannel(db, {
    kind: 'discord',
    name: 'Chat',
    settings,
    created_by: actor,
  });
  const post = { channel_id: id, event: 'new' } as const;
  const posted = { posted_at: new Date(), state: 'sent', remote_id: '7' } as const;
  const waiting = { key: 'new 2', deal_id: 2 };
  await db
    .insertInto('channel_posts')
    .values({ ...post, ...posted, key: 'new 1', deal_id: 1 })
    .execute();
  await db
    .insertInto('channel_posts')
    .values({ ...post, ...waiting })
    .execute();
  const channels = () => db.selectFrom('channels').selectAll().executeTakeFirst();
  const posts = () => db.selectFrom('channel_posts').selectAll().orderBy('id').execute();
  const [before, sent] = [await channels(), await posts()];
  expect(await deleteChannel(db, { actor, id })).toBe(true);
  expect(await deleteChannel(db, { actor, id })).toBe(false);
  expect([await channels(), await posts()]).toEqual([undefined, []]);
  const [entry] = await list();
  expect(describeInside(entry?.inside ?? {})).toBe('2 posts');
  await eraseAccount({ db, log: createLog('silent') }, { id: actor });
  const ids = entry ? [entry.id] : [];
  const outcome = await restoreFromTrash(db, ids, { actor: 'u1', kinds: trashKindNames });
  expect(describeRestore(outcome)).toBe('“Chat” is restored. Restored channels are turned off.');
  expect(await channels()).toEqual({ ...before, is_active: false, created_by: null });
  const last_error = 'the channel was turned off';
  expect(await posts()).toEqual([sent[0], { ...sent[1], state: 'cancelled', last_error }]);
  expect(await openChannelSettings(db, id, before?.settings ?? Buffer.alloc(0))).toEqual(settings);
  const audit = db.selectFrom('audit_log').select('after').where('action', '=', 'channel.restore');
  expect(await audit.execute()).toEqual([{ after: { name: 'Chat', kind: 'discord' } }]);
});
