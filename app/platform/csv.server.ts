import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/**
 * Returns a CSV download, written as fast as the client reads it. Cells that a spreadsheet would
 * run as a formula are escaped, and a byte order mark declares UTF-8. `name` has no extension.
 */
export function csvResponse(
  name: string,
  columns: readonly string[],
  rows: AsyncIterable<readonly (string | number | null)[]>,
): Response {
  const writer = stringify({
    header: true,
    columns: [...columns],
    bom: true,
    escape_formulas: true,
    // By default, the library quotes a line break only if it is the whole record delimiter.
    quoted_match: /[\r\n]/,
    record_delimiter: 'windows',
  });
  const source = Readable.from(rows);
  source.on('error', (error) => writer.destroy(error));
  writer.on('close', () => source.destroy());
  return new Response(Readable.toWeb(source.pipe(writer)) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
      'cache-control': 'private, no-store',
    },
  });
}
