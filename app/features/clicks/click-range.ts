import { parseRowId } from '#app/platform/parse-row-id.ts';

/** How far back charts of clicks go, in days that end with today (UTC). */
export const clickRanges = [
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 364, label: '52 weeks' },
] as const;
const usualDays = 30;

/** Whose clicks are asked for: the whole site, or one place of it. */
export interface ClickPlaceAsked {
  kind: 'site' | 'category' | 'merchant' | 'feed';
  id: number;
}

export interface ClicksAsked {
  days: number;
  place: ClickPlaceAsked;
}

/** Never fails: what makes no sense counts as not said. */
export function parseClicksAsked(params: URLSearchParams): ClicksAsked {
  const range = clickRanges.find(({ days }) => String(days) === params.get('days'));
  return { days: range?.days ?? usualDays, place: placeOf(params) };
}

function placeOf(params: URLSearchParams): ClickPlaceAsked {
  for (const kind of ['merchant', 'category', 'feed'] as const) {
    const id = parseRowId(params.get(kind));
    if (id !== null) return { kind, id };
  }
  // No feed has a row of its own.
  return params.get('feed') === '0' ? { kind: 'feed', id: 0 } : { kind: 'site', id: 0 };
}

/** The shortest address that asks the same, of the page or of its file. */
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
