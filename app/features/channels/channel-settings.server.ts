import { openSealedSecret, sealSecret } from '#app/platform/sealed-secret.server.ts';
import { parseJson } from '#app/platform/parse-json.ts';
import type { Db } from '#database/connect.ts';
import type { ChannelSettings } from './channel-kind.server.ts';

const sealedFor = (id: number) => ({ purpose: 'channel settings', owner: String(id) }) as const;

export function sealChannelSettings(db: Db, id: number, settings: ChannelSettings) {
  return sealSecret(db, sealedFor(id), Buffer.from(JSON.stringify(settings)));
}

export async function openChannelSettings(
  db: Db,
  id: number,
  sealed: Buffer,
): Promise<ChannelSettings> {
  const opened = parseJson((await openSealedSecret(db, sealedFor(id), sealed)).toString());
  return Object.fromEntries(
    Object.entries(opened ?? {}).map(([name, value]) => [name, String(value)]),
  );
}
