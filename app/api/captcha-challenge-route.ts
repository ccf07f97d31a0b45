import { data, type LoaderFunctionArgs } from 'react-router';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { issueChallenge } from '#app/platform/captcha/altcha.server.ts';
import type { CaptchaTask } from '#app/platform/captcha/captcha-task.ts';
import { limit, retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';

/** `/api/captcha/challenge` returns the task that a browser must solve before it sends a form. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Response> {
  const services = appServices(context);
  const admitted = await limit(services, 'captcha-challenge', requestFacts(context).address);
  if (!admitted.ok) {
    throw data({ message: tooManyAttempts }, { status: 429, headers: retryAfter(admitted) });
  }
  const { hcaptcha } = services.env;
  const task: CaptchaTask = hcaptcha
    ? { provider: 'hCaptcha', siteKey: hcaptcha.siteKey }
    : { provider: 'ALTCHA', challenge: await issueChallenge(services) };
  return Response.json(task, { headers: { 'cache-control': 'no-store' } });
}
