/** What a page says of its product, as the page writes it. */
export type RawOffer = Partial<
  Record<'title' | 'image' | 'price' | 'currency' | 'availability' | 'gtin' | 'brand', string>
>;
