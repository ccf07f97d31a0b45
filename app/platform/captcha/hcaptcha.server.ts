import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { AppServices } from '#app/platform/app-context.server.ts';
import { captchaMessages } from '#app/platform/captcha/captcha-messages.ts';
import { spendToken } from '#app/platform/captcha/spend-token.server.ts';
import { safeFetch } from '#app/platform/safe-fetch.server.ts';

const patienceInMs = 5_000;
const mostBytes = 64 * 1024;
const tokenLivesForMs = 10 * 60_000;
const answerSchema = z.object({
  success: z.boolean(),
  'error-codes': z.array(z.string()).optional(),
});

/**
 * Returns null if hCaptcha accepts the token, or the message for the visitor. Any error counts as a
 * refusal.
 */
export async function refuseHcaptchaToken(
  { db, env, log, now }: Pick<AppServices, 'db' | 'env' | 'log' | 'now'>,
  token: string,
  address: string,
): Promise<string | null> {
  if (!env.hcaptcha || token.length > 8_192) return captchaMessages.failed('hCaptcha');
  const { siteKey, secret, verifyUrl } = env.hcaptcha;
  let answer: z.infer<typeof answerSchema>;
  try {
    const { body } = await safeFetch(verifyUrl, {
      // The operator may have replaced hCaptcha with a service in their own network.
      allowPrivate: !verifyUrl.startsWith('https://api.hcaptcha.com/'),
      maxBytes: mostBytes,
      timeoutMs: patienceInMs,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(
        new URLSearchParams({ secret, response: token, remoteip: address, sitekey: siteKey }),
      ),
    });
    answer = answerSchema.parse(JSON.parse(await text(body)));
  } catch (error) {
    log.warn({ err: error }, 'hCaptcha could not be reached');
    return captchaMessages.error('hCaptcha', 'the service could not be reached');
  }
  if (!answer.success) {
    const codes = answer['error-codes'] ?? [];
    log.info({ codes }, 'hCaptcha refused a token');
    const isOver = codes.includes('expired-input-response');
    return isOver ? captchaMessages.expired('hCaptcha') : captchaMessages.failed('hCaptcha');
  }
  const expiresAt = new Date(now().getTime() + tokenLivesForMs);
  const isFirst = await spendToken(db, `hcaptcha ${token}`, expiresAt);
  return isFirst ? null : captchaMessages.failed('hCaptcha');
}
