import { checkRedirects } from '#app/features/catalog/check-redirects.server.ts';
import { importRedirects } from '#app/features/catalog/editable-redirects.server.ts';
import { mostRedirects, readRedirects } from '#app/features/catalog/find-redirect.server.ts';
import { type RedirectInput, redirectInput } from '#app/features/catalog/redirect-input.ts';
import type { RedirectRule } from '#app/features/catalog/redirect-rules.ts';
import { TableRecords } from '#app/features/feeds/formats/table-records.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { mostPreviewedBytes, readPreviewedFile } from '../frame/read-previewed-file.server.ts';

/** A row of the file. */
export interface RedirectLine {
  line: number;
  from: string;
  to: string;
  status: string;
  /** The effect of its import, or the reason why it is refused. */
  effect: 'new' | 'changed' | 'same' | { problem: string };
}

export type RedirectUploadOutcome =
  | { ok: false; message: string }
  | { ok: true; content: string; lines: RedirectLine[] };

const columnNames = {
  from: 'from from_path old source path url old_url source_url request request_url',
  to: 'to target new destination new_url target_url destination_url redirect',
  status: 'status code status_code type kind http_code',
};

/** Reads the posted or previewed file, and imports its accepted rows on request. */
export async function readRedirectUpload(
  { form, intent, services: { db, env } }: Post,
  actor: string,
): Promise<RedirectUploadOutcome> {
  const { content: bytes } = await readPreviewedFile(form);
  if (bytes.length === 0) return { ok: false, message: 'Choose a file.' };
  if (bytes.length > mostPreviewedBytes)
    return { ok: false, message: 'The file is larger than 700 KB.' };
  const rows = readRows(decode(bytes));
  if (rows.length === 0) return { ok: false, message: 'The file contains no redirects.' };
  if (rows.length > mostRedirects)
    return { ok: false, message: `A file has at most ${mostRedirects} redirects.` };
  const parsed = parseRows(rows, await readRedirects(db));
  const accepted = parsed.flatMap(({ input }) => input ?? []);
  const problems = await checkRedirects(db, env.origin, accepted);
  const problemOf = new Map(accepted.map((input, index) => [input, problems[index]]));
  const lines = parsed.map(({ line, input }) => {
    const problem = input && problemOf.get(input);
    return problem ? { ...line, effect: { problem: problem.message } } : line;
  });
  const good = accepted.filter((input) => !problemOf.get(input));
  if (intent === 'import' && good.length > 0) await importRedirects(db, actor, good);
  return { ok: true, content: bytes.toString('base64'), lines };
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

interface Cells {
  line: number;
  from: string;
  to: string;
  status: string;
}

/** Reads columns by their names, or in the order from, to, status if the file names none. */
function readRows(content: string): Cells[] {
  const head = content.split('\n', 1)[0] ?? '';
  const delimiter = [';', '\t'].find((one) => head.includes(one)) ?? ',';
  const table = new TableRecords({ delimiter, isQuoted: true });
  const records = [...table.write(content), ...table.end()];
  const names = records[0]?.cells.map((cell) => cell.trim().toLowerCase().replace(/\s+/g, '_'));
  const at = (wanted: string) => names?.findIndex((name) => wanted.split(' ').includes(name)) ?? -1;
  const [from, to, status] = [at(columnNames.from), at(columnNames.to), at(columnNames.status)];
  const isNamed = from !== -1 && to !== -1;
  const cellOf = (cells: string[], named: number, position: number) =>
    cells[isNamed ? named : position]?.trim() ?? '';
  return records.slice(isNamed ? 1 : 0).map(({ line, cells }) => ({
    line,
    from: cellOf(cells, from, 0),
    to: cellOf(cells, to, 1),
    status: cellOf(cells, status, 2) || '301',
  }));
}

function parseRows(rows: Cells[], stored: ReadonlyMap<string, RedirectRule>) {
  const seen = new Map<string, number>();
  return rows.map((row): { line: RedirectLine; input?: RedirectInput } => {
    const parsed = redirectInput.safeParse({
      from_path: row.from,
      target: row.to,
      status: row.status,
    });
    if (!parsed.success) {
      const problem = Object.values(fieldErrors(parsed.error)).join('. ');
      return { line: { ...row, effect: { problem } } };
    }
    const { from_path: from } = parsed.data;
    const earlier = seen.get(from);
    if (earlier !== undefined)
      return { line: { ...row, effect: { problem: `Line ${earlier} has the same old address` } } };
    seen.set(from, row.line);
    return {
      line: { ...row, effect: effectOf(parsed.data, stored.get(from)) },
      input: parsed.data,
    };
  });
}

function effectOf(input: RedirectInput, stored: RedirectRule | undefined) {
  if (!stored) return 'new' as const;
  const isSame = stored.target === input.target && stored.status === input.status;
  return isSame ? ('same' as const) : ('changed' as const);
}
