import { isNetworkId, type NetworkId } from '#app/features/earnings/affiliate-networks.ts';
import { importSales } from '#app/features/earnings/import-sales.server.ts';
import {
  matchSales,
  type MatchResult,
  nameDeals,
} from '#app/features/earnings/match-sales.server.ts';
import { type PlannedSale, planSales } from '#app/features/earnings/plan-sales.server.ts';
import { isCurrency } from '#app/features/earnings/report-amounts.ts';
import { reportFields } from '#app/features/earnings/report-forms.ts';
import {
  mostReportRows,
  type ReadReport,
  readReport,
  type ReportChoices,
} from '#app/features/earnings/read-report.server.ts';
import {
  readReportChoices,
  saveReportChoices,
} from '#app/features/earnings/report-settings.server.ts';
import { formatMoney } from '#app/platform/money.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import type { Db } from '#database/connect.ts';
import { mostPreviewedBytes, readPreviewedFile } from '../frame/read-previewed-file.server.ts';

/** A row of the report, as the preview shows it. */
export interface ReportRow {
  line: number;
  id: string;
  day: string;
  commission: string;
  status: string;
  deal: string;
  effect: string;
}

export interface ReportTally {
  new: number;
  changed: number;
  same: number;
  older: number;
  refused: number;
}

export interface ReportPreview extends Pick<
  ReadReport,
  'columns' | 'used' | 'missing' | 'currency' | 'decimalMark' | 'dayOrder'
> {
  network: NetworkId;
  fileName: string;
  /** The file as base64, which the preview posts again. */
  content: string;
  choices: ReportChoices;
  tally: ReportTally;
  /** The number of sales by the kind of item that their sub-id identifies. */
  matches: Partial<Record<MatchResult, number>>;
  refused: ReportRow[];
  sales: ReportRow[];
  /** Whether an import was refused because the choices differ from those of the preview. */
  isChanged: boolean;
}

export type ReportUploadOutcome =
  | { ok: false; network: string; message: string }
  | { ok: true; preview: ReportPreview; imported: null }
  | { ok: true; preview: null; imported: { added: number; changed: number } };

export const mostReportRowsShown = 200;

/** Reads the posted or previewed report, and imports its sales on request. */
export async function readReportUpload(
  { form, intent, text, services: { db, now } }: Post,
  actor: string,
): Promise<ReportUploadOutcome> {
  const network = text('network');
  const refuse = (message: string) => ({ ok: false as const, network, message });
  if (!isNetworkId(network)) return refuse('Choose the network.');
  const { content, name } = await readPreviewedFile(form);
  if (content.length === 0) return refuse('Choose a file.');
  if (content.length > mostPreviewedBytes)
    return refuse('The file is larger than 700 KB. Upload a report of a shorter period.');
  const choices = form.has('seen') ? postedChoices(text) : await readReportChoices(db, network);
  const tomorrow = new Date(now().getTime() + 24 * 3600 * 1000).toISOString().slice(0, 10);
  const report = readReport(content, network, choices, tomorrow);
  if (!report) return refuse(`The file is not a table of at most ${mostReportRows} sales.`);
  const fileName = (name || text('file_name')).slice(0, 200);
  const isChanged = intent === 'import' && text('seen') !== JSON.stringify(choices);
  if (intent === 'import' && !isChanged && report.missing.length === 0) {
    const sales = report.lines.flatMap(({ sale }) => sale ?? []);
    const imported = await importSales(db, { network, fileName, actor }, sales);
    await saveReportChoices(db, network, choices);
    return { ok: true, preview: null, imported: imported ?? { added: 0, changed: 0 } };
  }
  const preview = await describeReport(db, network, report);
  const base = { network, fileName, content: content.toString('base64'), choices, isChanged };
  return { ok: true, preview: { ...preview, ...base }, imported: null };
}

/** Returns the choices of the preview's form. Blank ones are detected automatically. */
function postedChoices(text: (name: string) => string): ReportChoices {
  const chosen = reportFields.flatMap((field) => {
    const column = text(`column.${field}`).slice(0, 200);
    return column === '' ? [] : [[field, column] as const];
  });
  const [currency, mark, order] = [text('currency'), text('decimal_mark'), text('day_order')];
  return {
    columns: Object.fromEntries(chosen),
    currency: isCurrency(currency) ? currency : null,
    decimalMark: mark === '.' || mark === ',' ? mark : null,
    dayOrder: order === 'dmy' || order === 'mdy' ? order : null,
  };
}

async function describeReport(db: Db, network: NetworkId, report: ReadReport) {
  const { columns, used, missing, currency, decimalMark, dayOrder } = report;
  const read = missing.length > 0 ? [] : report.lines;
  const problems = read.flatMap((one) => (one.problem === undefined ? [] : [one]));
  const sales = read.flatMap(({ line, sale }) => (sale ? [{ line, sale }] : []));
  const matched = await matchSales(
    db,
    sales.map(({ sale }) => sale),
  );
  const planned = await planSales(db, network, matched);
  const count = (kind: string) => planned.filter(({ effect }) => effect.kind === kind).length;
  const matches: Partial<Record<MatchResult, number>> = {};
  for (const { result } of matched) matches[result] = (matches[result] ?? 0) + 1;
  const shown = planned.slice(0, mostReportRowsShown);
  const titles = await nameDeals(
    db,
    shown.flatMap(({ sale }) => sale.match.deal_id ?? []),
  );
  return {
    columns,
    used,
    missing,
    currency,
    decimalMark,
    dayOrder,
    tally: {
      new: count('new'),
      changed: count('changed'),
      same: count('same'),
      older: count('older'),
      refused: problems.length,
    },
    matches,
    refused: problems.slice(0, mostReportRowsShown).map(({ line, id, problem }) => ({
      line,
      id: id.slice(0, 100),
      day: '',
      commission: '',
      status: '',
      deal: '',
      effect: problem,
    })),
    sales: shown.map((one, index) => describeSale(one, sales[index]?.line ?? 0, titles)),
  };
}

const matchWords: Record<MatchResult, string> = {
  matched: 'A coupon',
  deleted: 'Deleted since',
  link: 'A newsletter link',
  'no sub-id': 'No sub-id',
  foreign: 'The sub-id does not belong to this site',
};

function describeSale(
  { sale, effect }: PlannedSale,
  line: number,
  titles: ReadonlyMap<number, string>,
): ReportRow {
  const { transactionId: id, day, amount, currency, status, match, result } = sale;
  return {
    line,
    id,
    day,
    commission: formatMoney(amount, currency),
    status,
    deal: titles.get(match.deal_id ?? 0) ?? matchWords[result],
    effect: describeEffect({ sale, effect }),
  };
}

function describeEffect({ sale, effect }: PlannedSale): string {
  if (effect.kind === 'new') return 'New';
  if (effect.kind === 'same') return 'Unchanged';
  const { was } = effect;
  if (effect.kind === 'older') return `Stays ${was.status}`;
  if (was.status !== sale.status) return `Was ${was.status}`;
  const isSameAmount = was.amount === sale.amount && was.currency === sale.currency;
  return isSameAmount ? 'Changed' : `Was ${formatMoney(was.amount, was.currency)}`;
}
