import { bare, foldTitle } from './fold-title.ts';
import colourNames from './colour-names.json' with { type: 'json' };

/** The facts in a title that distinguish variants. */
export interface TitleFacts {
  words: ReadonlySet<string>;
  /**
   * Amounts in the base unit of their kind, such as megabytes, millimeters, milliliters or grams.
   */
  measures: ReadonlyMap<string, readonly number[]>;
  /** The number of items in the pack, or 1 if the title states none. */
  pack: number;
  colours: ReadonlySet<string>;
  /** Model numbers, which consist of letters and digits. */
  models: ReadonlySet<string>;
  /** Numbers that stand alone, such as 15 in "iPhone 15". */
  numbers: ReadonlySet<string>;
  /** Words such as "Pro" and "Mini". */
  editions: ReadonlySet<string>;
  isAccessory: boolean;
}

const units: Readonly<Record<string, readonly [kind: string, size: number]>> = {
  mb: ['data', 1],
  gb: ['data', 1_000],
  tb: ['data', 1_000_000],
  mm: ['length', 1],
  cm: ['length', 10],
  m: ['length', 1_000],
  inch: ['length', 25.4],
  zoll: ['length', 25.4],
  '"': ['length', 25.4],
  ml: ['volume', 1],
  cl: ['volume', 10],
  l: ['volume', 1_000],
  g: ['weight', 1],
  kg: ['weight', 1_000],
  oz: ['weight', 28.35],
  lb: ['weight', 453.6],
  w: ['power', 1],
  kw: ['power', 1_000],
  v: ['voltage', 1],
  mah: ['charge', 1],
  hz: ['frequency', 1],
  mp: ['resolution', 1],
};
const measure =
  /(?<![\p{L}\d])(\d{1,6}(?:[.,]\d{1,3})?)[ -]?(mb|gb|tb|mm|cm|m|inch|zoll|"|ml|cl|l|kg|g|oz|lb|kw|w|v|mah|hz|mp)(?![\p{L}\d])/gu;
const packs = [
  /(?<![\p{L}\d])(\d{1,4})[ -]?(?:er|x|-)?[ -]?(?:packs?|pk|pcs|pieces?|count|ct|stuck|stk|teilig|pieces|unidades|pezzi)(?![\p{L}\d])/u,
  /(?<![\p{L}\d])(?:pack|set|box|lot|case) (?:of|de|von|da|di) (\d{1,4})(?!\d)/u,
  /(?<![\p{L}\d])(\d{1,4}) ?x ?(?=\d)/u,
];
const colours = new Map(
  Object.entries(colourNames).flatMap(([colour, names]) => names.map((name) => [name, colour])),
);
const editionNames = new Set(
  'pro max plus mini ultra lite se air xl slim deluxe premium digital refill'.split(' '),
);
const accessoryNames = new Set(
  `case cover hulle schutzhulle etui coque funda custodia hoesje charger ladegerat chargeur cargador cable kabel
   protector panzerglas schutzfolie strap armband bracelet adapter holder halterung support skin sleeve tasche bag
   replacement ersatz spare kit filter mount stand dock`.split(/\s+/),
);

/** Reads the facts in a title, with or without accents. */
export function readTitle(title: string): TitleFacts {
  const folded = foldTitle(title)
    .replace(/[”″]|''/gu, '"')
    .replace(/×/gu, 'x');
  const measures = new Map<string, number[]>();
  let pack = 1;
  let rest = folded;
  for (const shape of packs) {
    const count = Number(shape.exec(rest)?.[1] ?? 0);
    if (count === 0) continue;
    pack = Math.max(pack, count);
    rest = rest.replace(shape, ' ');
  }
  rest = rest.replace(measure, (_, number: string, name: string) => {
    const [kind, size] = units[name] ?? ['other', 1];
    const amount = Number(number.replace(',', '.')) * size;
    measures.set(kind, [...(measures.get(kind) ?? []), amount]);
    return ' ';
  });
  const words = new Set(rest.match(/[\p{L}\d]+/gu) ?? []);
  const tokens = new Set((rest.match(/[\p{L}\d]+(?:[-.][\p{L}\d]+)*/gu) ?? []).map(bare));
  const of = (known: { has(word: string): boolean }) =>
    new Set([...words].filter((word) => known.has(word)));
  return {
    words,
    measures,
    pack,
    colours: new Set([...of(colours)].map((name) => colours.get(name) ?? name)),
    models: new Set(
      [...tokens].filter((word) => word.length > 3 && /\d/.test(word) && /\p{L}/u.test(word)),
    ),
    numbers: new Set([...words].filter((word) => /^\d{1,5}$/.test(word))),
    editions: of(editionNames),
    isAccessory: of(accessoryNames).size > 0,
  };
}
