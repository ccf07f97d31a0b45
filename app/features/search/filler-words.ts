/** Words of shopping that no deal needs to contain. Such words count only for the order. */
export const fillerWords: ReadonlySet<string> = new Set(
  'best cheap cheapest affordable deal deals offer offers bargain bargains discount discounts discounted buy online price prices sale sales'.split(
    ' ',
  ),
);
