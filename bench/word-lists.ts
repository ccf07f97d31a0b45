import words from './word-lists.json' with { type: 'json' };

/** The words of generated titles, the most frequent first. */
export const { adjectives, extras, sentences } = words;

/** Invented brand names, so that no real brand is measured or shown. */
export const brands = words.brands.middles.flatMap((middle) =>
  words.brands.ends.flatMap((end) =>
    words.brands.starts.map(
      (start) => `${start[0]?.toUpperCase()}${start.slice(1)}${middle}${end}`,
    ),
  ),
);

/** Nouns by category, for the benchmark shop's forty categories. */
export const categoryNouns = Object.entries(words.nouns);
