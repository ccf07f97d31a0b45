import { data } from 'react-router';
import { providerRefusals } from '#app/features/accounts/account-messages.ts';
import { cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import type { startAtProvider } from '#app/features/accounts/providers/sign-in-by-provider.server.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';

/** Returns a page that redirects to the provider, or a refusal with the reason. */
export function leadToProvider(started: Awaited<ReturnType<typeof startAtProvider>>) {
  if (started.ok) {
    const headers = cookieHeaders([started.cookie]);
    headers.set('refresh', `0;url=${started.url}`);
    return data({ ok: true, url: started.url, message: null }, { headers });
  }
  const no = { ok: false, url: null };
  return started.reason === 'too-many'
    ? data({ ...no, message: tooManyAttempts }, { status: 429, headers: retryAfter(started) })
    : data({ ...no, message: providerRefusals.failed }, { status: 502 });
}
