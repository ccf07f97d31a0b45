import type { CategoryIcon } from '#database/schema/catalog-tables.ts';

/** Words that suggest an icon, in singular and plural. */
const byKeyword: [words: string, icon: CategoryIcon][] = [
  [
    'electronic phone smartphone cellphone headphone earphone computer laptop notebook tablet tech technology gadget audio camera tv television',
    'smartphone',
  ],
  [
    'fashion cloth clothing clothes apparel shirt tshirt shoe wear footwear menswear womenswear kidswear sportswear swimwear underwear dress dresses',
    'shirt',
  ],
  ['game gaming videogame console toy', 'gamepad2'],
  ['fitness sport sporting gym outdoor exercise workout', 'dumbbell'],
  ['book ebook audiobook bookshop reading magazine education office school', 'book'],
  ['auto automotive automobile car vehicle motor motorcycle motorbike motoring', 'car'],
  ['tool hardware improvement diy', 'wrench'],
  ['health healthcare healthy beauty care skincare haircare baby babies pet', 'heart'],
  ['home homeware kitchen kitchenware furniture garden gardening appliance living textile', 'home'],
  [
    'bag handbag backpack luggage jewel jewelry jewellery accessory accessories grocer grocery groceries',
    'shopping-bag',
  ],
];
const iconOf = new Map(
  byKeyword.flatMap(([words, icon]) =>
    words.split(' ').flatMap((word): [string, CategoryIcon][] => [
      [word, icon],
      [`${word}s`, icon],
    ]),
  ),
);

/** Returns the administrator's icon, or one derived from the name, or else a tag. */
export function categoryIcon(category: { name: string; icon: string }): CategoryIcon {
  if (category.icon !== 'tag') {
    const chosen = byKeyword.find(([, icon]) => icon === category.icon);
    if (chosen) return chosen[1];
  }
  const words = category.name.toLowerCase().match(/\p{L}+/gu) ?? [];
  const found = new Set(words.map((word) => iconOf.get(word)));
  return byKeyword.find(([, icon]) => found.has(icon))?.[1] ?? 'tag';
}
