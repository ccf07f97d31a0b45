import { isPriceShown } from '#app/features/deals/deal-conditions.server.ts';
import { mostFavoritesPerUser } from '#app/features/favorites/set-favorite.server.ts';
import { readMovedPrice } from '#app/features/moved-prices/read-moved-price.ts';
import { readAlertInput } from '#app/features/price-alerts/alert-input.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';
import { mostAlertsPerOwner } from '#app/features/price-alerts/create-alert.server.ts';
import { formatMoney, toDecimal, twoWaysToRead } from '#app/platform/money.ts';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import { findListedDeals, type ListedDeal } from './find-listed-deals.server.ts';
import { listMessages, matchWords } from './list-import-messages.ts';
import type { ListedProduct } from './listed-product.ts';
import type { ListLine } from './read-listed-lines.server.ts';

/** The effect of a line whose deal was found. */
export interface PlannedDeal {
  line: number;
  /** The beginning of the line, shown next to a deal that was found only by its name. */
  text: string;
  isByName: boolean;
  match: string;
  deal: { id: number; slug: string; title: string; merchant: string; price: string | null };
  /** The earlier line with the same deal, which is used instead. */
  sameAs: number | null;
  favorite: { adds: boolean; words: string };
  alert: { target: number | null; words: string } | null;
}

/** A line without a deal, with the link or title for a price check of its product. */
export interface LeftLine {
  line: number;
  text: string;
  why: string;
  link: string;
  title: string;
}

export interface ListPlan {
  found: PlannedDeal[];
  unknown: LeftLine[];
  unread: LeftLine[];
  favorites: number;
  alerts: number;
}

interface Facts {
  id: number;
  slug: string;
  title: string;
  merchant: string;
  sale_price: number;
  currency: string;
  isOver: boolean;
  allowsAlerts: boolean;
  isPriceShown: boolean;
  isFavorite: boolean;
  hasAlert: boolean;
}

/** Plans what a list would add for a user, without storing anything. */
export async function planList(
  db: Db,
  lines: readonly ListLine[],
  { userId, currency, origin }: { userId: string; currency: string; origin: string },
): Promise<ListPlan> {
  const named = lines.flatMap((line) => (line.product ? [{ ...line, product: line.product }] : []));
  const products = named.map(({ product }) => product);
  const matches = await findListedDeals(db, products, origin);
  const facts = await readFacts(db, userId, matches);
  const room = await readRoom(db, userId);
  const plan: ListPlan = { found: [], unknown: [], unread: [], favorites: 0, alerts: 0 };
  for (const { line, text, product } of lines) {
    if (!product) plan.unread.push({ line, text, why: 'not a link', link: '', title: '' });
  }
  const first = new Map<number, number>();
  for (const [at, { line, text, product }] of named.entries()) {
    const match = matches[at] ?? { state: 'unknown' };
    const deal = match.state === 'found' ? facts.get(match.id) : undefined;
    if (match.state !== 'found' || !deal) {
      leave(plan, { line, text, link: product.link, title: product.title }, match);
      continue;
    }
    const sameAs = first.get(deal.id) ?? null;
    if (sameAs === null) first.set(deal.id, line);
    const favorite = planFavorite(deal, room);
    const alert = sameAs === null ? planAlert(product, deal, currency, room) : null;
    if (sameAs === null && favorite.adds) {
      plan.favorites++;
      room.favorites--;
    }
    if (alert && alert.target !== null) {
      plan.alerts++;
      room.alerts--;
    }
    const price = deal.isPriceShown ? formatMoney(deal.sale_price, deal.currency) : null;
    const { id, slug, title, merchant } = deal;
    plan.found.push({
      line,
      text,
      isByName: match.by === 'words',
      match: matchWords[match.by],
      deal: { id, slug, title, merchant, price },
      sameAs,
      favorite: sameAs === null ? favorite : { adds: false, words: '' },
      alert,
    });
  }
  return plan;
}

