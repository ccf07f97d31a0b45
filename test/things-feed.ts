/** Returns a CSV feed of this many products, each at a different price. */
export function thingsFeed(products: number): string {
  const lines = Array.from(
    { length: products },
    (_, n) => `${n},Thing ${n},https://shop.example/${n},${n + 1},Home`,
  );
  return `id,title,link,price,product type\n${lines.join('\n')}\n`;
}
