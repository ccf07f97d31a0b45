import { parseRowId } from '#app/platform/parse-row-id.ts';

/** Periods of click charts, as a number of days that ends with today (UTC). */
export const clickRanges = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 364, label: '52 weeks' },
] as const;
const usualDays = 30;

/** The scope of requested clicks: the whole site, or one store, category or feed. */
export interface ClickPlaceAsked {
  kind: 'site' | 'category' | 'merchant' | 'feed';
  id: number;
}

export interface ClicksAsked {
  days: number;
  place: ClickPlaceAsked;
}

/** Parses the request of a clicks page. Invalid parameters are ignored. */
export function parseClicksAsked(params: URLSearchParams): ClicksAsked {
  const range = clickRanges.find(({ days }) => String(days) === params.get('days'));
  return { days: range?.days ?? usualDays, place: placeOf(params) };
}

function placeOf(params: URLSearchParams): ClickPlaceAsked {
  for (const kind of ['merchant', 'category', 'feed'] as const) {
    const id = parseRowId(params.get(kind));
    if (id !== null) return { kind, id };
  }
  // The id 0 represents deals without a feed, which have no row.
  return params.get('feed') === '0' ? { kind: 'feed', id: 0 } : { kind: 'site', id: 0 };
}

/** Returns the shortest URL for the same request, of the page or its file. */
export function clicksHref(
  { days, place }: ClicksAsked,
  path: '/admin/clicks' | '/admin/clicks/export' = '/admin/clicks',
): string {
  const params = new URLSearchParams();
  if (place.kind !== 'site') params.set(place.kind, String(place.id));
  if (days !== usualDays) params.set('days', String(days));
  const search = params.toString();
  return search ? `${path}?${search}` : path;
}
