import { openSealedSecret, sealSecret } from '#app/platform/sealed-secret.server.ts';
import { parseJson } from '#app/platform/parse-json.ts';
import type { Db } from '#database/connect.ts';
import type { ChannelSettings } from './channel-kind.server.ts';

/** The id of a channel of the site, or `alert-ID` for one of a person's own. */
type ChannelId = number | `alert-${number}`;

const sealedFor = (id: ChannelId) => ({ purpose: 'channel settings', owner: String(id) }) as const;

export function sealChannelSettings(db: Db, id: ChannelId, settings: ChannelSettings) {
  return sealSecret(db, sealedFor(id), Buffer.from(JSON.stringify(settings)));
}

export async function openChannelSettings(
  db: Db,
  id: ChannelId,
  sealed: Buffer,
): Promise<ChannelSettings> {
  const opened = parseJson((await openSealedSecret(db, sealedFor(id), sealed)).toString());
  return Object.fromEntries(
    Object.entries(opened ?? {}).map(([name, value]) => [name, String(value)]),
  );
}
