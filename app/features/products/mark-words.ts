import { bare, foldTitle } from './fold-title.ts';

/** A part of a title, marked if the other title lacks it. */
interface MarkedPart {
  text: string;
  isMarked: boolean;
  /** The position in the title. */
  at: number;
}

const keyOf = (word: string) => bare(foldTitle(word));

/** Splits a title into parts, and marks the words that another title lacks. */
export function markWords(title: string, other: string): MarkedPart[] {
  const known = new Set(other.split(/\s+/).map(keyOf));
  const parts: MarkedPart[] = [];
  let at = 0;
  for (const [word = '', space = ''] of title.matchAll(/\S+(\s*)|^\s+/g)) {
    const text = word.trimEnd();
    const key = keyOf(text);
    const isMarked = key !== '' && !known.has(key);
    const last = parts.at(-1);
    const before = parts.at(-2);
    // A space between two marked words is marked, too.
    if (isMarked && last && before?.isMarked && last.text.trim() === '') {
      before.text += last.text + text;
      parts.pop();
    } else if (last && !isMarked && !last.isMarked) last.text += text;
    else parts.push({ text, isMarked, at });
    const end = parts.at(-1);
    const rest = text === '' ? word : space;
    if (rest !== '' && end && !end.isMarked) end.text += rest;
    else if (rest !== '') parts.push({ text: rest, isMarked: false, at: at + text.length });
    at += word.length;
  }
  return parts.filter(({ text }) => text !== '');
}

const longestLabel = 60;

/** Returns the words of a title that another title lacks, as the label of a variant, or `null`. */
export function labelOfVariant(title: string, other: string): string | null {
  const words = markWords(title, other).flatMap(({ text, isMarked }) =>
    isMarked ? [text.replace(/[(),;:|[\]]/g, '').trim()] : [],
  );
  return words.join(' ').slice(0, longestLabel).trim() || null;
}
