/** The method behind the statistics on store pages. */
export function DiscountCheckMethod() {
  return (
    <section aria-labelledby="discount-check">
      <h2 id="discount-check">How we check discounts</h2>
      <p>
        On a store’s page we compare the reductions it announced in the last 90 days with our log. A
        reduction starts when a price is first crossed out, when a higher price is crossed out than
        before, or when a price drops again after a rise. A price lowered in steps is one reduction,
        and a deal counts at most once a day. A reduction that continues is counted again every 90
        days.
      </p>
      <p>
        We measure the saving from the lowest price in the 30 days before, as the European Union’s
        price indication rules require. After 90 days, we measure it from the price charged for the
        longest time. A reduction matches if that saving is at most 5 points below the announced
        one. “Raised before” means that the price had risen by 5% or more from the lowest of these
        30 days. Prices while out of stock do not count.
      </p>
      <p>
        We check only deals that we had logged for 30 days or more. We show shares and medians only
        for 50 or more checked reductions, and a share only if its 95% interval (Wilson’s) is at
        most 15 points wide; otherwise we show counts. We say that a crossed-out price was never
        charged only after checking the store’s feed on each of 180 days. We also show the days
        without a check.
      </p>
      <p>
        If a feed was wrong, such as about a currency or a pack size, an editor may leave the
        reduction out and state the reason. The number left out is shown beside the statistics. A
        store may reply, and its reply is shown there too. None of this affects how deals or stores
        are ordered.
      </p>
    </section>
  );
}
