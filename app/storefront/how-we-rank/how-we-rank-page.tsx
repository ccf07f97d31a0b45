import { Link } from '#app/ui/link.tsx';
import type { Route } from './+types/how-we-rank-page';
import { summariseProgrammes } from '#app/features/merchants/programme-queries.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { allowPageCache, appServices } from '#app/platform/app-context.server.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { readForecastScore } from '#app/features/prices/forecast-queries.server.ts';
import { leastUsualDays } from '#app/features/prices/usual-price.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { DiscountCheckMethod } from './discount-check-method.tsx';
import { ForecastMethod } from './forecast-method.tsx';
import styles from './how-we-rank-page.module.css';

/** Reads the real settings, so that the page describes only what the site does. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = appServices(context);
  const [settings, programmes, forecasts] = await Promise.all([
    readSiteSettings(db),
    summariseProgrammes(db),
    readForecastScore(db, now()),
  ]);
  allowPageCache(context, []);
  const { priceClaims, wasPriceDays } = settings;
  return { priceClaims, wasPriceDays, programmes, forecasts };
}

export const meta = fixedMeta({
  path: '/how-we-rank',
  title: 'How we rank and earn',
  description: 'How deals are ordered, where our prices come from, and how this site earns money.',
});

export default function HowWeRankPage({ loaderData }: Route.ComponentProps) {
  const { priceClaims, wasPriceDays, programmes, forecasts } = loaderData;
  return (
    <div className={`readable ${styles.prose}`}>
      <PageHeading title="How we rank and earn">
        This page is generated from the site’s own settings and changes with them.
      </PageHeading>

      <h2>How lists are ordered</h2>
      <p>
        Lists show the newest deals first unless you choose otherwise: by highest discount, lowest
        price or highest price. Search results are ordered by how well they match your words. Within
        any order, expired deals come after every live one. Money never changes the order: a deal
        ranks the same whether or not we earn from it.
      </p>
      <p>
        A “Featured” label means that an editor of this site picked the deal or store. Featured
        deals have their own section on the <Link to="/">home page</Link>; they are not placed
        higher in lists or search.
      </p>

      <h2>Where prices come from</h2>
      <p>
        We log every price that is entered or imported, and never rewrite that log. “Lowest in 90
        days” and similar lines are computed from it. Prices while out of stock do not count as
        lows. If we have watched for a shorter time, we say so.
      </p>
      <p>
        The “usual” price of a deal is the median of its prices in the last 90 days, each weighted
        by the time it was available. We show it for deals that we saw on offer for at least{' '}
        {leastUsualDays} days. A line is green only if the price is at a low and at least 10% below
        its usual one.
      </p>
      <p>
        You can filter a list by “real lows only”: deals that we have watched for at least{' '}
        {leastUsualDays} days, that cost more at some time in the last 90 days, and never less.
        “Price fell this week” is the same for seven days. “Best against its own history” starts
        with the deals furthest below their usual price, in percent; the others follow, newest
        first. “Price per unit” compares deals whose contents are known from the store’s product
        feed or typed by our staff, never guessed from a title: by weight, volume, length, area and
        pieces.
      </p>
      {priceClaims === 'checked' ? (
        <p>
          Discounts on this site are checked. Once we have seen a deal on offer for {leastUsualDays}{' '}
          of the last 90 days, its badge, its crossed-out price and “You Save” are computed from its
          usual price, or from the store’s “was” price if that is lower and{' '}
          {wasPriceDays === 0
            ? 'our log saw it'
            : `our log saw it on ${countNoun(wasPriceDays, 'day')} of the 90`}
          ; never from more than the discount check below confirmed. If that leaves no saving, there
          is no badge. The store’s own claim is shown beside it. Until we know enough, the badge is
          only an outline and says that it is the store’s claim.
        </p>
      ) : priceClaims === 'observed' ? (
        <p>
          Discounts on this site are computed only from prices we saw ourselves: the lowest price in
          the 30 days before the current price began. Without that history we show no percentage and
          no crossed-out price.
        </p>
      ) : (
        <p>
          A crossed-out “was” price is the store’s own claim unless our log saw it; the line beside
          it says which. Discounts are computed from the two prices as shown.{' '}
          {wasPriceDays === 0
            ? null
            : `A price that we saw for less than ${countNoun(wasPriceDays, 'day')} of the last 90 does not count as an earlier price. In that case we show no percentage and no crossed-out price.`}
        </p>
      )}

      <DiscountCheckMethod />
      <ForecastMethod groups={forecasts} />

      <h2>How we earn</h2>
      <p>
        When you follow a deal to its store and buy, the store may pay us a commission. You pay the
        same price. Links to stores are marked as sponsored for search engines, and we count clicks
        without cookies or addresses.
      </p>
      {programmes.total === 0 ? (
        <p>There are no stores on this site yet.</p>
      ) : (
        <p>
          Currently {programmes.withAffiliateLink.toLocaleString('en-US')} of{' '}
          {programmes.total.toLocaleString('en-US')} {programmes.total === 1 ? 'store' : 'stores'}{' '}
          on this site {programmes.withAffiliateLink === 1 ? 'has' : 'have'} an affiliate link set
          up with us
          {programmes.names.length > 0 ? <>: {programmes.names.join(', ')}</> : null}
          {programmes.withAffiliateLink > programmes.names.length && programmes.names.length > 0
            ? ' and others'
            : null}
          . We earn nothing from the rest.
        </p>
      )}
      {programmes.withoutHistory.length > 0 ? (
        <p>
          Some programs forbid keeping a price history. For these stores we keep none:{' '}
          {programmes.withoutHistory.join(', ')}.
        </p>
      ) : null}
      {programmes.hidingPrices.length > 0 ? (
        <p>
          Some programs require hiding prices that have not been checked lately. While a price is
          hidden, its deal is left out of lists and searches filtered or sorted by price. Stores
          with such a program: {programmes.hidingPrices.join(', ')}.
        </p>
      ) : null}
    </div>
  );
}
