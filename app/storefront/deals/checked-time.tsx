import { useSite } from '#app/features/site-settings/site-context.tsx';
import { fullTime, timeAgo } from '#app/platform/time-words.ts';
import type { PageDeal } from './page-deal.ts';

/** The time since the price was last checked, with the date as its title. */
export function CheckedTime({ deal, now }: { deal: PageDeal; now: Date }) {
  const { timeZone } = useSite();
  return (
    <time
      dateTime={deal.price_checked_at.toISOString()}
      title={fullTime(deal.price_checked_at, timeZone)}
    >
      {timeAgo(deal.price_checked_at, now)}
    </time>
  );
}
