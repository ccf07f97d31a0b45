import { expect, test } from 'vitest';
import { landingHost } from './landing-host.ts';

const shop = encodeURIComponent('https://www.shop.example/p?id=1');

test.each([
  ['https://www.shop.example/p', 'shop.example'],
  [`https://www.awin1.com/cread.php?awinmid=1&ued=${shop}`, 'shop.example'],
  [`https://click.linksynergy.com/link?id=1&murl=${shop}`, 'shop.example'],
  [`https://goto.example.pxf.io/c/1/2/3?u=${shop}`, 'shop.example'],
  [`https://www.anrdoezrs.net/click-1-2?URL=${shop}`, 'shop.example'],
  [`https://track.effiliation.com/servlet/effi.redir?id_compteur=1&url=${shop}`, 'shop.example'],
  [`https://ds1.nl/c/?si=1&dl=${encodeURIComponent(shop)}`, 'shop.example'],
  [`https://prf.hn/click/camref:1/destination:${shop}`, 'shop.example'],
  ['https://clk.tradedoubler.com/click?p=1&a=2&url=//shop.example/1', 'shop.example'],
  [
    `https://www.awin1.com/cread.php?ued=${encodeURIComponent(`https://prf.hn/click/destination:${shop}`)}`,
    'shop.example',
  ],
  ['https://www.awin1.com/pclick.php?p=91', ''],
  ['https://www.awin1.com/cread.php?ued=%E0%A4%A', ''],
  ['no address', ''],
])('finds the landing host of %s: %s', (link, host) => {
  expect(landingHost(link, null)).toBe(host);
});

test('falls back to the merchant when a network hides its target, and ignores the merchant’s own parameters', () => {
  expect(landingHost('https://www.awin1.com/pclick.php?p=91', 'https://shop.example')).toBe(
    'shop.example',
  );
  const shared = `https://shop.example/share?url=${encodeURIComponent('https://other.example/')}`;
  expect(landingHost(shared, 'https://www.shop.example/')).toBe('shop.example');
});
