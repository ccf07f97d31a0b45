import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { OwnChannelKind } from './own-channel-kinds.ts';

/** A person's own channel as its owner sees it, without settings. */
export interface AlertChannel {
  id: number;
  kind: OwnChannelKind;
  place: string;
  state: 'waits for its code' | 'code ended' | 'on' | 'stopped';
}

export function listAlertChannels(db: Db, userId: string): Promise<AlertChannel[]> {
  return ask(db).rows<AlertChannel>`
    select id, kind, place,
           case when stopped_at is not null then 'stopped' when proved_at is not null then 'on'
                when code_until > now() then 'waits for its code' else 'code ended' end as state
      from alert_channels where user_id = ${userId} order by id`;
}

/** Returns whether the user has a channel that gets alerts. */
export async function hasAlertChannel(db: Db, userId: string): Promise<boolean> {
  const found = await ask(db).value<boolean>`
    select exists (select from alert_channels
                    where user_id = ${userId} and proved_at is not null and stopped_at is null)`;
  return found === true;
}
