import { contentsText, readAmount, readBase, units } from '#app/features/deals/net-contents.ts';
import type { FeedRow } from './feed-fields.ts';
import { toPlainLine } from './feed-text.ts';

/**
 * Returns the net contents of a row in the stored form. An unreadable amount is omitted with a
 * note, since a wrong price per unit is worse than none. Some shops write `0.0` if there is no
 * amount.
 */
export function readNetContents(
  { net_contents, unit_base }: FeedRow['values'],
  notes: string[],
): string | null {
  // Our own exports have the base in the same cell.
  const [text = '', exported = ''] = toPlainLine(net_contents ?? '').split(/ per /i);
  if (!/[1-9]/.test(text)) return null;
  const amount = readAmount(text);
  if (amount === null) {
    notes.push(
      `imported without its net contents: not an amount such as 700 g: ${text.slice(0, 40)}`,
    );
    return null;
  }
  const baseText = toPlainLine(unit_base ?? '') || exported;
  if (!/[1-9]|^\p{L}/u.test(baseText)) return contentsText(amount, null);
  const base = readBase(baseText, units[amount.unit].kind);
  if (base === null) {
    notes.push(
      `imported without its base of the unit price: not one such as 100 g: ${baseText.slice(0, 40)}`,
    );
  }
  return contentsText(amount, base);
}
