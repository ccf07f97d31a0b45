/** Splits a folded text into words, without punctuation around them. */
export function wordsOf(folded: string): string[] {
  return folded
    .split(/[\s,;:!?()[\]{}|/+]+/)
    .map(withoutSigns)
    .filter(Boolean);
}

/** Removes punctuation around a word, except for an inch sign. */
function withoutSigns(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && `.'"*_-`.includes(word.charAt(start))) start++;
  while (end > start && `.'*_-`.includes(word.charAt(end - 1))) end--;
  return word.slice(start, end);
}

/**
 * Returns the form in which words in queries and titles are compared, without possessive and
 * plural endings. PostgreSQL stems the texts of deals; this function compares titles that a query
 * has returned.
 */
export function plainForm(word: string): string {
  const own = word.replace(/'s?$/, '');
  if (own.length < 4 || !/^[a-z-]+$/.test(own)) return own;
  if (/[^aeiou]ies$/.test(own)) return `${own.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x|zz)es$/.test(own)) return own.slice(0, -2);
  return /[^su]s$/.test(own) ? own.slice(0, -1) : own;
}

/** Spellings of each unit. The first is the short one. */
const units = [
  ['gb', 'gigabyte', 'gigabytes'],
  ['tb', 'terabyte', 'terabytes'],
  ['mb', 'megabyte', 'megabytes'],
  ['inch', 'in', 'inches', '"', "''"],
  ['cm', 'centimeter', 'centimeters', 'centimetre', 'centimetres'],
  ['mm', 'millimeter', 'millimeters', 'millimetre', 'millimetres'],
  ['m', 'meter', 'meters', 'metre', 'metres'],
  ['ft', 'foot', 'feet'],
  ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms'],
  ['g', 'gram', 'grams'],
  ['lb', 'lbs', 'pound', 'pounds'],
  ['oz', 'ounce', 'ounces'],
  ['l', 'liter', 'liters', 'litre', 'litres'],
  ['ml', 'milliliter', 'milliliters', 'millilitre', 'millilitres'],
  ['qt', 'quart', 'quarts'],
  ['gal', 'gallon', 'gallons'],
  ['v', 'volt', 'volts'],
  ['w', 'watt', 'watts'],
  ['kw', 'kilowatt', 'kilowatts'],
  ['wh', 'watt hours'],
  ['a', 'amp', 'amps'],
  ['ah', 'amp hours', 'amp hour'],
  ['mah', 'milliamp hours'],
  ['hz', 'hertz'],
  ['ghz', 'gigahertz'],
  ['mp', 'megapixel', 'megapixels'],
  ['lm', 'lumen', 'lumens'],
  ['db', 'decibel', 'decibels'],
  ['btu', 'btus'],
  ['psi'],
  ['rpm'],
  ['dpi'],
  ['nm'],
  ['h', 'hr', 'hrs', 'hour', 'hours'],
  ['pack', 'pk', 'packs'],
  ['piece', 'pieces', 'pcs', 'pc'],
  ['count', 'ct'],
  ['person', 'persons', 'people', 'man'],
  ['player', 'players'],
  ['speed', 'speeds'],
  ['port', 'ports'],
];
const unitOf = new Map(units.flatMap((spellings) => spellings.map((word) => [word, spellings])));
/** PostgreSQL treats these as stop words, so a number before them is indexed separately. */
const unindexed = new Set(['in', 'a', '"', "''"]);

/** Stop words, which are not indexed: `s 24` would match any 24. */
const stopLetters = new Set(['a', 'i', 's', 't']);

const amount = /^(\d+(?:[.,]\d+)*)(?:-?([a-z]+|"|''))?$/;

/**
 * Reads a number with its unit, or returns `null`. The unit is either part of `word` or the `next`
 * word.
 */
export function readMeasure(word: string, next = ''): { number: string; unit: string } | null {
  const [, number = '', joined] = amount.exec(word) ?? [];
  const unit = joined ?? next;
  if (number === '' || !unitOf.has(unit)) return null;
  return {
    number: /^\d{1,3}(?:,\d{3})+$/.test(number) ? number.replaceAll(',', '') : number,
    unit,
  };
}

/**
 * Returns other ways of writing a measure: `128gb`, `128 GB`. `bare` tells whether the number
 * alone matches too.
 */
export function measureForms(number: string, unit: string): { forms: string[]; bare: boolean } {
  const spellings = unitOf.get(unit) ?? [unit];
  const numbers = new Set([number, number.replace(',', '.'), number.replace('.', ',')]);
  if (/^\d{4,}$/.test(number)) numbers.add(Number(number).toLocaleString('en-US'));
  const forms = [...numbers].flatMap((each) =>
    spellings.flatMap((spelling) =>
      unindexed.has(spelling)
        ? [`${each}${spelling}`]
        : [`${each}${spelling}`, `${each} ${spelling}`],
    ),
  );
  return {
    forms: forms.filter((form) => /[a-z]/.test(form)),
    bare: spellings.some((spelling) => unindexed.has(spelling)),
  };
}

/**
 * Returns other ways of writing a word with dashes or a model number: `wh-1000xm5`, `wh1000xm5`.
 * PostgreSQL reads the number in `PSB-750` as negative.
 */
export function dashForms(word: string): string[] {
  if (/^\d{3,6}$/.test(word)) return [`-${word}`];
  const isModel = /\d/.test(word) && /[a-z]/.test(word) && !readMeasure(word);
  if (!word.includes('-') && !isModel) return [];
  const parts = word.split('-').filter(Boolean);
  const forms = [parts.join('')];
  if (!parts.some((part) => part.length === 1)) forms.push(parts.join(' '));
  if (isModel && parts.length === 1) {
    const runs = word.match(/\d+|\D+/g) ?? [];
    for (let at = 1; at < runs.length; at++) {
      const [before, after] = [runs.slice(0, at).join(''), runs.slice(at).join('')];
      if (!stopLetters.has(before)) forms.push(`${before}-${after}`, `${before} ${after}`);
    }
  }
  return forms.filter((form) => form !== word);
}

/** Returns the ways of splitting a word in two: `boardgame` as `board game`. */
export function splitsOf(word: string): [string, string][] {
  if (!/^[a-z]{6,20}$/.test(word)) return [];
  return Array.from({ length: word.length - 5 }, (_, index) => [
    word.slice(0, index + 3),
    word.slice(index + 3),
  ]);
}
