import type { Route } from './+types/clicks-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import {
  type ClickedDeal,
  type ClickedPlace,
  countClicksBefore,
  type DayOfClicks,
  listClickDays,
  listFlopDeals,
  listTopDeals,
  listTopPlaces,
  nameClickPlace,
} from '#app/features/clicks/click-figures.server.ts';
import {
  clickRanges,
  type ClicksAsked,
  clicksHref,
  parseClicksAsked,
} from '#app/features/clicks/click-range.ts';
import { mostDealsOfOne } from '#app/features/clicks/recent-visits.server.ts';
import {
  type Earned,
  type EarningKind,
  earningsOf,
  sumEarnings,
} from '#app/features/earnings/earning-figures.server.ts';
import { formatPerClick } from '#app/features/earnings/format-earned.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { ChipLink, RemovableChip } from '#app/ui/chip.tsx';
import type { Db } from '#database/connect.ts';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { DayBars, DaysTable } from '../frame/day-bars.tsx';
import { LoadFailure } from '../frame/load-failure.tsx';
import { readOrFail } from '../frame/read-or-fail.server.ts';
import { StatCards } from '../frame/stat-cards.tsx';
import { titled } from '../frame/titled.ts';
import { DealBars, PlaceBars } from './click-bars.tsx';
import styles from './clicks-page.module.css';

export function loader({ request, context }: Route.LoaderArgs) {
  const user = requireRight(context, 'catalog.read');
  const { db, now } = appServices(context);
  const asked = parseClicksAsked(new URL(request.url).searchParams);
  const { days, place } = asked;
  const at = now();
  return readOrFail(context, 'clicks', async () => {
    const [perDay, before, name, merchants, categories, feeds, top, flop] = await Promise.all([
      listClickDays(db, asked, at),
      countClicksBefore(db, asked, at),
      nameClickPlace(db, place),
      listTopPlaces(db, 'merchant', days, at),
      listTopPlaces(db, 'category', days, at),
      listTopPlaces(db, 'feed', days, at),
      listTopDeals(db, place),
      listFlopDeals(db, place),
    ]);
    const places = { merchants, categories, feeds };
    const earnedBy = (kind: EarningKind, rows: readonly { id: number }[], inDays = days) =>
      earningsOf(db, kind, user.rights.has('earnings.read') ? rows.map(({ id }) => id) : [], {
        days: inDays,
        now: at,
      });
    const [ofMerchants, ofCategories, ofFeeds, ofDeals] = await Promise.all([
      earnedBy('merchant', merchants),
      earnedBy('category', categories),
      earnedBy('feed', feeds),
      earnedBy('deal', top, 30),
    ]);
    const earned = {
      merchant: ofMerchants,
      category: ofCategories,
      feed: ofFeeds,
      deal: ofDeals,
    };
    const total = user.rights.has('earnings.read') ? await earnedAt(db, asked, at) : null;
    return { total, asked, perDay, before, name, places, top, flop, earned, mostDealsOfOne };
  });
}

/** Returns the earnings of the shown scope in its period. */
async function earnedAt(db: Db, { days, place: { kind, id } }: ClicksAsked, now: Date) {
  if (kind !== 'site') return (await earningsOf(db, kind, [id], { days, now })).get(id) ?? [];
  return (await sumEarnings(db, days, now)).filter(({ sales }) => sales > 0);
}

export const meta = titled('Clicks');

export default function ClicksPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData.ok) return <LoadFailure title="Clicks" failure={loaderData} />;
  const { asked, perDay, before, name, places, top, flop, earned } = loaderData;
  const { place } = asked;
  const list = place.kind === 'merchant' || place.kind === 'category' ? place : null;
  const dealsHref = (search: string) =>
    `/admin/deals?${list ? `${list.kind}=${list.id}&` : ''}${search}`;
  return (
    <div className={`stack gap-5 ${styles.page}`}>
      <AdminHeading
        title="Clicks"
        more={
          <ButtonLink to={clicksHref(asked, '/admin/clicks/export')} isDocument>
            Export CSV
          </ButtonLink>
        }
      >
        How often visitors followed a link to a store.
      </AdminHeading>
      <nav aria-label="Range" className={`row gap-2 ${styles.ranges}`}>
        {clickRanges.map(({ days, label }) => (
          <ChipLink key={days} to={clicksHref({ ...asked, days })} isCurrent={days === asked.days}>
            {label}
          </ChipLink>
        ))}
        {place.kind === 'site' ? null : (
          <RemovableChip to={clicksHref({ ...asked, place: { kind: 'site', id: 0 } })}>
            {`${placeWords[place.kind]}: ${name ?? 'deleted'}`}
          </RemovableChip>
        )}
      </nav>
      <Total asked={asked} perDay={perDay} before={before} name={name} earned={loaderData.total} />
      <div className={styles.places}>
        <Places
          title="Stores"
          kind="merchant"
          rows={places.merchants}
          asked={asked}
          earned={earned.merchant}
        />
        <Places
          title="Categories"
          kind="category"
          rows={places.categories}
          asked={asked}
          earned={earned.category}
        />
        <Places title="Feeds" kind="feed" rows={places.feeds} asked={asked} earned={earned.feed} />
      </div>
      <div className={styles.deals}>
        <Deals
          id="top"
          title="Most clicked deals, 30 days"
          empty="No deal was clicked in the last 30 days."
          rows={top}
          earned={earned.deal}
          more={{ to: dealsHref('sort=-clicks'), label: 'All deals by clicks' }}
        />
        <Deals
          id="flop"
          title="Shown for 30 days, never clicked"
          empty={
            top.length === 0
              ? 'No deal has been live for 30 days yet.'
              : 'Every deal that has been live for 30 days was clicked.'
          }
          rows={flop}
          more={{ to: dealsHref('show=unclicked&sort=created'), label: 'Show all' }}
        />
      </div>
      <HowCounted mostDeals={loaderData.mostDealsOfOne} />
    </div>
  );
}

