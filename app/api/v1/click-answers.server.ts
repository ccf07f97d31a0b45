import {
  countClickedPlaces,
  countTopDeals,
  type DayOfClicks,
  isDeal,
  listClickDays,
  listDealClicks,
  listTopDeals,
  listTopPlaces,
  nameClickPlace,
} from '#app/features/clicks/click-figures.server.ts';
import type { ClickPlaceAsked } from '#app/features/clicks/click-range.ts';
import { apiOperations } from '#app/features/public-api/api-operations.ts';
import type { clickDays } from '#app/features/public-api/api-click-schemas.ts';
import { deepestPage } from '#app/platform/page-number.ts';
import type { Db } from '#database/connect.ts';
import { findIdBySlug, slugLookups } from '../slug-lookups.server.ts';
import { apiAnswer, type ApiResult, beyondLast } from './answer-api.server.ts';

const rowsPerPage = 24;
const daysOfDeals = 30;

/** The operations for keys with “Read clicks”. */
export const clickAnswers = [
  apiAnswer(apiOperations.listClickDays, async ({ services: { db }, now, query }) => {
    const days = Number(query.days);
    const found = await findPlace(db, query);
    if (!found.ok) return found;
    const { deal } = query;
    if (deal === undefined) {
      const perDay = await listClickDays(db, { days, place: found.place }, now);
      return { ok: true, answer: inDays(perDay) };
    }
    if (found.place.kind !== 'site') return wrong('deal', onlyOne);
    return (await isDeal(db, deal))
      ? { ok: true, answer: inDays(await listDealClicks(db, deal, now, days)) }
      : wrong('deal', 'No deal has this id.');
  }),

  apiAnswer(apiOperations.listClickedPlaces, async ({ services: { db }, now, query }) => {
    const { by, page } = query;
    const days = Number(query.days);
    const total = await countClickedPlaces(db, by, days, now);
    const pages = inPages(page, total);
    if (page > pages.count) return beyondLast(page, pages.count);
    const places = await listTopPlaces(db, by, days, now, cutOf(page));
    const data = places.map(({ id, name, count }) => ({ id, name, clicks: count }));
    return { ok: true, answer: { ...rangeOf(now, days), data, page: pages } };
  }),

  apiAnswer(apiOperations.listClickedDeals, async ({ services: { db }, site, now, query }) => {
    const { page } = query;
    const found = await findPlace(db, query);
    if (!found.ok) return found;
    const most = deepestPage * rowsPerPage;
    const pages = inPages(page, await countTopDeals(db, found.place, most + 1), most);
    if (page > pages.count) return beyondLast(page, pages.count);
    const deals = await listTopDeals(db, found.place, cutOf(page));
    const data = deals.map(({ id, slug, title, is_live, count, ...deal }) => ({
      id,
      slug,
      title,
      url: `${site.origin}/deals/${slug}`,
      merchant: { id: deal.merchant_id, name: deal.merchant, slug: deal.merchant_slug },
      is_live,
      clicks: count,
    }));
    return { ok: true, answer: { ...rangeOf(now, daysOfDeals), data, page: pages } };
  }),
];

const onlyOne = 'Give only one of these.';

type Wrong = Extract<ApiResult<typeof clickDays>, { status: 422 }>;

function wrong(parameter: string, detail: string): Wrong {
  return { ok: false, status: 422, errors: [{ parameter, detail }] };
}

const cutOf = (page: number) => ({ limit: rowsPerPage, offset: (page - 1) * rowsPerPage });

function inPages(number: number, counted: number, most = Infinity) {
  const total = Math.min(counted, most);
  const count = Math.min(deepestPage, Math.max(1, Math.ceil(total / rowsPerPage)));
  return { number, count, size: rowsPerPage, total, is_total_capped: counted > most };
}

function inDays(perDay: readonly DayOfClicks[]) {
  return {
    from: perDay[0]?.day ?? '',
    to: perDay.at(-1)?.day ?? '',
    total: perDay.reduce((sum, { count }) => sum + count, 0),
    data: perDay.map(({ day, count }) => ({ day, clicks: count })),
  };
}

function rangeOf(now: Date, days: number) {
  const dayBefore = (ago: number) =>
    new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  return { from: dayBefore(days - 1), to: dayBefore(0) };
}

type FoundPlace = { ok: true; place: ClickPlaceAsked } | Wrong;

/** Finds the requested store, category or feed, or the whole site. */
async function findPlace(
  db: Db,
  asked: {
    merchant?: string | undefined;
    category?: string | undefined;
    feed?: number | undefined;
  },
): Promise<FoundPlace> {
  const given = (['merchant', 'category', 'feed'] as const).filter(
    (name) => asked[name] !== undefined,
  );
  const [kind] = given;
  if (given.length > 1) return wrong(given.at(-1) ?? '', onlyOne);
  if (kind === undefined) return { ok: true, place: { kind: 'site', id: 0 } };
  if (kind === 'feed') {
    const place = { kind, id: asked.feed ?? 0 } as const;
    const name = await nameClickPlace(db, place);
    return name === null ? wrong(kind, 'No feed has this id.') : { ok: true, place };
  }
  const id = await findIdBySlug(db, slugLookups[kind], asked[kind]);
  return id ? { ok: true, place: { kind, id } } : wrong(kind, slugLookups[kind].unknown);
}
