/** Common shopping words that a deal need not contain. Such words affect only the order. */
export const fillerWords: ReadonlySet<string> = new Set(
  'best cheap cheapest affordable deal deals offer offers bargain bargains discount discounts discounted buy online price prices sale sales'.split(
    ' ',
  ),
);