function leave(plan: ListPlan, line: Omit<LeftLine, 'why'>, match: ListedDeal): void {
  if (match.state === 'refused') plan.unread.push({ ...line, why: match.why });
  else {
    const isSearched = match.state !== 'not searched';
    const why = isSearched
      ? 'no matching deal'
      : 'skipped, because only the first 300 names are searched';
    plan.unknown.push({ ...line, why });
  }
}

async function readFacts(
  db: Db,
  userId: string,
  matches: readonly ListedDeal[],
): Promise<Map<number, Facts>> {
  const ids = matches.flatMap((match) => (match.state === 'found' ? [match.id] : []));
  const rows = await ask(db).rows<Facts>`
    select d.id, d.slug, d.title, m.name as merchant, d.sale_price, d.currency, m.allow_alerts as "allowsAlerts",
           d.is_expired or coalesce(d.expires_at <= now(), false) as "isOver", ${isPriceShown} as "isPriceShown",
           exists (select from user_favorites f where f.user_id = ${userId} and f.deal_id = d.id) as "isFavorite",
           exists (select from price_alerts a where a.user_id = ${userId} and a.deal_id = d.id and a.kind = 'target') as "hasAlert"
      from deals d join merchants m on m.id = d.merchant_id
     where d.id = any(${ids}::bigint[]) and d.is_active`;
  return new Map(rows.map((row) => [row.id, row]));
}

interface Room {
  favorites: number;
  alerts: number;
}

async function readRoom(db: Db, userId: string): Promise<Room> {
  const row = await ask(db).row<Room>`
    select ${mostFavoritesPerUser} - (select count(*) from user_favorites where user_id = ${userId})::integer as favorites,
           ${mostAlertsPerOwner} - (select count(*) from price_alerts where user_id = ${userId})::integer as alerts`;
  return row ?? { favorites: 0, alerts: 0 };
}

function planFavorite(deal: Facts, room: Room): PlannedDeal['favorite'] {
  if (deal.isFavorite) return { adds: false, words: 'Already a favorite' };
  if (room.favorites <= 0) return { adds: false, words: listMessages.favoritesFull };
  return { adds: true, words: 'New favorite' };
}

/**
 * Applies the alert form's rules: a target above the price is rejected, and one at the price fires
 * immediately.
 */
function planAlert(
  product: ListedProduct,
  deal: Facts,
  currency: string,
  room: Room,
): PlannedDeal['alert'] {
  if (product.price === '') return null;
  const none = (why: string) => ({ target: null, words: `No alert: ${why}` });
  if (deal.hasAlert) return { target: null, words: listMessages.hasAlert };
  if (!deal.allowsAlerts) return none(alertMessages.notAllowed);
  if (!deal.isPriceShown) return none(alertMessages.priceHidden);
  const read = readMovedPrice(product.price, product.currency, deal.currency);
  if (deal.currency !== currency || (!read.ok && read.reason === 'other-currency')) {
    return none(listMessages.otherCurrency(product.price, currency));
  }
  if (!read.ok) {
    const why = twoWaysToRead(product.price, currency);
    return none(why ?? listMessages.badPrice(product.price));
  }
  const form = targetForm(read.price, currency);
  const input = readAlertInput(form, deal.sale_price, currency);
  if (!input.ok) return none(input.message);
  if (room.alerts <= 0) return none(listMessages.alertsFull);
  const target = formatMoney(read.price, currency);
  const isMet = read.price === deal.sale_price && !deal.isOver;
  const words = `New alert at ${target}${isMet ? ', which is already met, so you are notified right away' : ''}`;
  return { target: read.price, words };
}

/** Returns the input of an alert form with this target, which is in minor units. */
export function targetForm(target: number, currency: string): FormData {
  const form = new FormData();
  form.set('kind', 'target');
  form.set('target', toDecimal(target, currency));
  form.set('currency', currency);
  return form;
}
