/** Returns a list in which an entry has swapped places with its neighbor, if there is one. */
export function moveEntry<Entry>(
  list: readonly Entry[],
  place: number,
  kind: 'up' | 'down',
): Entry[] {
  const to = kind === 'up' ? place - 1 : place + 1;
  const entry = list[place];
  const neighbor = list[to];
  if (entry === undefined || neighbor === undefined) return [...list];
  return list.with(place, neighbor).with(to, entry);
}
