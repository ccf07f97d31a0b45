import { expect, test } from 'vitest';
import { readRedirectRows } from './plugin-redirects.ts';

const header = 'source,target,regex,code,type,hits,title,status';
const rows = (csv: string) =>
  readRedirectRows(csv, new Set(['old.example'])).map(({ from, to, status, problem }) =>
    problem === undefined ? `${from} -> ${to} ${status}` : `${from}: ${problem}`,
  );
const rule = (source: string, target: string, isRegex = 1, code = 301) =>
  rows(`${header}\n"${source}","${target}",${isRegex},${code},"url",3,"","active"`)[0];

test.each([
  ['/old/', '/new', 0, 301, '/old/ -> /new 301'],
  ['/old', 'https://www.old.example/new?a=1#b', 0, 308, '/old -> /new?a=1#b 301'],
  [
    'https://old.example/old',
    'https://elsewhere.example/',
    0,
    307,
    'https://old.example/old -> https://elsewhere.example/ 302',
  ],
  ['/gone', '', 0, 410, '/gone ->  410'],
  ['/gone', '', 0, 404, '/gone: This site does not support the status 404'],
  ['/old?p=3', '/new', 0, 301, '/old?p=3: Depends on the query, which redirects ignore here'],
  ['/old*', '/new', 0, 301, '/old*: Its address contains *'],
  ['/x', '/unknown', 0, 301, '/x: Depends on a condition, not only on the address'],
])('reads the Redirection row %s, %s, %s, %s', (source, target, isRegex, code, read) => {
  expect(rule(source, target, isRegex, code)).toBe(read);
});

test.each([
  ['^/shop/(.*)$', '/categories/$1', '/shop/* -> /categories/* 301'],
  ['/shop/(.+)', 'https://old.example/categories/$1', '/shop/* -> /categories/* 301'],
  ['^\\/shop\\/.*', '/deals', '/shop/* -> /deals 301'],
  ['^/shop/', '/deals', '/shop/* -> /deals 301'],
  ['^/old\\.html$', '/deals', '/old.html -> /deals 301'],
  ['^/old/?$', '/deals', '/old -> /deals 301'],
  ['(.*)', 'https://other.example/$1', '/* -> https://other.example/* 301'],
])('translates the pattern %s to %s', (source, target, read) => {
  expect(rule(source, target)).toBe(read);
});

test.each([
  ['^/shop(.*)$', '/categories$1'],
  ['^/(a|b)/(.*)$', '/c/$2'],
  ['^/([^/]+)/feed/?$', '/$1'],
  ['^/old', '/new'],
  ['/old/.*', '/new/$1'],
  ['/old/(.*)', '/new/$1/$1'],
  ['/old/(.*)', '/new/$10'],
  ['/\\d+/(.*)', '/new/$1'],
  ['/a\\*/(.*)', '/new/$1'],
  ['(a+)+$', '/x'],
])('skips the pattern %s', (source, target) => {
  expect(rule(source, target)).toBe(`${source}: Its pattern can’t be expressed here`);
});

test('skips disabled, random and conditional rules', () => {
  expect(
    rows(
      [
        header,
        '"/a","/b",0,301,"url",0,"","disabled"',
        '"/c","/d",0,301,"random",0,"","active"',
        '"/e","/f",0,0,"pass",0,"","active"',
      ].join('\n'),
    ),
  ).toEqual([
    '/a: Disabled in the plugin',
    '/c: Redirects to a random post',
    '/e: Redirects nowhere',
  ]);
});

test('reads JSON exported by Redirection', () => {
  const redirects = [
    {
      url: '/a',
      action_data: { url: '/b' },
      action_code: 302,
      regex: false,
      match_type: 'url',
      enabled: true,
    },
    {
      url: '/c',
      action_data: '/d',
      action_code: '301',
      regex: '0',
      match_type: 'url',
      action_type: 'url',
    },
    {
      url: '^/e/(.*)',
      action_data: { url: '/f/$1' },
      action_code: 301,
      regex: true,
      match_type: 'url',
    },
    { url: '/g', action_data: { logged_in: '/h' }, action_code: 301, match_type: 'login' },
    {
      url: '/i',
      action_data: { url: '/j' },
      action_code: 301,
      match_type: 'url',
      status: 'disabled',
    },
    { url: ['/k'], action_data: 7, action_code: {} },
    null,
  ];
  expect(rows(JSON.stringify({ plugin: { version: '5.5' }, groups: [], redirects }))).toEqual([
    '/a -> /b 302',
    '/c -> /d 301',
    '/e/* -> /f/* 301',
    '/g: Depends on login, not only on the address',
    '/i: Disabled in the plugin',
    ' -> /7 301',
    ' ->  301',
  ]);
  expect(readRedirectRows('{"redirects": 3}')).toHaveLength(1);
});

test('reads a file exported by Yoast SEO Premium', () => {
  expect(
    rows(
      [
        'Origin,Target,Type,Format',
        '"old-page","new-page",301,plain',
        '"/caf%C3%A9/","/",302,"plain"',
        '"^shop/(.*)$","categories/$1",301,regex',
        '"bad","",410,plain',
        '"law","",451,plain',
        '"js","javascript:alert(1)",301,plain',
      ].join('\r\n'),
    ),
  ).toEqual([
    '/old-page -> /new-page 301',
    '/caf%C3%A9/ -> / 302',
    '/shop/* -> /categories/* 301',
    '/bad ->  410',
    'law: This site does not support the status 451',
    '/js -> javascript:alert(1) 301',
  ]);
});

test('reads links exported by Pretty Links, whose target is in the column url', () => {
  expect(
    rows(`id,url,slug,name,redirect_type
1,https://shop.example/?tag=me,go/shop,Shop,307
2,https://old.example/page/,go/page,Page,301
3,https://shop.example/b,go/cloaked,B,cloak`),
  ).toEqual([
    '/go/shop -> https://shop.example/?tag=me 302',
    '/go/page -> /page/ 301',
    '/go/cloaked -> https://shop.example/b 302',
  ]);
});
