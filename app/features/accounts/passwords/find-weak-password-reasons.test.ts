import { expect, test } from 'vitest';
import { findWeakPasswordReasons } from './find-weak-password-reasons.ts';

const about = ['maria.keller@mail.example', 'Maria Keller'];
const reasons = (password: string) => findWeakPasswordReasons(password, { minLength: 6, about });

// Proves P9a: weak passwords
test('P9a: what everybody tries first is refused, dressed up or not', () => {
  for (const password of [
    '123456',
    'password',
    'Password1!',
    'P@ssw0rd',
    'qwerty99',
    'letmein',
    'dragon2024',
  ]) {
    expect({ password, reasons: reasons(password) }).toEqual({
      password,
      reasons: expect.arrayContaining(['common']),
    });
  }
  expect(reasons('ababab')).toContain('repeated');
  expect(reasons('hijklmno')).toContain('sequence');
  expect(reasons('poiuytr')).toContain('sequence');
});

test('P9a: a password made of the own email or name is refused', () => {
  expect(reasons('maria.keller@mail.example')).toContain('personal');
  expect(reasons('keller1985')).toContain('personal');
});

test('P9a: a password made of the name of the site or of its address is refused', () => {
  const site = ['Harbor Finds', 'bargains.example'];
  const reasonsHere = (password: string) =>
    findWeakPasswordReasons(password, { minLength: 6, about: [...about, ...site] });
  for (const password of [
    'harborfinds',
    'Harbor Finds',
    'HARBOR-FINDS!',
    'harborfinds2026',
    'bargains1',
  ])
    expect([password, reasonsHere(password)]).toEqual([password, ['personal']]);
  expect(reasonsHere('mariakeller')).toEqual(['personal']);
  expect(reasonsHere('boats in every harbor')).toEqual([]);
});

// Proves Storefront 5: Password of at least 6 (env.server.ts)
// Proves Storefront 9: Password 6 (env.server.ts)
test('P9a: the length goes by the setting and ends at 128', () => {
  expect(reasons('r4!xv')).toEqual(['length']);
  expect(reasons('r4!xvm')).toEqual([]);
  expect(reasons('żółw&🐢')).toEqual([]);
  expect(reasons('ö2'.repeat(40) + 'q'.repeat(49))).toEqual(['too-long']);
});

test('a good password is left alone, also when a short name stands in it', () => {
  expect(reasons('maria likes walking far')).toEqual([]);
  expect(reasons('correct horse battery staple')).toEqual([]);
});
