import { data } from 'react-router';
import type { Route } from './+types/newsletter-page';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import type { NewsletterForm } from '#app/features/newsletter/newsletter-form.tsx';
import { Island } from '#app/islands/island.tsx';
import { newsletterMessages } from '#app/features/newsletter/newsletter-messages.ts';
import type { SubscribeAnswer } from '#app/features/newsletter/subscribe-answer.ts';
import {
  resendFirstMail,
  subscribeToNewsletter,
  type SubscribeResult,
} from '#app/features/newsletter/subscribe-to-newsletter.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { newsletterPromise } from './newsletter-promise.ts';
import { Reassurances } from './reassurances.tsx';

export async function action({ request, context }: Route.ActionArgs) {
  const services = appServices(context);
  const form = await readFormBody(request);
  const typed = form.get('email');
  const email = typeof typed === 'string' ? typed.slice(0, 254) : '';
  const isResend = form.has('resend');
  let result: SubscribeResult | Awaited<ReturnType<typeof resendFirstMail>>;
  try {
    const act = isResend ? resendFirstMail : subscribeToNewsletter;
    result = await act(services, form, requestFacts(context).address);
  } catch (error) {
    services.log.error({ err: error, requestId: requestFacts(context).id }, 'subscribing failed');
    const status = isDatabaseUnavailable(error) ? 503 : 500;
    return refuse(isResend ? newsletterMessages.resendFailed : newsletterMessages.failed, status);
  }
  if (result.ok) {
    return answer({ ok: true, message: messageOf(result), email, question: null }, 200);
  }
  switch (result.reason) {
    case 'invalid-email':
      return refuse(newsletterMessages.invalidEmail, 422);
    case 'already-subscribed':
      return refuse(newsletterMessages.alreadySubscribed, 409);
    case 'too-often':
      return refuse(
        isResend ? tooManyAttempts : newsletterMessages.tooOften,
        429,
        retryAfter(result),
      );
    case 'captcha':
      return answer(
        { ok: false, message: result.message, email, isResend, question: result.question ?? null },
        422,
      );
  }

  function refuse(message: string, status: number, more: Record<string, string> = {}) {
    return answer({ ok: false, message, email, isResend, question: null }, status, more);
  }
}

function messageOf(done: { ok: true } | { ok: true; isReactivated: boolean }): string {
  const { resent, reactivated, subscribed } = newsletterMessages;
  if (!('isReactivated' in done)) return resent;
  return done.isReactivated ? reactivated : subscribed;
}

function answer(body: SubscribeAnswer, status: number, more: Record<string, string> = {}) {
  return data(body, { status, headers: more });
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta = fixedMeta({
  path: '/newsletter',
  title: 'Newsletter',
  description: 'Good deals by email, each with its price history.',
});

export default function NewsletterPage({ actionData }: Route.ComponentProps) {
  return (
    <NarrowPage title="Stay Updated" intro={newsletterPromise(useSite())}>
      <Island<typeof NewsletterForm>
        name="newsletter-form"
        props={{ answer: actionData ?? null, isWholePage: true }}
      />
      <div data-before-done>
        <Reassurances />
      </div>
    </NarrowPage>
  );
}
