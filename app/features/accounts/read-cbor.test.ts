import { assert, property, uint8Array } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { readCbor } from './read-cbor.server.ts';

const read = (hex: string) => readCbor(Buffer.from(hex, 'hex'));

describe('CBOR', () => {
  // The examples of RFC 8949, appendix A, of the kinds that authenticators write.
  test.each<[string, unknown]>([
    ['00', 0],
    ['17', 23],
    ['1818', 24],
    ['1903e8', 1000],
    ['1a000f4240', 1_000_000],
    ['20', -1],
    ['3863', -100],
    ['3903e7', -1000],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['40', Buffer.alloc(0)],
    ['4401020304', Buffer.from([1, 2, 3, 4])],
    ['6449455446', 'IETF'],
    ['62c3bc', 'ü'],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    [
      'a201020304',
      new Map([
        [1, 2],
        [3, 4],
      ]),
    ],
    [
      'a26161016162820203',
      new Map<string, unknown>([
        ['a', 1],
        ['b', [2, 3]],
      ]),
    ],
  ])('%s is read whole', (hex, value) => {
    expect(read(hex)).toEqual({ value, end: hex.length / 2 });
  });

  test('ends where the item does: an authenticator writes its extensions behind the key', () => {
    expect(read('a1010226')).toEqual({ value: new Map([[1, 2]]), end: 3 });
  });

  test.each([
    ['nothing', ''],
    ['a number cut off', '19'],
    ['bytes cut off', '4401'],
    ['a text cut off', '6461'],
    ['a list cut off', '8301'],
    ['a map cut off', 'a201'],
    ['a length beyond everything', '5affffffff'],
    ['a list longer than everything', '9affffffff'],
    ['a length of eight bytes', '1b000000e8d4a51000'],
    ['a length that comes later', '5f42010243030405ff'],
    ['a fraction', 'f93c00'],
    ['a tag', 'c11a514b67b0'],
    ['undefined', 'f7'],
    ['a key that is a list', 'a1800a'],
    ['a key twice', 'a201020103'],
    ['five lists in each other', '818181818101'],
  ])('%s is refused', (_what, hex) => {
    expect(() => read(hex)).toThrow(RangeError);
  });

  test('whatever comes is read or refused, and never beyond its end', () => {
    assert(
      property(uint8Array({ maxLength: 200 }), (bytes) => {
        let end = 0;
        try {
          ({ end } = readCbor(Buffer.from(bytes)));
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
        }
        return end <= bytes.length;
      }),
      { numRuns: 2000 },
    );
  });
});
