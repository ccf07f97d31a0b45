import { expect, test } from 'vitest';
import { PageBody } from './page-body.server.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

async function piecesOf(stream: ReadableStream<Uint8Array>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece).toString());
  return pieces;
}

test('sends everything that a page writes in one turn as one chunk', async () => {
  const body = new PageBody(() => {});
  const pieces = piecesOf(body.stream);
  body.write('<p>a');
  body.write('b');
  body.write('c</p>');
  await nextTurn();
  await nextTurn();
  body.write('<p>later</p>');
  body.end('<p>last</p>');
  expect(await pieces).toEqual(['<p>abc</p>', '<p>later</p><p>last</p>']);
});

test('renders a page without pending data as a single chunk', async () => {
  const body = new PageBody(() => {});
  const pieces = piecesOf(body.stream);
  for (const part of ['<html>', '<body>', 'text', '</body>', '</html>']) body.write(part);
  body.end();
  expect(await pieces).toEqual(['<html><body>text</body></html>']);
});

test('renders an empty page as an empty stream', async () => {
  const body = new PageBody(() => {});
  body.end();
  expect(await piecesOf(body.stream)).toEqual([]);
});

test('joins a character whose bytes are written separately', async () => {
  const body = new PageBody(() => {});
  const [first, ...rest] = Buffer.from('é');
  body.write(Buffer.from([first ?? 0]));
  body.write(Buffer.from(rest));
  body.end();
  expect(await piecesOf(body.stream)).toEqual(['é']);
});

test('never makes a page wait, however much the page writes before the first read', () => {
  const body = new PageBody(() => {});
  expect(body.write('x'.repeat(5_000_000))).toBe(true);
  expect(body.writableNeedDrain).toBe(false);
});

test('reports the end of a page once, whether it ended or its reader left', async () => {
  let ended = 0;
  const whole = new PageBody(() => (ended += 1));
  whole.end('all');
  await piecesOf(whole.stream);
  await nextTurn();
  expect(ended).toBe(1);

  let left = 0;
  const broken = new PageBody(() => (left += 1));
  broken.write('some');
  await broken.stream.cancel();
  await nextTurn();
  expect(left).toBe(1);
  expect(broken.destroyed).toBe(true);
});

test('discards pending content when the reader leaves', async () => {
  const body = new PageBody(() => {});
  body.write('gathered, not sent');
  await body.stream.cancel();
  await nextTurn();
  await nextTurn();
  expect(body.destroyed).toBe(true);
});

test('fails for the reader when a page fails while rendering', async () => {
  const body = new PageBody(() => {});
  const pieces = piecesOf(body.stream);
  body.write('half');
  await nextTurn();
  await nextTurn();
  body.destroy(new Error('render failed'));
  await expect(pieces).rejects.toThrow('render failed');
});
