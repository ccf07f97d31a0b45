import type { FeedField, FeedRow } from './feed-fields.ts';

const texts: FeedField[] = ['title', 'description', 'brand', 'category'];
/**
 * Matches `Ã©` for `é` or `â€™` for an apostrophe: UTF-8 that was read as windows-1252 and saved
 * again.
 */
const decodedTwice = /Ã[\u00A1-\u00BFƒ…]|Â[\u00A1-\u00BF]|â€[\u0080-\u00BF™œ“”˜¦¢]/;

/** Notes rows whose text contains characters left by a wrong encoding. */
export function textDoubts(feed: { hasReplacements: boolean; doubt: string | null }) {
  let damaged = 0;
  let example = '';
  return {
    async *watch(rows: AsyncIterable<FeedRow>): AsyncGenerator<FeedRow> {
      for await (const row of rows) {
        if (feed.hasReplacements) noteReplacements(row);
        const found = findDecodedTwice(row);
        if (found !== null && damaged++ === 0) example = `${found} at line ${row.line}`;
        yield row;
      }
    },
    /** Returns notes on the whole feed, once it has been read. */
    notes(): string[] {
      const notes = feed.doubt === null ? [] : [feed.doubt];
      if (damaged === 0) return notes;
      const rows = damaged === 1 ? '1 row has' : `${damaged.toLocaleString('en-US')} rows have`;
      return [
        ...notes,
        `${rows} text whose encoding was broken before it was sent, such as ${example}`,
      ];
    },
  };
}

function noteReplacements(row: FeedRow): void {
  let count = 0;
  for (const text of Object.values(row.values)) count += text.split('\uFFFD').length - 1;
  if (count === 0) return;
  const characters = count === 1 ? '1 character is' : `${count} characters are`;
  (row.notes ??= []).push(`${characters} not readable in the feed’s encoding and shown as \uFFFD`);
}

function findDecodedTwice({ values }: FeedRow): string | null {
  for (const field of texts) {
    const text = values[field];
    if (text === undefined || !/[ÂÃâ]/.test(text)) continue;
    const found = decodedTwice.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return null;
}
