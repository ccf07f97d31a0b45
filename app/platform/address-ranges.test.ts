import { expect, test } from 'vitest';
import { addressRanges, readAddressRange } from './address-ranges.ts';

// Proves P15, P16: access gate
test.each([
  ['192.0.2.1', '192.0.2.1'],
  [' 192.0.2.1 ', '192.0.2.1'],
  ['192.0.2.77/24', '192.0.2.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
  ['2001:DB8::0001', '2001:db8::1'],
  ['2001:db8:1:2:3::/48', '2001:db8:1::/48'],
])('P16: parses the IP address %s as %s', (text, spelled) => {
  expect(readAddressRange(text)).toBe(spelled);
});

test.each([
  '',
  'localhost',
  '999.1.1.1',
  '192.0.2',
  '192.0.2.1.5',
  '192.0.2.01',
  '010.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '192.0.2.1/33',
  '192.0.2.1/',
  '192.0.2.1/08',
  '192.0.2.1/24/24',
  '2001:db8::/129',
  '::ffff:10.0.0.0/95',
  '::ffff:010.0.0.1',
  'fe80::1%eth0',
  '2001:db8:::1',
])('P16: rejects %j as an allowed IP address', (text) => {
  expect(readAddressRange(text)).toBeNull();
});

test('P16: matches IP addresses within a range in either spelling, and no others', () => {
  const isInside = addressRanges(['192.0.2.0/24', '198.51.100.7', '2001:db8::/32']);
  const inside = ['192.0.2.255', '::ffff:192.0.2.1', '198.51.100.7', '2001:db8:ffff::1%eth0'];
  const outside = ['192.0.3.0', '198.51.100.8', '2001:db9::1', '::1', '', 'unknown', '192.0.2'];
  expect(inside.filter((address) => !isInside(address))).toEqual([]);
  expect(outside.filter((address) => isInside(address))).toEqual([]);
});
