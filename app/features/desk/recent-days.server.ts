import { sql } from 'kysely';
import { ask } from '#database/ask.ts';
import type { Db } from '#database/connect.ts';
import type { Right } from '#app/features/accounts/policy.ts';
import { type Earned, earnedOn } from '#app/features/earnings/earning-figures.server.ts';
import { formatEarned, formatPerClick } from '#app/features/earnings/format-earned.ts';

/** A statistic for today so far, yesterday and the day before, as text. Days are in UTC. */
export interface RecentFigure {
  label: string;
  href: string;
  days: string[];
}

interface RecentDay {
  /** Deals whose price dropped on this day and has not risen since. */
  drops: number;
  clicks: number;
  subscribers: number;
  earned: Earned[];
}

const figures: readonly {
  label: string;
  href: string;
  right: Right;
  format: (day: RecentDay) => string;
}[] = [
  {
    label: 'Clicks to merchants',
    href: '/admin/clicks',
    right: 'catalog.read',
    format: ({ clicks }) => clicks.toLocaleString('en-US'),
  },
  {
    label: 'Earnings',
    href: '/admin/earnings',
    right: 'earnings.read',
    format: ({ earned }) => formatEarned(earned),
  },
  {
    label: 'Earnings per click',
    href: '/admin/earnings',
    right: 'earnings.read',
    format: ({ earned, clicks }) => formatPerClick(earned, clicks),
  },
  {
    label: 'Price drops',
    href: '/deals?evidence=fell',
    right: 'catalog.read',
    format: ({ drops }) => drops.toLocaleString('en-US'),
  },
  {
    label: 'New subscribers',
    href: '/admin/subscriptions?status=active',
    right: 'newsletter.manage',
    format: ({ subscribers }) => subscribers.toLocaleString('en-US'),
  },
];

/**
 * Returns the statistics that a user with these rights may see. Each is read by an index on the
 * day: `click_days` by its key, `earnings_day`, `price_proofs_fallen` and
 * `newsletter_subscriptions_newest`.
 */
export async function listRecentFigures(
  db: Db,
  rights: { has(right: Right): boolean },
  now: Date,
): Promise<RecentFigure[]> {
  const days = await ask(db).rows<RecentDay>`
    with days as (
      select today - ago as day, ago
        from (select (${now}::timestamptz at time zone 'UTC')::date as today) t,
             generate_series(0, 2) as ago
    )
    select coalesce((select count from click_days
                      where kind = 'site' and place_id = 0 and day = d.day), 0) as clicks,
           (select count(*)::integer from newsletter_subscriptions
             where subscribed_at >= d.day::timestamp at time zone 'UTC'
               and subscribed_at < (d.day + 1)::timestamp at time zone 'UTC'
               and is_active and confirmed_at is not null) as subscribers,
           ${earnedOn(sql`d.day`)} as earned,
           (select count(*)::integer from price_proofs
             where higher_until >= d.day::timestamp at time zone 'UTC'
               and higher_until < (d.day + 1)::timestamp at time zone 'UTC') as drops
      from days d order by d.ago`;
  return figures
    .filter(({ right }) => rights.has(right))
    .map(({ label, href, format }) => ({ label, href, days: days.map((day) => format(day)) }));
}
