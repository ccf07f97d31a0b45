import { sql } from 'kysely';
import { type AlertOwner, ownerOfAddress } from '#app/features/price-alerts/alert-owner.server.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { liftByConfirming } from '#app/platform/mail/suspension-queries.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { readWatchable } from './read-watchable.server.ts';
import { watchMessages } from './watch-messages.ts';
import type { Cadence } from './watch-cadence.ts';
import { putWatchedSearch } from './watched-search-queries.server.ts';

/** What an address was entered for, until its mail is answered. */
export interface SearchRequest {
  id: number;
  email: string;
  confirmed_at: Date | null;
  address: string;
  name: string;
  cadence: Cadence;
}

export async function findSearchRequest(db: Db, id: number): Promise<SearchRequest | null> {
  return (await readRequests(db, sql`id = ${id}`))[0] ?? null;
}

/** The newest first. */
export function listWaitingSearches(db: Db, email: string): Promise<SearchRequest[]> {
  return readRequests(db, sql`lower(email) = ${email.toLowerCase()} and confirmed_at is null`);
}

function readRequests(db: Db, condition: ReturnType<typeof sql>): Promise<SearchRequest[]> {
  return ask(db).rows<SearchRequest>`
    select id, email, confirmed_at, search_address as address, search_name as name, cadence
      from watch_requests where search_address is not null and ${condition} order by id desc`;
}

export type ConfirmedSearch =
  | { ok: true; owner: AlertOwner }
  | { ok: false; status: 404 | 409 | 422; message: string };

/** Begins to watch what an address was entered for, as `confirmAlert` does: whoever does it read the mail. */
export async function confirmSearch(
  db: Db,
  requestId: number,
  currency: string,
): Promise<ConfirmedSearch> {
  return db.transaction().execute(async (tx) => {
    await sql`select from watch_requests where id = ${requestId} for update`.execute(tx);
    const request = await findSearchRequest(tx, requestId);
    if (!request) return { ok: false, status: 404, message: alertMessages.requestGone };
    const owner = await ownerOfAddress(tx, request.email);
    if (request.confirmed_at) return { ok: true, owner };
    const read = await readWatchable(tx, request.address, currency);
    if (!read.ok) return { ok: false, status: 422, message: read.message };
    const put = await putWatchedSearch(tx, owner, read.watchable, request.cadence);
    if (put === 'too-many') return { ok: false, status: 409, message: watchMessages.tooMany };
    await tx
      .updateTable('watch_requests')
      .set({ confirmed_at: sql<Date>`now()` })
      .where('id', '=', requestId)
      .execute();
    await liftByConfirming(tx, request.email);
    return { ok: true, owner };
  });
}
