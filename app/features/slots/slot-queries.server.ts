import { type RawBuilder, sql } from 'kysely';
import type { Clicks } from '#app/features/clicks/click-queries.server.ts';
import { type AppServices, cacheValue } from '#app/platform/app-context.server.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { pickSlots, type StoredSlot } from './pick-slots.ts';
import type { SlotInput } from './slot-input.ts';

/** slots; later ones are never shown, so that no page becomes slow */
export const mostShownSlots = 200;

/** Returns the slots that are live now, from a cache that every change invalidates. */
export async function readLiveSlots(services: AppServices) {
  const now = services.now();
  const read = () => listStoredSlots(services.db, now);
  return pickSlots(await cacheValue(services, 'slots', [], read), now);
}

function listStoredSlots(db: Db, now: Date): Promise<StoredSlot[]> {
  return ask(db).rows<StoredSlot>`
    select s.id, s.kind, s.place, s.title, s.text, s.category_id, s.starts_at, s.ends_at,
           case when s.url is null then 'none' when s.url like '/%' then 'own' else 'outside' end as link,
           case when p.id is not null then jsonb_build_object(
             'address', p.address, 'alt', s.picture_alt, 'width', p.width, 'height', p.height) end as picture
      from slots s left join library_pictures p on p.address = s.picture_url
     where s.is_on and coalesce(s.ends_at > ${now}::timestamptz, true)
     order by s.id limit ${mostShownSlots}`;
}

/** Returns the target of a live slot, or `null`. */
export function findSlotTarget(db: Db, id: number, now: Date): Promise<string | null> {
  return ask(db).value<string>`
    select url from slots
     where id = ${id} and is_on and coalesce(starts_at <= ${now}::timestamptz, true)
       and coalesce(ends_at > ${now}::timestamptz, true)`;
}

export const addSlotViews = (db: Db, counted: Clicks[]) => add(db, 'views', counted);
export const addSlotClicks = (db: Db, counted: Clicks[]) => add(db, 'clicks', counted);

/** Adds counts per slot and day. `dealId` contains the slot's id. Deleted slots are left out. */
async function add(db: Db, what: 'views' | 'clicks', counted: Clicks[]): Promise<void> {
  const column: RawBuilder<unknown> = sql.ref(what);
  await sql`
    insert into slot_days (slot_id, day, ${column})
    select given.id, given.day, given.count
      from unnest(${counted.map(({ dealId }) => dealId)}::bigint[], ${counted.map(({ day }) => day)}::date[],
                  ${counted.map(({ count }) => count)}::bigint[]) given (id, day, count)
      join slots s on s.id = given.id
     order by 1, 2
    on conflict (slot_id, day) do update set ${column} = slot_days.${column} + excluded.${column}`.execute(
    db,
  );
}

/** Returns the fields that name a picture or category that does not exist. */
export async function listMissingFields(
  db: Db,
  { picture_url, category_id }: Pick<SlotInput, 'picture_url' | 'category_id'>,
): Promise<('picture_url' | 'category_id')[]> {
  return ask(db).column<'picture_url' | 'category_id'>`
    select 'picture_url'
     where ${picture_url}::text is not null
       and not exists (select from library_pictures where address = ${picture_url})
    union all
    select 'category_id'
     where ${category_id}::bigint is not null
       and not exists (select from categories where id = ${category_id}::bigint)`;
}
