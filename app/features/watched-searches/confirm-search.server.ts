import { sql } from 'kysely';
import {
  type ConfirmOutcome,
  confirmRequest,
} from '#app/features/price-alerts/confirm-alert.server.ts';
import { refuse } from '#app/features/price-alerts/create-alert.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { readWatchable } from './read-watchable.server.ts';
import { watchMessages } from './watch-messages.ts';
import type { Cadence } from './watch-cadence.ts';
import { putWatchedSearch } from './watched-search-queries.server.ts';

/** A requested search until its email is confirmed. */
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

/** Newest first. */
export function listWaitingSearches(db: Db, email: string): Promise<SearchRequest[]> {
  return readRequests(db, sql`lower(email) = ${email.toLowerCase()} and confirmed_at is null`);
}

function readRequests(db: Db, condition: ReturnType<typeof sql>): Promise<SearchRequest[]> {
  return ask(db).rows<SearchRequest>`
    select id, email, confirmed_at, search_address as address, search_name as name, cadence
      from watch_requests where search_address is not null and ${condition} order by id desc`;
}

/** Starts watching the search that an address asked for. */
export function confirmSearch(
  db: Db,
  requestId: number,
  currency: string,
): Promise<ConfirmOutcome> {
  return confirmRequest(db, requestId, findSearchRequest, async (tx, owner, request) => {
    const read = await readWatchable(tx, request.address, currency);
    if (!read.ok) return refuse(422, read.message);
    const put = await putWatchedSearch(tx, owner, read.watchable, request.cadence);
    return put === 'too-many' ? refuse(409, watchMessages.tooMany) : { ok: true };
  });
}
