import { assert, ipV4, ipV6, property, string, tuple } from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { addressKey } from './address-key.ts';

describe('rate limit keys', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', 'unknown'],
    ['not an address', 'unknown'],
  ])('uses the same rate limit key for %s as for %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  test('counts each IPv4 address separately', () => {
    assert(
      property(tuple(ipV4(), ipV4()), ([one, other]) => {
        expect(addressKey(one) === addressKey(other)).toBe(one === other);
      }),
    );
  });

  test('counts one network as one client, whichever of its addresses is used', () => {
    assert(
      property(ipV6(), ipV6(), (one, other) => {
        const last = (address: string) => addressKey(`2001:db8:a:b:${hostPart(address)}`);
        expect(last(one)).toBe(last(other));
      }),
    );
  });

  test('never returns an empty rate limit key', () => {
    assert(
      property(string(), (text) => {
        expect(addressKey(text)).not.toBe('');
      }),
    );
  });
});

/** Returns the last four groups of an IPv6 address, built from the hex digits of any text. */
function hostPart(address: string): string {
  const digits = address.replace(/[^0-9a-f]/gi, '').padEnd(16, '7');
  return [0, 4, 8, 12].map((at) => digits.slice(at, at + 4)).join(':');
}
