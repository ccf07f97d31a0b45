import type { Insertable } from 'kysely';
import { sealChannelSettings } from '#app/features/channels/channel-settings.server.ts';
import { usualTemplate } from '#app/features/channels/channel-template.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';

/** Inserts a channel with these settings, which are encrypted. Returns its id. */
export async function insertChannel(
  db: Db,
  {
    settings = { url: 'https://hooks.example/' },
    ...overrides
  }: Partial<Omit<Insertable<Database['channels']>, 'settings'>> & {
    settings?: Record<string, string>;
  } = {},
): Promise<number> {
  const id = Number(await ask(db).value`select nextval(pg_get_serial_sequence('channels', 'id'))`);
  const sealed = await sealChannelSettings(db, id, settings);
  await db
    .insertInto('channels')
    .values({
      id,
      name: 'A channel',
      kind: 'webhook',
      events: ['new'],
      template: usualTemplate,
      ...overrides,
      settings: sealed,
    })
    .execute();
  return id;
}
