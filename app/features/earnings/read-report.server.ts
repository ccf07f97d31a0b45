import { TableRecords } from '#app/features/feeds/formats/table-records.ts';
import type { SaleStatus } from '#database/schema/earning-tables.ts';
import type { NetworkId } from './affiliate-networks.ts';
import { type DecimalMark, findDecimalMark, isCurrency, readAmount } from './report-amounts.ts';
import { type DayOrder, findDayOrder, readDay } from '#app/platform/written-days.ts';
import {
  plainName,
  readSaleStatus,
  type ReportField,
  reportFields,
  type ReportForm,
  reportFormOf,
} from './report-forms.ts';

/** A sale as reported by a network. */
export interface Sale {
  transactionId: string;
  status: SaleStatus;
  /** The commission in minor units of its currency. */
  amount: number;
  currency: string;
  day: string;
  /** The sub-id of the click, or '' if there is none. */
  subId: string;
}

/** A row of a report: a sale, or the reason why it was rejected. */
export type ReportLine = { line: number; id: string } & (
  | { sale: Sale; problem?: undefined }
  | { sale?: undefined; problem: string }
);

/** The owner’s choices for the reports of a network. */
export interface ReportChoices {
  /** Column names by field. */
  columns: Partial<Record<ReportField, string>>;
  /** The currency of reports without a currency column. */
  currency: string | null;
  decimalMark: DecimalMark | null;
  dayOrder: DayOrder | null;
}

/** The choice for a field that has no column in the report. */
export const notInReport = '-';

export const noChoices: ReportChoices = {
  columns: {},
  currency: null,
  decimalMark: null,
  dayOrder: null,
};

export interface ReadReport {
  columns: string[];
  /** The column used for each field, or null if the report has none. */
  used: Record<ReportField, string | null>;
  /** The required fields for which no column was found. */
  missing: ReportField[];
  currency: string | null;
  decimalMark: DecimalMark | null;
  dayOrder: DayOrder;
  lines: ReportLine[];
}

/** rows; a larger report is uploaded in parts */
export const mostReportRows = 20_000;
const mostHeadRows = 15;
const longestId = 100;

/** Reads a network's sales report. Returns null if the file has no table. */
export function readReport(
  bytes: Buffer,
  network: NetworkId,
  choices: ReportChoices,
  today: string,
): ReadReport | null {
  const form = reportFormOf(network);
  const records = readRecords(decode(bytes));
  const head = findHead(records, form, choices);
  const columns = (records[head]?.cells ?? []).map((cell) => cell.trim());
  const rows = records.slice(head + 1).filter(({ cells }) => cells.some((cell) => cell.trim()));
  if (columns.length < 2 || rows.length === 0 || rows.length > mostReportRows) return null;
  const used = chooseColumns(columns, form, choices);
  const indexes = new Map(reportFields.map((field) => [field, indexesOf(used[field], columns)]));
  const cellOf = (cells: string[], field: ReportField) =>
    (indexes.get(field) ?? []).map((at) => cells[at]?.trim() ?? '').join('+');
  const textsOf = (field: ReportField) => rows.map(({ cells }) => cellOf(cells, field));
  const read: Reading = {
    form,
    today,
    currency: choices.currency ?? currencyOfColumn(used.amount) ?? form.currency,
    decimalMark: choices.decimalMark ?? findDecimalMark(textsOf('amount')),
    dayOrder: choices.dayOrder ?? findDayOrder(textsOf('date'), form.dayOrder),
  };
  const missing = (['id', 'amount', 'date'] as const).filter((field) => used[field] === null);
  const seen = new Map<string, number>();
  const lines = rows.map(({ line, cells }) =>
    readLine(line, (field) => cellOf(cells, field), read, seen),
  );
  const { currency, decimalMark, dayOrder } = read;
  return { columns, used, missing, currency, decimalMark, dayOrder, lines };
}

interface Reading {
  form: ReportForm;
  today: string;
  currency: string | null;
  decimalMark: DecimalMark | null;
  dayOrder: DayOrder;
}