type EarnedById = ReadonlyMap<number, Earned[]>;

const placeWords = { site: 'Site', merchant: 'Store', category: 'Category', feed: 'Feed' };

function Total({
  asked: { days },
  perDay,
  before,
  name,
  earned,
}: {
  asked: ClicksAsked;
  perDay: readonly DayOfClicks[];
  before: number;
  name: string | null;
  earned: readonly Earned[] | null;
}) {
  const total = perDay.reduce((sum, { count }) => sum + count, 0);
  const span = clickRanges.find((range) => range.days === days)?.label ?? '';
  const change = before === 0 ? '–' : `${signed(Math.round((100 * (total - before)) / before))}%`;
  return (
    <>
      <StatCards
        stats={[
          { label: `Clicks in ${span}`, value: total },
          { label: `The ${span} before`, value: before },
          { label: 'Change', value: change },
          { label: 'Best day', value: Math.max(...perDay.map(({ count }) => count)) },
          ...(earned ? [{ label: 'Earned per click', value: formatPerClick(earned, total) }] : []),
        ]}
      />
      <section className={styles.panel} aria-label={name ?? 'Clicks'}>
        <DayBars
          isTall
          title={days > 90 ? 'Clicks by week' : 'Clicks by day (UTC)'}
          span={`in ${span}`}
          days={days > 90 ? byWeek(perDay) : perDay}
        />
        <DaysTable
          titles={['Clicks']}
          rows={perDay.map(({ day, count }) => ({ day, counts: [count] }))}
        />
      </section>
    </>
  );
}

/** Groups days by week. The last week ends today, and the first may have fewer days. */
function byWeek(days: readonly DayOfClicks[]): DayOfClicks[] {
  const weeks: DayOfClicks[] = [];
  for (let end = days.length; end > 0; end -= 7) {
    const week = days.slice(Math.max(0, end - 7), end);
    weeks.unshift({
      day: `Week from ${week[0]?.day ?? ''}`,
      count: week.reduce((sum, { count }) => sum + count, 0),
    });
  }
  return weeks;
}

function signed(percent: number): string {
  return `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${Math.abs(percent).toLocaleString('en-US')}`;
}

function Places({
  title,
  kind,
  rows,
  asked,
  earned,
}: {
  title: string;
  kind: 'merchant' | 'category' | 'feed';
  rows: readonly ClickedPlace[];
  asked: ClicksAsked;
  earned: EarnedById;
}) {
  return (
    <section className={styles.panel} aria-labelledby={`by-${kind}`}>
      <h2 id={`by-${kind}`}>{title}</h2>
      <PlaceBars
        rows={rows.map(({ id, name, count }) => ({
          id,
          name: name ?? 'Deleted',
          count,
          earned: earned.get(id),
          href: clicksHref({ ...asked, place: { kind, id } }),
          isCurrent: asked.place.kind === kind && asked.place.id === id,
        }))}
      />
    </section>
  );
}

function Deals({
  id,
  title,
  rows,
  empty,
  more,
  earned,
}: {
  id: string;
  title: string;
  rows: readonly ClickedDeal[];
  empty: string;
  more: { to: string; label: string };
  earned?: EarnedById;
}) {
  return (
    <section className={styles.panel} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 ? (
        <p className={`below-4 ${styles.none}`}>{empty}</p>
      ) : (
        <DealBars rows={rows} earned={earned} />
      )}
      <ButtonLink to={more.to}>{more.label}</ButtonLink>
    </section>
  );
}

/** Explains how clicks are counted, for people who make decisions based on them. */
function HowCounted({ mostDeals }: { mostDeals: number }) {
  return (
    <section className={styles.panel} aria-labelledby="rule">
      <h2 id="rule">How clicks are counted</h2>
      <ul className={styles.rule}>
        <li>
          One click is one visitor following one deal to its store. Repeated clicks on a deal within
          half an hour count once.
        </li>
        <li>
          No cookie is set and no address is stored. Visitors are told apart by a keyed hash of
          address and browser, kept in memory for half an hour with a key that changes daily. Two
          people with the same connection and browser may count as one.
        </li>
        <li>
          Search engines and other bots, prefetches, and visitors who follow more than{' '}
          {countNoun(mostDeals, 'deal')} in half an hour are not counted.
        </li>
        <li>
          Days are in UTC, and every period ends today. A click counts for the store, category and
          feed that the deal had at that time.
        </li>
        <li>
          Clicks of each deal are kept for 400 days, and deleted with the deal. The totals by day,
          store, category and feed are kept.
        </li>
      </ul>
    </section>
  );
}
