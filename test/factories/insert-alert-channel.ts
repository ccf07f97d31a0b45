import { randomUUID } from 'node:crypto';
import type { OwnChannelKind } from '#app/features/alert-channels/own-channel-kinds.ts';
import { sealChannelSettings } from '#app/features/channels/channel-settings.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';

/** Inserts a verified channel for a user with a verified email. Returns its id. */
export async function insertAlertChannel(
  db: Db,
  userId: string,
  kind: OwnChannelKind,
  settings: Record<string, string>,
): Promise<number> {
  const id = Number(
    await ask(db).value`select nextval(pg_get_serial_sequence('alert_channels', 'id'))`,
  );
  await db
    .insertInto('alert_channels')
    .values({
      id,
      user_id: userId,
      kind,
      settings: await sealChannelSettings(db, `alert-${id}`, settings),
      place: 'a channel',
      place_hash: randomUUID(),
      proved_at: new Date(),
    })
    .execute();
  return id;
}
