import type { SlotKind, SlotPlace } from '#database/schema/site-tables.ts';

/** A slot as pages show it. */
export interface ShownSlot {
  id: number;
  kind: SlotKind;
  place: SlotPlace;
  title: string;
  text: string;
  link: 'none' | 'own' | 'outside';
  picture: { address: string; alt: string; width: number; height: number } | null;
  /** `null` means every category. */
  category_id: number | null;
}

/** A slot that is live or scheduled, with its times. */
export interface StoredSlot extends ShownSlot {
  starts_at: Date | null;
  ends_at: Date | null;
}

/** The live slots, and the number of the current turn. */
export interface LiveSlots {
  live: readonly ShownSlot[];
  turn: number;
}

/** ms for which a place shows one of its slots before the next one */
export const turnMs = 10 * 60_000;

/**
 * Returns the slots that are live now, and the time at which pages that show them become outdated.
 */
export function pickSlots(
  stored: readonly StoredSlot[],
  now: Date,
): LiveSlots & { until: Date | null } {
  const live = stored.filter(
    ({ starts_at, ends_at }) => (!starts_at || starts_at <= now) && (!ends_at || ends_at > now),
  );
  const turn = Math.floor(now.getTime() / turnMs);
  const changes = stored
    .flatMap(({ starts_at, ends_at }) => [starts_at, ends_at])
    .flatMap((at) => (at && at > now ? [at.getTime()] : []));
  const takesTurns = new Set(live.map(({ place }) => place)).size < live.length;
  if (takesTurns) changes.push((turn + 1) * turnMs);
  return {
    live,
    turn,
    until: changes.length > 0 ? new Date(Math.min(...changes)) : null,
  };
}

/**
 * Returns the slot of a place. Several slots take equal turns in the order of their creation. On a
 * category's pages, its own slots take turns with the slots for all categories.
 */
export function slotAt(
  { live, turn }: LiveSlots,
  place: SlotPlace,
  categoryId: number | null,
): ShownSlot | null {
  const here = live.filter(
    (slot) =>
      slot.place === place && (slot.category_id === null || slot.category_id === categoryId),
  );
  return here[turn % here.length] ?? null;
}
