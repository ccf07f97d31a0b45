import words from './word-lists.json' with { type: 'json' };

/** The words of made-up titles. Earlier words are used more often. */
export const { adjectives, extras, sentences } = words;

/** Invented names: no real brand is measured or shown. */
export const brands = words.brands.middles.flatMap((middle) =>
  words.brands.ends.flatMap((end) =>
    words.brands.starts.map(
      (start) => `${start[0]?.toUpperCase()}${start.slice(1)}${middle}${end}`,
    ),
  ),
);

/** Nouns by category. The categories are the benchmark shop's forty. */
export const categoryNouns = Object.entries(words.nouns);
