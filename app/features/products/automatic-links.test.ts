import { expect, test } from 'vitest';
import { type Candidate, chooseOffers } from './choose-offers.ts';
import { readText } from './find-contradiction.ts';
import { productGtin } from './product-gtin.ts';

// A generated catalog of several generations, sizes and colors, offered by stores with their own
// wording. One in twenty offers has a wrong GTIN: borrowed from another product, reused from an
// earlier generation, or mistyped.

let seed = 7;
const next = (most: number) => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % most;
};
const pick = <Value>(all: readonly [Value, ...Value[]]): Value => all[next(all.length)] ?? all[0];

const brands = ['Lumo', 'Vela', 'Sono', 'Arco', 'Nido', 'Kairo', 'Brand & Söhne'] as const;
const series = ['Nova', 'Alto', 'Brio', 'Casa', 'Duna', 'Elba', 'Faro', 'Gala'] as const;
interface Kind {
  names: string[];
  sizes: string[];
  price: number;
}

const kinds: [Kind, ...Kind[]] = [
  { names: ['phone', 'smartphone', 'Handy'], sizes: ['128 GB', '256 GB', '512 GB'], price: 70_000 },
  { names: ['TV', 'television'], sizes: ['43"', '55"', '65"'], price: 60_000 },
  { names: ['kettle', 'Wasserkocher'], sizes: ['1 l', '1.7 l'], price: 4_000 },
  { names: ['drill', 'cordless drill'], sizes: ['12 V', '18 V'], price: 11_000 },
  { names: ['earbuds', 'headphones'], sizes: [''], price: 9_000 },
];
const colours: [string[], ...string[][]] = [
  ['black', 'schwarz', 'noir'],
  ['white', 'weiß', 'blanc'],
  ['red', 'rot', 'rouge'],
  ['blue', 'blau', 'bleu'],
];

interface Good {
  brand: string;
  name: string;
  generation: number;
  kind: Kind;
  size: string;
  colour: string[];
  price: number;
  gtin: string;
}

function gtinOf(place: number): string {
  const digits = String(400_000_000_000 + place * 37);
  const sum = digits
    .split('')
    .reduce((all, one, at) => all + Number(one) * (at % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** Products in pairs: every second one is the next generation of the one before. */
const goods: Good[] = [];
for (let place = 0; place < 6_000; place += 2) {
  const kind = pick(kinds);
  const facts = {
    brand: pick(brands),
    name: `${pick(series)} ${pick(['Home', 'Go', 'One', 'Prime', 'Sense'])}`,
    kind,
    size: kind.sizes[next(kind.sizes.length)] ?? '',
    colour: pick(colours),
    price: Math.round(kind.price * (0.6 + next(80) / 100)),
  };
  const generation = 2 + next(18);
  goods.push({ ...facts, generation, gtin: gtinOf(place) });
  goods.push({ ...facts, generation: generation + 1, gtin: gtinOf(place + 1) });
}

/** Returns a store's title for a product. Stores omit facts and add words. */
function titleOf({ brand, name, generation, kind, size, colour }: Good): string {
  const words = [
    next(4) > 0 ? brand : '',
    name,
    String(generation),
    next(3) > 0 ? (kind.names[next(kind.names.length)] ?? '') : '',
    next(4) > 0 ? (next(2) > 0 ? size : size.replace(' ', '')) : '',
    next(3) > 0 ? (colour[next(3)] ?? '') : '',
    pick(['', '', '', 'new', '- Sale', '(2026)', 'free delivery']),
  ];
  return words.filter(Boolean).join(' ');
}

/** Returns the GTIN that a store gives to a product, which is wrong for one in twenty. */
function numberOf(place: number): string {
  const right = goods[place]?.gtin ?? '';
  if (next(100) >= 5) return right;
  const fault = pick(['borrowed', 'reused', 'mistyped']);
  if (fault === 'borrowed') return goods[next(goods.length)]?.gtin ?? '';
  if (fault === 'reused') return goods[place - (place % 2)]?.gtin ?? '';
  const at = next(12);
  const isSwapped = next(2) > 0;
  const digits = right.split('');
  const [one = '', other = ''] = digits.slice(at, at + 2);
  digits.splice(at, 2, ...(isSwapped ? [other, one] : [String((Number(one) + 1) % 10), other]));
  return digits.join('');
}

test('links at least 99.9% correctly when 5% of the GTINs are borrowed, reused or mistyped', () => {
  const offers = goods.flatMap((good, place) =>
    Array.from({ length: 2 + next(4) }, (_, merchantId): Candidate & { good: number } => ({
      id: place * 10 + merchantId,
      good: place,
      gtin: productGtin(numberOf(place)),
      merchantId,
      price: Math.round(good.price * (0.8 + next(40) / 100)),
      currency: 'USD',
      isNew: true,
      isLinked: false,
      isConfirmed: false,
      matchesFreely: true,
      ...readText({ title: titleOf(good), brand: next(3) > 0 ? good.brand : null }),
    })),
  );
  const owners = new Map(goods.map(({ gtin }, place) => [gtin, place]));
  let right = 0;
  let wrong = 0;
  for (const [gtin, some] of Map.groupBy(offers, (offer) => offer.gtin)) {
    if (gtin === null) continue;
    const chosen = new Set(chooseOffers(some, new Set()));
    for (const { good } of some.filter((offer) => chosen.has(offer.id))) {
      if (good === owners.get(gtin)) right++;
      else wrong++;
    }
  }
  const faulty = offers.filter(({ gtin, good }) => gtin !== goods[good]?.gtin).length;
  expect(faulty / offers.length).toBeGreaterThan(0.03);
  expect(right / offers.length).toBeGreaterThan(0.8);
  expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.999);
});
