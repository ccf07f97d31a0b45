import type { PropsWithChildren } from 'react';
import { data } from 'react-router';
import type { Route } from './+types/unsubscribe-page';
import {
  readNewsletterLink,
  unsubscribeByLink,
} from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { Button, buttonClass, ButtonLink } from '#app/ui/button.tsx';
import type { IconName } from '#app/ui/icon.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import styles from './unsubscribe-page.module.css';

/** Opening the link changes nothing: a mail scanner that follows it unsubscribes nobody (P17, R15). */
export function loader({ request }: Route.LoaderArgs) {
  const link = readNewsletterLink(new URL(request.url).searchParams);
  return data({ link }, { status: link ? 200 : 400 });
}

export async function action({ request, context }: Route.ActionArgs) {
  const link = readNewsletterLink(await readFormBody(request));
  const isDone = link !== null && (await unsubscribeByLink(appServices(context).db, link));
  return data({ isDone }, { status: isDone ? 200 : 400 });
}

export const meta = fixedMeta({
  path: '/unsubscribe',
  title: 'Unsubscribe',
  description: 'Leave the newsletter.',
  isIndexed: false,
});

export default function UnsubscribePage({ loaderData, actionData }: Route.ComponentProps) {
  const { link } = loaderData;
  if (!link) {
    return (
      <Outcome icon="alert" title="Invalid Link">
        <p>Invalid unsubscribe link. Please check your email for the correct link.</p>
      </Outcome>
    );
  }
  if (!actionData) return <Processing {...link} />;
  return actionData.isDone ? <Success email={link.email} /> : <Failure {...link} />;
}

/** With script the form goes at once; without it, and for those who come back, there is its button. */
function Processing({
  email,
  token,
  newsletter,
}: NonNullable<ReturnType<typeof readNewsletterLink>>) {
  return (
    <MessagePanel icon="mail" title="Unsubscribe" level={1}>
      <form method="post" data-post-at-once className={styles.leave}>
        <input type="hidden" name="email" value={email} />
        <input type="hidden" name="token" value={token} />
        {newsletter ? <input type="hidden" name="newsletter" value={newsletter} /> : null}
        <p role="status" className={styles.processing}>
          Processing...
        </p>
        <p>
          {email}
          <span className={styles.question}>
            {' '}
            will get no more newsletters once you press the button.
          </span>
        </p>
        <p className={styles.question}>
          <Button type="submit" look="primary">
            Unsubscribe
          </Button>
        </p>
      </form>
    </MessagePanel>
  );
}

function Success({ email }: { email: string }) {
  return (
    <Outcome
      icon="check"
      title="Unsubscribed Successfully"
      wayOn={{ href: '/#newsletter', label: 'Resubscribe to Newsletter' }}
    >
      <p>You have been successfully unsubscribed from our newsletter.</p>
      <p>{email}</p>
    </Outcome>
  );
}

function Failure({ email, token }: { email: string; token: string }) {
  const href = `/unsubscribe?${new URLSearchParams({ email, token })}`;
  return (
    <Outcome icon="alert" title="Unsubscribe Failed" wayOn={{ href, label: 'Try Again' }}>
      <p>Failed to unsubscribe. Please try again or contact support.</p>
      <p>
        The link for {email} may be older than your last subscription: the one in the newest
        newsletter works.
      </p>
    </Outcome>
  );
}

/** The outcome of the link, what to do about it, and whom to ask. */
function Outcome({
  wayOn,
  children,
  ...panel
}: PropsWithChildren<{
  icon: IconName;
  title: string;
  wayOn?: { href: string; label: string };
}>) {
  const { contactEmail } = useSite();
  return (
    <MessagePanel
      {...panel}
      level={1}
      actions={
        <>
          {wayOn ? (
            <a className={buttonClass({ look: 'primary' })} href={wayOn.href}>
              {wayOn.label}
            </a>
          ) : null}
          <ButtonLink to="/">Go to Homepage</ButtonLink>
        </>
      }
    >
      {children}
      <p>
        Need help? <a href="/contact">Contact us</a>
        {contactEmail ? (
          <>
            , or write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          </>
        ) : null}
        .
      </p>
    </MessagePanel>
  );
}
