/** The method behind the figures on stores' pages. */
export function DiscountCheckMethod() {
  return (
    <section aria-labelledby="discount-check">
      <h2 id="discount-check">How we check discounts</h2>
      <p>
        On a store’s page we hold the reductions that it announced in the last 90 days against our
        log. A reduction begins when a price is first struck, when a higher one is struck than
        before, or when a price falls again after it had risen; a price that is lowered step by step
        is one reduction, and a deal counts once a day at most. One that goes on is counted again
        every 90 days.
      </p>
      <p>
        What it saves by our log is measured against the lowest price of the 30 days before it
        began, as the European Union’s price indication rules have it; after 90 days, against the
        price that was asked longest in them. It matches where that saving is at most 5 points below
        the announced one. “Raised before” means that the price had risen by 5% or more from its
        lowest of these 30 days. A price while out of stock counts as none.
      </p>
      <p>
        We check only what we had logged for 30 days or more. Shares and medians are told of 50
        checked reductions or more; a share only where its 95% interval (Wilson’s) is at most 15
        points wide, otherwise we give the counts. That a struck price was never asked is said only
        after 180 days with a look at the store’s feed on each of them. Days without a look are
        told, too.
      </p>
      <p>
        Where a feed was wrong, in a currency or a pack size, an editor may leave the reduction out,
        with the reason; how many are left out stands beside the figures. A store may reply, and its
        words stand there as well. None of this is an input to any order of deals or stores.
      </p>
    </section>
  );
}
