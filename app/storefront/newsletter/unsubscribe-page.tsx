import { useEffect, useRef } from 'react';
import {
  data,
  Form,
  type ShouldRevalidateFunctionArgs,
  useNavigation,
  useSubmit,
} from 'react-router';
import type { Route } from './+types/unsubscribe-page';
import {
  readNewsletterLink,
  unsubscribeByLink,
} from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { pageMeta } from '#app/storefront/chrome/page-meta.ts';
import { Button, buttonClass, ButtonLink } from '#app/ui/button.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';

/** Opening the link changes nothing: a mail scanner that follows it unsubscribes nobody (P17, R15). */
export function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const link = readNewsletterLink(searchParams);
  return data(
    { email: link?.email ?? null, token: link?.token ?? null },
    { status: link ? 200 : 400 },
  );
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db } = appServices(context);
  const link = readNewsletterLink(await readFormBody(request));
  if (!link) return data({ isDone: false }, { status: 400 });
  const isDone = await unsubscribeByLink(db, link);
  return data({ isDone }, { status: isDone ? 200 : 400 });
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({
    site: matches[0].loaderData?.site,
    path: '/unsubscribe',
    title: 'Unsubscribe',
    description: 'Leave the newsletter.',
    isIndexed: false,
  });
}

/** The page's own post does not ask for the page again: its answer is the page. */
export function shouldRevalidate({ formMethod }: ShouldRevalidateFunctionArgs) {
  return formMethod !== 'POST';
}

export default function UnsubscribePage({ loaderData, actionData }: Route.ComponentProps) {
  const { email, token } = loaderData;
  if (email === null || token === null) return <InvalidLink />;
  if (!actionData) return <Processing email={email} token={token} />;
  return actionData.isDone ? <Success email={email} /> : <Failure email={email} token={token} />;
}

/** With script the page posts at once; without it there is the button. */
function Processing({ email, token }: { email: string; token: string }) {
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);
  const submit = useSubmit();
  const isBusy = useNavigation().state === 'submitting';

  useEffect(() => {
    if (isSent.current || !form.current) return;
    isSent.current = true;
    void submit(form.current, { replace: true });
  }, [submit]);

  return (
    <MessagePanel icon="mail" title="Unsubscribe" level={1}>
      <p role="status" data-needs-js>
        Processing...
      </p>
      <p>
        {email} <span data-without-js>will get no more newsletters once you press the button.</span>
      </p>
      <Form ref={form} method="post">
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="token" value={token} />
        <p data-without-js>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Unsubscribe
          </Button>
        </p>
      </Form>
    </MessagePanel>
  );
}

function Success({ email }: { email: string }) {
  return (
    <MessagePanel
      icon="check"
      title="Unsubscribed Successfully"
      level={1}
      actions={
        <>
          <a className={buttonClass({ look: 'primary' })} href="/#newsletter">
            Resubscribe to Newsletter
          </a>
          <ButtonLink to="/">Go to Homepage</ButtonLink>
        </>
      }
    >
      <p>You have been successfully unsubscribed from our newsletter.</p>
      <p>{email}</p>
      <ContactLine />
    </MessagePanel>
  );
}

function Failure({ email, token }: { email: string; token: string }) {
  return (
    <MessagePanel
      icon="alert"
      title="Unsubscribe Failed"
      level={1}
      actions={
        <>
          <a
            className={buttonClass({ look: 'primary' })}
            href={`/unsubscribe?${new URLSearchParams({ email, token })}`}
          >
            Try Again
          </a>
          <ButtonLink to="/">Go to Homepage</ButtonLink>
        </>
      }
    >
      <p>Failed to unsubscribe. Please try again or contact support.</p>
      <p>
        The link for {email} may be older than your last subscription: the one in the newest
        newsletter works.
      </p>
      <ContactLine />
    </MessagePanel>
  );
}

function InvalidLink() {
  return (
    <MessagePanel
      icon="alert"
      title="Invalid Link"
      level={1}
      actions={<ButtonLink to="/">Go to Homepage</ButtonLink>}
    >
      <p>Invalid unsubscribe link. Please check your email for the correct link.</p>
      <ContactLine />
    </MessagePanel>
  );
}

function ContactLine() {
  const { contactEmail } = useSite();
  return (
    <p>
      Need help? <a href="/contact">Contact us</a>, or write to{' '}
      <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
    </p>
  );
}
