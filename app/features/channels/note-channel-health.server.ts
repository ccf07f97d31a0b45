import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { mailAdministrators } from '#app/features/accounts/people/mail-administrators.server.ts';
import { ask } from '#database/ask.ts';
import type { Db, Tx } from '#database/connect.ts';
import { cancelWaitingPosts } from './change-channel.server.ts';

/** days without a success after which a channel is turned off and staff are notified */
const switchOffAfterDays = 5;
/** failures in a row after which the whole channel pauses */
const pauseAfter = 3;

export async function noteChannelSuccess(db: Db, id: number): Promise<void> {
  await db
    .updateTable('channels')
    .set({ failures: 0, failing_since: null, last_error: null })
    .where('id', '=', id)
    .where('failures', '>', 0)
    .execute();
}

/** Counts a failure. The channel waits for `wait` seconds, and for `pause` after several failures. */
export async function noteChannelFailure(
  db: Db,
  id: number,
  { words, wait, pause }: { words: string; wait: number; pause: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const failing = await ask(tx).row<{ name: string; since: Date; is_late: boolean }>`
      update channels
         set failures = failures + 1, failing_since = coalesce(failing_since, now()), last_error = ${words},
             next_at = greatest(next_at, now() + make_interval(secs =>
               case when failures + 1 >= ${pauseAfter} then greatest(${wait}::float8, ${pause}::float8) else ${wait}::float8 end))
       where id = ${id}
      returning name, failing_since as since,
                is_active and failing_since < now() - make_interval(days => ${switchOffAfterDays}) as is_late`;
    if (failing?.is_late) await switchOff(tx, id, failing);
  });
}

async function switchOff(tx: Tx, id: number, { name, since }: { name: string; since: Date }) {
  await ask(tx)
    .rows`update channels set is_active = false, switched_off_at = now() where id = ${id}`;
  await cancelWaitingPosts(tx, id);
  await writeAudit(tx, {
    actor: 'system',
    action: 'channel.switch-off',
    entity: 'channel',
    entityId: id,
    after: { name, failing_since: since },
  });
  await mailAdministrators(tx, {
    key: `channel-off:${id}:${since.getTime()}`,
    kind: 'channel-switched-off',
    props: { channelId: id, name },
  });
}
