import { commonPasswords } from './common-passwords.ts';

export type WeakPasswordReason =
  | 'length'
  | 'too-long'
  | 'common'
  | 'repeated'
  | 'sequence'
  | 'personal';

export const longestPassword = 128;

const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'qwertzuiop',
  'asdfghjkl',
  'zxcvbnm',
];

/**
 * Returns the reasons why a password is too easy to guess; empty for a good one. `about` contains
 * the email, the name, the site's name and its host.
 */
export function findWeakPasswordReasons(
  password: string,
  { minLength, about = [] }: { minLength: number; about?: readonly string[] },
): WeakPasswordReason[] {
  const length = Array.from(password).length;
  if (length < minLength) return ['length'];
  if (length > longestPassword) return ['too-long'];
  const plain = password.normalize('NFKC').toLowerCase();
  const reasons: WeakPasswordReason[] = [];
  if (isCommon(plain)) reasons.push('common');
  if (/^(.{1,3})\1+$/u.test(plain)) reasons.push('repeated');
  if (isSequence(plain)) reasons.push('sequence');
  if (isPersonal(plain, about)) reasons.push('personal');
  return reasons;
}

/**
 * Returns whether the password is only a common word with digits, punctuation or swapped letters.
 */
function isCommon(plain: string): boolean {
  const trimmed = plain.replace(/^[\d\W_]+|(?<![\d\W_])[\d\W_]+$/g, '');
  const unswapped = trimmed.replace(/[@4301$5]/g, (mark) => swaps[mark] ?? mark);
  return [plain, trimmed, unswapped].some((word) => commonPasswords.has(word));
}

const swaps: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  '1': 'i',
  $: 's',
  '5': 's',
};

function isSequence(plain: string): boolean {
  return rows.some(
    (row) => row.includes(plain) || row.split('').toReversed().join('').includes(plain),
  );
}

/**
 * Returns whether words of the account or the site make up most of the password, regardless of
 * separators.
 */
function isPersonal(plain: string, about: readonly string[]): boolean {
  const squeezed = squeeze(plain);
  const parts = about
    .map((text) => text.normalize('NFKC').toLowerCase())
    .flatMap((text) => [text, squeeze(text), ...text.split(notWord)])
    .filter((part) => part.length >= 3);
  return parts.some((part) =>
    [plain, squeezed].some((whole) => whole.includes(part) && whole.length - part.length < 5),
  );
}

const notWord = /[^\p{L}\p{N}]+/u;
const squeeze = (text: string) => text.split(notWord).join('');
