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

/** Why a password is too easy to guess (decision 9a); nothing when it will do. `about`: e-mail, name, site. */
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

/** Whether a common word is all there is to it, for all the digits, marks and swapped letters around it. */
function isCommon(plain: string): boolean {
  const trimmed = plain.replace(/^[\d\W_]+|[\d\W_]+$/g, '');
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

/** Whether the account's own words make up most of it. */
function isPersonal(plain: string, about: readonly string[]): boolean {
  const parts = about
    .flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
    .map((part) => part.toLowerCase())
    .filter((part) => part.length >= 3);
  return parts.some((part) => plain.includes(part) && plain.length - part.length < 5);
}
