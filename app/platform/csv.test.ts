import { expect, test } from 'vitest';
import { csvResponse } from './csv.server.ts';

async function* rowsOf(...rows: (string | number | null)[][]) {
  yield* rows;
}

// Proves P19: CSV export
test('P19: escapes cells that a spreadsheet would run as formulas', async () => {
  const cells = ['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', 'fine', 'a "b", c', null, -5];
  const response = csvResponse('deals', 'ABCDEFGHIJ'.split(''), rowsOf(cells));
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.toString()).toBe(
    '\uFEFFA,B,C,D,E,F,G,H,I,J\r\n\'=1+1,\'+1,\'-1,\'@x,\'\t=1,"\'\r=1",fine,"a ""b"", c",,-5\r\n',
  );
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="deals.csv"');
});

// Proves R31: CSV export (app/admin/deals/export-deals-route.ts)
test('R31: reads CSV rows as the client consumes them, and stops once it disconnects', async () => {
  let made = 0;
  async function* endless() {
    for (;;) yield [String((made += 1)), 'x'.repeat(1_000)];
  }
  const reader = csvResponse('deals', ['N', 'X'], endless()).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  const atCancel = made;
  expect(atCancel).toBeLessThan(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBe(atCancel);
});

test('fails a CSV download when its source fails', async () => {
  async function* broken() {
    yield ['1'];
    throw new Error('lost');
  }
  await expect(csvResponse('deals', ['N'], broken()).text()).rejects.toThrow('lost');
});
