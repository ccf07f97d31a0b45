import { data } from 'react-router';
import type { Route } from './+types/contact-page';
import { isDatabaseUnavailable } from '#database/is-database-unavailable.ts';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import type { ContactAnswer, ContactRefusal } from '#app/features/contact/contact-answer.ts';
import type { ContactForm } from '#app/features/contact/contact-form.tsx';
import { type ContactField, contactLimits } from '#app/features/contact/contact-limits.ts';
import { contactMessages } from '#app/features/contact/contact-messages.ts';
import {
  type ContactResult,
  sendContactMessage,
} from '#app/features/contact/send-contact-message.server.ts';
import { readSiteSettings } from '#app/features/site-settings/site-settings-queries.server.ts';
import { Island } from '#app/islands/island.tsx';
import { allowPageCache, appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { retryAfter } from '#app/platform/rate-limit.server.ts';
import { tooManyAttempts } from '#app/platform/rate-limits.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { pagesTag, readSiteText } from '#app/features/pages/read-site-text.server.ts';
import { textMeta } from '#app/storefront/reading/text-meta.ts';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { ContactFacts } from './contact-facts.tsx';
import styles from './contact-page.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const { supportTimes, replyHours } = await readSiteSettings(appServices(context).db);
  const { title: heading, intro, head } = await readSiteText(context, 'contact');
  allowPageCache(context, [pagesTag]);
  return { supportTimes, replyHours, heading, intro, head };
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

function refuse(
  form: FormData,
  status: number,
  refusal: Pick<ContactRefusal, 'message'> & Partial<ContactRefusal>,
  more: Record<string, string> = {},
) {
  const fields = Object.entries(contactLimits) as [ContactField, number][];
  // Texts are cut at twice the limit, so that validation still rejects an overlong one.
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

export const meta = (page: Route.MetaArgs) => textMeta(page, '/contact', page.loaderData?.head);

export default function ContactPage({
  loaderData: { replyHours, supportTimes, heading, intro },
  actionData,
}: Route.ComponentProps) {
  const email = useViewer()?.email ?? '';
  return (
    <div className={styles.page}>
      <PageHeading title={heading}>
        {intro ? <span dangerouslySetInnerHTML={{ __html: intro }} /> : null}
      </PageHeading>
      <div className={styles.columns}>
        <Island<typeof ContactForm>
          name="contact-form"
          props={{ answer: actionData ?? null, email, replyHours }}
        />
        <ContactFacts replyHours={replyHours} supportTimes={supportTimes} />
      </div>
    </div>
  );
}