function readLine(
  line: number,
  cell: (field: ReportField) => string,
  { form, today, currency, decimalMark, dayOrder }: Reading,
  seen: Map<string, number>,
): ReportLine {
  const id = cell('id');
  const refuse = (problem: string): ReportLine => ({ line, id, problem });
  if (id.replaceAll('+', '') === '') return refuse('The row has no transaction id.');
  if (id.length > longestId || /\p{Cc}/u.test(id))
    return refuse('The transaction id is not valid.');
  if (/^\d([.,]\d+)?E\+\d+$/i.test(id))
    return refuse('A spreadsheet shortened this transaction id. Upload the network’s own file.');
  const earlier = seen.get(id);
  if (earlier !== undefined) return refuse(`Line ${earlier} has the same transaction id.`);
  seen.set(id, line);
  const sale = readSale(
    {
      id,
      amount: cell('amount'),
      currency: cell('currency') || (currency ?? ''),
      status: cell('status'),
      date: cell('date'),
      subId: cell('subId'),
    },
    { form, today, decimalMark, dayOrder },
  );
  return typeof sale === 'string' ? refuse(sale) : { line, id, sale };
}

/** Parses the texts of a sale. Returns the reason if the sale is rejected. */
export function readSale(
  texts: Record<ReportField, string>,
  { form, today, decimalMark, dayOrder }: Omit<Reading, 'currency'>,
): Sale | string {
  const currency = texts.currency.trim().toUpperCase();
  if (currency === '') return 'The currency is unknown. Choose it below.';
  if (!isCurrency(currency)) return `${currency.slice(0, 20)} is not a currency.`;
  const read = readAmount(texts.amount, currency, decimalMark);
  if (!read.ok) return read.reason;
  const status = readSaleStatus(texts.status, form);
  if (status === null) return `The status “${texts.status.slice(0, 40)}” is unknown.`;
  const day = readDay(texts.date, dayOrder);
  if (day === null) return 'The date cannot be read.';
  if (day < '2000-01-01' || day > today) return `The date ${day} is in the future or too old.`;
  const subId = texts.subId.slice(0, longestId);
  return { transactionId: texts.id, status, amount: read.amount, currency, day, subId };
}

/** Decodes UTF-8, or UTF-16 and Windows-1252 as spreadsheets write them. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function readRecords(text: string) {
  const head = text.split('\n', mostHeadRows).join('\n');
  const delimiter = [',', ';', '\t', '|']
    .map((mark) => ({ mark, count: head.split(mark).length }))
    .reduce((most, one) => (one.count > most.count ? one : most)).mark;
  const table = new TableRecords({ delimiter, isQuoted: true });
  return [...table.write(text), ...table.end()];
}

/**
 * Returns the header row: the one with the most known column names. A report may begin with a
 * title.
 */
function findHead(
  records: readonly { cells: string[] }[],
  form: ReportForm,
  { columns }: ReportChoices,
): number {
  const names = new Set([
    ...Object.values(form.columns).flatMap((known) => known.flatMap((name) => name.split('+'))),
    ...Object.values(columns).map(plainName),
  ]);
  const known = records
    .slice(0, mostHeadRows)
    .map(({ cells }) => cells.filter((cell) => names.has(plainName(cell))).length);
  const most = Math.max(...known, 0);
  return most > 1 ? known.indexOf(most) : 0;
}

/** Returns the column of each field: the owner's choice, or the best known name. */
function chooseColumns(columns: readonly string[], form: ReportForm, choices: ReportChoices) {
  const byName = new Map(columns.toReversed().map((column) => [plainName(column), column]));
  const find = (field: ReportField): string | null => {
    const chosen = choices.columns[field];
    if (chosen === notInReport) return null;
    if (chosen !== undefined && columns.includes(chosen)) return chosen;
    for (const known of form.columns[field]) {
      const found = known.split('+').map((name) => byName.get(name));
      if (found.every((column) => column !== undefined)) return found.join(' + ');
    }
    return null;
  };
  return {
    id: find('id'),
    amount: find('amount'),
    currency: find('currency'),
    status: find('status'),
    date: find('date'),
    subId: find('subId'),
  };
}

function indexesOf(used: string | null, columns: readonly string[]): number[] {
  if (used === null) return [];
  if (columns.includes(used)) return [columns.indexOf(used)];
  return used.split(' + ').map((name) => columns.indexOf(name));
}

/** Returns the currency in a column's name: `Commission (EUR)`, `pubCommissionAmountUsd`. */
function currencyOfColumn(column: string | null): string | null {
  const named = /\(([A-Z]{3})\)|(?<=[a-z])(Usd|USD|Eur|EUR|Gbp|GBP)$/.exec(column ?? '');
  const code = (named?.[1] ?? named?.[2] ?? '').toUpperCase();
  return isCurrency(code) ? code : null;
}
