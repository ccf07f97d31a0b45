import { describe, expect, it } from 'vitest';
import { readFormBody } from './read-form-body.ts';

const encoded = 'application/x-www-form-urlencoded';

function post(body: string, type: string): Request {
  return new Request('https://deals.test/', {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
}

/** Returns a multipart body with this many fields. */
const parts = (count: number) =>
  `${'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(count)}--x--\r\n`;

// Proves R58: no request of a stranger costs more than 50 ms of processor before it is known to be worth it (read-form-body.ts, read-body.ts)
describe('R58: a form', () => {
  it('R58: reads a form in both of its content types', async () => {
    const plain = await readFormBody(post('a=1&b=%F0%9F%94%A5', `${encoded}; charset=utf-8`));
    expect([...plain]).toEqual([
      ['a', '1'],
      ['b', '🔥'],
    ]);
    const inParts = await readFormBody(post(parts(2), 'Multipart/Form-Data; boundary=x'));
    expect(inParts.getAll('a')).toEqual(['1', '1']);
    expect([...(await readFormBody(post('', encoded)))]).toEqual([]);
  });

  it.each([
    ['too many fields', 413, 'a&'.repeat(2001), encoded],
    ['too many parts', 413, parts(2001), 'multipart/form-data; boundary=x'],
    ['no parts', 400, 'broken', 'multipart/form-data; boundary=x'],
    ['no boundary', 400, parts(1), 'multipart/form-data'],
    ['JSON', 415, '{}', 'application/json'],
    ['text', 415, 'a=1', 'text/plain'],
  ])('R58: refuses a form that has %s with status %i', async (_name, status, body, type) => {
    await expect(readFormBody(post(body, type))).rejects.toMatchObject({ init: { status } });
  });

  it('R58: refuses a form without a type with 415', async () => {
    const request = new Request('https://deals.test/', { method: 'POST' });
    await expect(readFormBody(request)).rejects.toMatchObject({ init: { status: 415 } });
  });

  it('R58: accepts more fields than our longest form', async () => {
    const form = await readFormBody(post('a=1&'.repeat(2000), encoded));
    expect(form.getAll('a')).toHaveLength(2000);
  });
});
