import { expect, test } from 'vitest';
import { requestedLink } from './requested-link.ts';

test.each([
  ['https://www.shop.example/p/Lamp-5/?id=7&color=red', null],
  ['https://shop.example/p?utm_source=x&id=7&gclid=9&sid=4#reviews', 'https://shop.example/p?id=7'],
  ['http://shop.example/p?utm_source=x', 'http://shop.example/p'],
  ['https://shop.example/p?id=7&mail=ann@x.example', 'https://shop.example/p?id=7'],
  ['https://shop.example/p?mail=ann%40x.example', 'https://shop.example/p'],
  ['https://shop.example/p/lamp;jsessionid=AB12?id=7', 'https://shop.example/p/lamp?id=7'],
  ['https://shop.example/@ann/video/5', null],
])(
  'removes campaign parameters, sessions and email addresses from the requested link %s',
  (link, stored) => {
    expect(requestedLink(link)).toBe(stored ?? link);
  },
);

test.each(['https://shop.example/u/ann@x.example/p', 'https://shop.example/ann%40x.example'])(
  'refuses %s, whose path contains an email address',
  (link) => {
    expect(requestedLink(link)).toBeNull();
  },
);

test.each(['https://nas.local/p', 'https://a.localhost/p', 'https://shop.internal./p'])(
  'refuses %s, which is on a private network',
  (link) => {
    expect(requestedLink(link)).toBeNull();
  },
);

test('refuses a link that is longer than 2,000 characters when encoded', () => {
  expect(requestedLink(`https://shop.example/${'ä'.repeat(900)}`)).toBeNull();
});
