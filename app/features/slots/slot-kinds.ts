import type { SlotKind, SlotPlace } from '#database/schema/site-tables.ts';

export const slotKinds: Record<SlotKind, string> = {
  ad: 'Ad, marked “Sponsored”',
  announcement: 'Announcement',
};

/** The places of slots, from the top of a page down. */
export const slotPlaces: Record<SlotPlace, string> = {
  bar: 'Bar above the header of every page',
  home: 'Home page, above the featured deals',
  list: 'Deal lists, between rows of cards',
  deal: 'Deal pages, beside the details',
  article: 'Blog posts, below the text',
};

export const slotKindNames = Object.keys(slotKinds).filter(isSlotKind);
export const slotPlaceNames = Object.keys(slotPlaces).filter(isSlotPlace);

function isSlotKind(name: string): name is SlotKind {
  return Object.hasOwn(slotKinds, name);
}

function isSlotPlace(name: string): name is SlotPlace {
  return Object.hasOwn(slotPlaces, name);
}

/** Returns whether slots of a place can be limited to a category. */
export const hasCategory = (place: SlotPlace) => place === 'list' || place === 'deal';
