import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { spendToken } from '#app/platform/captcha/spend-token.server.ts';
import { siteSecret } from '#app/platform/site-secret.server.ts';

const numbers = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
];

/** The results of the sums: zero to twenty. */
export const numberWords: readonly string[] = numbers;
const minutesToAnswer = 20;

/**
 * The captcha for a browser without JavaScript: a text like "What is seven plus four?", and a token
 * that the form sends back.
 */
export type CaptchaQuestion = Awaited<ReturnType<typeof askQuestion>>;

type Services = Pick<AppServices, 'db' | 'now'>;

/**
 * Creates a question. The numbers are derived from the signature, so that the token reveals
 * nothing.
 */
export async function askQuestion({ db, now }: Services) {
  const nonce = randomBytes(12).toString('base64url');
  const expires = Math.floor(now().getTime() / 1000) + minutesToAnswer * 60;
  const body = `${nonce}.${expires}`;
  const secret = await siteSecret(db, 'captcha question');
  const { left, right, isSum } = draw(secret, body);
  return {
    token: `${body}.${sign(secret, body)}`,
    text: `What is ${numberWords[left]} ${isSum ? 'plus' : 'minus'} ${numberWords[right]}?`,
  };
}

/** Checks an answer. Any answer, right or wrong, spends the question. */
export async function isRightAnswer(
  { db, now }: Services,
  token: string,
  answer: string,
): Promise<boolean> {
  const [nonce = '', expires = '', signature = ''] = token.slice(0, 200).split('.');
  const body = `${nonce}.${expires}`;
  const secret = await siteSecret(db, 'captcha question');
  const expected = Buffer.from(sign(secret, body));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  const expiresAt = new Date(Number(expires) * 1000);
  if (expiresAt <= now() || !(await spendToken(db, `question ${body}`, expiresAt))) return false;
  const { left, right, isSum } = draw(secret, body);
  const result = isSum ? left + right : left - right;
  const said = answer.trim().toLowerCase();
  return said === String(result) || said === numberWords[result];
}

function draw(secret: string, body: string): { left: number; right: number; isSum: boolean } {
  const bytes = createHmac('sha256', secret).update(`numbers ${body}`).digest();
  const one = 1 + ((bytes[0] ?? 0) % 10);
  const other = 1 + ((bytes[1] ?? 0) % 10);
  const isSum = (bytes[2] ?? 0) % 2 === 0;
  return {
    left: isSum ? one : Math.max(one, other),
    right: isSum ? other : Math.min(one, other),
    isSum,
  };
}

function sign(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('base64url');
}
