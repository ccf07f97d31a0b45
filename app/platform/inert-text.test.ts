import * as fc from '#test/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { inertText } from './inert-text.ts';

describe('a stranger’s text', () => {
  test.each([
    ['Steel toolbox', 'Steel toolbox'],
    ['  Größe 40\r\n\t für  Señora ', 'Größe 40 für Señora'],
    ['pay\u202Elap\u202C \u2066me\u2069\u200F', 'paylap me'],
    ['a\u0000b\u001B[2Jc\u009Bd', 'a b [2Jc d'],
    // Letters that are invisible to people but read by a model.
    [`Drill${String.fromCodePoint(0xe0049, 0xe0067, 0xe006e)}`, 'Drill'],
    [`x\uFE0F\u{E0100}\u200B\u2063y`, 'xy'],
    ['\uD800half', 'half'],
    ['one\u2028two\u2029three', 'one two three'],
  ])('converts a stranger’s text %j to the inert %j', (text, told) => {
    expect(inertText(text)).toBe(told);
  });

  test('cuts a stranger’s text to 200 characters, and never in the middle of one', () => {
    expect(inertText('x'.repeat(200))).toHaveLength(200);
    expect(inertText('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
    expect(inertText(`${'x'.repeat(198)}😀 and more`)).toBe(`${'x'.repeat(198)}…`);
    expect(inertText(`\u202E${' '.repeat(300)}seen`)).toBe('seen');
  });

  test('returns no invisible characters, whatever the input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const told = inertText(text);
        expect(told).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]{0,200}$/u);
        expect(inertText(told)).toBe(told);
      }),
    );
  });
});
