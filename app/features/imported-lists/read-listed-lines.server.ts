import { decodeFeed } from '#app/features/feeds/formats/decode-feed.server.ts';
import { sniffHeader } from '#app/features/feeds/formats/delimited-feed.server.ts';
import { errorOfFile, FeedError } from '#app/features/feeds/formats/feed-error.ts';
import { TableRecords } from '#app/features/feeds/formats/table-records.ts';
import { parseJson } from '#app/platform/parse-json.ts';
import { findListColumns, type ListColumns, readListRow } from './list-columns.ts';
import { type ListedProduct, readPlainLine } from './listed-product.ts';
import { listMessages } from './list-import-messages.ts';
import { readJsonList } from './read-json-list.ts';

/** A line of a list, or an entry of a JSON list. `product` is `null` if the line names none. */
export interface ListLine {
  line: number;
  /** The beginning of the line. */
  text: string;
  product: ListedProduct | null;
}

export type ReadList =
  | { ok: true; lines: ListLine[]; isJson: boolean }
  | { ok: false; message: string };

/** bytes of a file, or of a text in UTF-8 */
export const mostListBytes = 1024 * 1024;
export const mostListLines = 2_000;
/** lines allowed above the header, such as a title */
const mostHeadLines = 5;
/** characters */
const longestShown = 120;
const longestHead = 16_384;

/** Reads a list of links, a table with a header, or JSON, in any text encoding. */
export async function readList(bytes: Buffer): Promise<ReadList> {
  if (bytes.length > mostListBytes) return refused(listMessages.tooLarge);
  try {
    const { text: chunks } = await decodeFeed(once(bytes));
    let text = '';
    for await (const chunk of chunks) text += chunk;
    return readText(text);
  } catch (error) {
    if (error instanceof FeedError) return refused(listMessages.unreadable(error.message));
    throw error;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function readText(text: string): ReadList {
  if (text.trim() === '') return refused(listMessages.empty);
  if (text.includes('\0') || text.startsWith('PK\u0003\u0004')) return refused(listMessages.noText);
  const json = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
  const lines = json === undefined ? (readTable(text) ?? readPlain(text)) : readJson(json);
  if (lines === null) return refused(listMessages.noProducts);
  if (lines.length > mostListLines) return refused(listMessages.tooLong);
  return { ok: true, lines, isJson: json !== undefined };
}

function readJson(json: unknown): ListLine[] | null {
  const items = readJsonList(json, mostListLines);
  return items?.map(({ text, product }, at) => lineOf(at + 1, text, product)) ?? null;
}

function readPlain(text: string): ListLine[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, at) => {
    const isBlank = line.trim() === '';
    return isBlank ? [] : [lineOf(at + 1, line, readPlainLine(line))];
  });
}

/** Returns the rows below a header, or `null` if the text has none. */
function readTable(text: string): ListLine[] | null {
  const delimiter = delimiterOf(text.slice(0, longestHead));
  if (delimiter === null) return null;
  const table = new TableRecords({ delimiter, isQuoted: true });
  const records = [...table.write(text), ...table.end()];
  const found = headerOf(records.slice(0, mostHeadLines).map(({ cells }) => cells));
  if (found === null) return null;
  if (table.failure) throw errorOfFile(table.failure);
  return records
    .slice(found.at + 1)
    .map(({ line, cells }) => lineOf(line, cells.join(' '), readListRow(cells, found.columns)));
}

/**
 * Returns the delimiter of the header among the first lines, or `null` if none of them is a header.
 */
function delimiterOf(head: string): string | null {
  const lines = head.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  for (const line of lines.slice(0, mostHeadLines)) {
    const { delimiter, header } = sniffHeader(line) ?? { delimiter: '\t', header: [line] };
    if (findListColumns(header)) return delimiter;
  }
  return null;
}

function headerOf(rows: readonly string[][]): { at: number; columns: ListColumns } | null {
  for (const [at, cells] of rows.entries()) {
    const columns = findListColumns(cells);
    if (columns) return { at, columns };
  }
  return null;
}

function lineOf(line: number, text: string, product: ListedProduct | null): ListLine {
  const clean = text.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').trim();
  return { line, text: clean.slice(0, longestShown).toWellFormed(), product };
}

function refused(message: string): ReadList {
  return { ok: false, message };
}
