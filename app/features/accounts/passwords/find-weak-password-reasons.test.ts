import { expect, test } from 'vitest';
import { findWeakPasswordReasons } from './find-weak-password-reasons.ts';

const about = ['maria.keller@mail.example', 'Maria Keller'];
const reasons = (password: string) => findWeakPasswordReasons(password, { minLength: 6, about });

// Proves P9a: weak passwords
test('P9a: rejects common first guesses, in any disguise', () => {
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

test('P9a: rejects a password made of the user’s email or name', () => {
  expect(reasons('maria.keller@mail.example')).toContain('personal');
  expect(reasons('keller1985')).toContain('personal');
});

test('P9a: rejects a password made of the site’s name or host', () => {
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
test('P9a: enforces the minimum length of the settings and a maximum of 128', () => {
  expect(reasons('r4!xv')).toEqual(['length']);
  expect(reasons('r4!xvm')).toEqual([]);
  expect(reasons('żółw&🐢')).toEqual([]);
  expect(reasons('ö2'.repeat(40) + 'q'.repeat(49))).toEqual(['too-long']);
});

test('accepts a good password, even one that contains a short name', () => {
  expect(reasons('maria likes walking far')).toEqual([]);
  expect(reasons('correct horse battery staple')).toEqual([]);
});
