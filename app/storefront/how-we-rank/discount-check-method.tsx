/** The method behind the statistics on store pages. */
export function DiscountCheckMethod() {
  return (
    <section aria-labelledby="discount-check">
      <h2 id="discount-check">How we check discounts</h2>
      <p>
        On a store’s page we compare the reductions it announced in the last 90 days with our log. A
        reduction starts when a price is first struck, when a higher price is struck than before, or
        when a price drops again after a rise. A price lowered in steps is one reduction, and a deal
        counts once a day at most. A reduction that continues is counted again every 90 days.
      </p>
      <p>
        The saving by our log is compared with the lowest price of the 30 days before, as the
        European Union’s price indication rules require. After 90 days, it is compared with the
        price that was charged longest in them. A reduction matches if that saving is at most 5
        points below the announced one. “Raised before” means that the price had risen by 5% or more
        from its lowest of these 30 days. A price while out of stock does not count.
      </p>
      <p>
        We check only what we had logged for 30 days or more. Shares and medians are shown for 50
        checked reductions or more; a share only if its 95% interval (Wilson’s) is at most 15 points
        wide, otherwise we show the counts. We call a struck price never charged only after 180 days
        with a check of the store’s feed on each of them. We also show the days without a check.
      </p>
      <p>
        If a feed was wrong, in a currency or a pack size, an editor may leave the reduction out,
        with the reason; the number left out is shown beside the statistics. A store may reply, and
        its reply is shown there as well. None of this affects any order of deals or stores.
      </p>
    </section>
  );
}
