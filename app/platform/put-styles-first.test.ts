import { describe, expect, test } from 'vitest';
import { putStylesFirst } from './put-styles-first.server.ts';

const pass = (page: string) => putStylesFirst(Buffer.from(page)).toString();

const script = '<link rel="modulepreload" href="/a.js"/>';
const other = '<link rel="modulepreload" href="/b.js"/>';
const sheet = '<link rel="stylesheet" href="/a.css"/>';

describe('putting the styles first', () => {
  test('moves preloads of scripts to the end of the head, in their order', () => {
    expect(pass(`<head>${script}${other}<title>é</title>${sheet}</head><body>é</body>`)).toBe(
      `<head><title>é</title>${sheet}${script}${other}</head><body>é</body>`,
    );
  });

  test('leaves the body as it is', () => {
    const page = `<head>${sheet}</head><body>${script}<p>text</p></body>`;
    expect(pass(page)).toBe(page);
  });

  test('leaves what has no whole head as it is, even where it ends within a letter', () => {
    const cut = Buffer.concat([
      Buffer.from(`<head>${script}${sheet}`),
      Buffer.from('é').subarray(0, 1),
    ]);
    expect(putStylesFirst(cut)).toEqual(cut);
    expect(pass('')).toBe('');
  });
});
