import { useEffect, useRef } from 'react';
import { data } from 'react-router';
import type { Route } from './+types/contact-page';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import type { ContactAnswer } from '#app/features/contact/contact-answer.ts';
import { ContactForm } from '#app/features/contact/contact-form.tsx';
import { type ContactField, contactLimits } from '#app/features/contact/contact-limits.ts';
import { contactMessages } from '#app/features/contact/contact-messages.ts';
import {
  type ContactResult,
  sendContactMessage,
} from '#app/features/contact/send-contact-message.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { answerWhenLost } from '#app/platform/answer-when-lost.ts';
import { allowPageCache, appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { ButtonLink, PrimaryLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { ContactFacts } from './contact-facts.tsx';
import styles from './contact-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const { supportTimes, replyHours } = await readSiteSettings(appServices(context).db);
  allowPageCache(context, []);
  return { supportTimes, replyHours };
}

export async function action({ request, context }: Route.ActionArgs) {
  const services = appServices(context);
  const facts = requestFacts(context);
  const form = await readFormBody(request);
  let result: ContactResult;
  try {
    result = await sendContactMessage(services, form, facts.address);
  } catch (error) {
    services.log.error({ err: error, requestId: facts.id }, 'a contact message was not stored');
    const status = isDatabaseUnavailable(error) ? 503 : 500;
    return refuse(form, status, { message: contactMessages.failed });
  }
  if (result.ok) return data<ContactAnswer>({ ok: true });
  switch (result.reason) {
    case 'invalid':
      return refuse(form, 422, { message: contactMessages.checkFields, errors: result.errors });
    case 'captcha':
      return refuse(form, 422, { message: result.message, question: result.question ?? null });
    case 'too-often':
      return refuse(form, 429, { message: tooManyAttempts }, retryAfter(result));
  }
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  const lost: ContactAnswer = {
    ok: false,
    message: contactMessages.failed,
    errors: {},
    values: {},
    question: null,
  };
  return answerWhenLost(serverAction, lost);
}

type Refusal = Exclude<ContactAnswer, { ok: true }>;

function refuse(
  form: FormData,
  status: number,
  refusal: Pick<Refusal, 'message'> & Partial<Refusal>,
  more: Record<string, string> = {},
) {
  const fields = Object.entries(contactLimits) as [ContactField, number][];
  // A little more than the limit, so that a text that is too long is not silently cut.
  const values = Object.fromEntries(
    fields.map(([name, longest]) => [name, readText(form, name).slice(0, longest * 2)]),
  );
  return data<ContactAnswer>(
    { ok: false, errors: {}, question: null, values, ...refusal },
    { status, headers: more },
  );
}

export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export const meta = fixedMeta({
  path: '/contact',
  title: 'Contact Us',
  description: 'Write to us about a deal, a price that is wrong, your account or anything else.',
});

export default function ContactPage({ loaderData, actionData }: Route.ComponentProps) {
  const viewer = useViewer();
  if (actionData?.ok) return <MessageSent replyHours={loaderData.replyHours} />;
  return (
    <>
      <PageHeading title="Contact Us">
        Tell us about a deal, a price that is wrong, your account or anything else. A person reads
        every message and answers within {loaderData.replyHours} hours.
      </PageHeading>
      <div className={styles.columns}>
        <section className={styles.box} aria-labelledby="write">
          <h2 id="write">Send us a message</h2>
          <p className={styles.note}>All four fields are needed.</p>
          <ContactForm answer={actionData ?? null} email={viewer?.email ?? ''} />
        </section>
        <ContactFacts {...loaderData} />
      </div>
    </>
  );
}

/** Replaces the form and takes the focus, so that screen readers announce it. */
function MessageSent({ replyHours }: { replyHours: number }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div ref={panel} tabIndex={-1} className={styles.sent}>
      <MessagePanel
        icon="check"
        level={1}
        title={contactMessages.sent}
        actions={
          <>
            <PrimaryLink to="/contact">{contactMessages.sendAnother}</PrimaryLink>
            <ButtonLink to="/deals">Browse All Deals</ButtonLink>
          </>
        }
      >
        <p>
          Thank you for writing to us. We answer within {replyHours} hours, to the address you gave.
        </p>
      </MessagePanel>
    </div>
  );
}
