import { data } from 'react-router';
import type { Route } from './+types/unsubscribe-page';
import {
  type NewsletterLink,
  unsubscribeByLink,
} from '#app/features/newsletter/follow-newsletter-link.server.ts';
import { type Preferences, readPreferences } from '#app/features/newsletter/preferences.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { fixedMeta } from '#app/storefront/chrome/page-meta.ts';
import { HiddenFields } from '#app/ui/act-form.tsx';
import { Button, buttonClass, ButtonLink } from '#app/ui/button.tsx';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { answerLink, showLink } from './answer-newsletter-link.server.ts';
import styles from './unsubscribe-page.module.css';

/**
 * Shows the page of an unsubscribe link. After one list is left, also shows the emails that the
 * person still gets.
 */
export async function loader(asked: Route.LoaderArgs) {
  const shown = showLink(asked);
  const { link } = shown.data;
  const preferences = link && (await readPreferences(appServices(asked.context).db, link));
  const lists = preferences?.isActive ? preferences.lists : [];
  return data({ link, lists }, shown.init ?? undefined);
}

export const action = (asked: Route.ActionArgs) => answerLink(asked, unsubscribeByLink);

export const meta = fixedMeta({
  path: '/unsubscribe',
  title: 'Unsubscribe',
  description: 'Leave the newsletter.',
  isIndexed: false,
});

export default function UnsubscribePage({ loaderData, actionData }: Route.ComponentProps) {
  const { link, lists } = loaderData;
  if (!link) {
    return (
      <DeadLinkPanel actions={<WayHome />}>
        <p>Invalid unsubscribe link. Please check your email for the correct link.</p>
        <Contact />
      </DeadLinkPanel>
    );
  }
  if (!actionData) return <Processing {...link} />;
  if (!actionData.isDone) return <Failure {...link} />;
  return lists.length > 0 ? <LeftOne link={link} lists={lists} /> : <Success {...link} />;
}

/**
 * With JavaScript, the form is submitted at once. Without it, or after navigating back, the form
 * has a button.
 */
function Processing({ email, token, newsletter, list }: NewsletterLink) {
  return (
    <NarrowPage title="Unsubscribe">
      <form method="post" data-post-at-once className={styles.leave}>
        <HiddenFields
          fields={{ email, token, ...(newsletter && { newsletter }), ...(list && { list }) }}
        />
        <p role="status" className={styles.processing}>
          Processing...
        </p>
        <p>
          {email}
          <span className={styles.question}>
            {' '}
            will get no more of {list ? 'these emails' : 'our newsletters'} once you press the
            button.
          </span>
        </p>
        <p className={styles.question}>
          <Button type="submit" variant="primary" isWide>
            Unsubscribe
          </Button>
        </p>
      </form>
    </NarrowPage>
  );
}

/**
 * The page after leaving one list: the remaining lists, and a button to unsubscribe from
 * everything.
 */
function LeftOne({ link, lists }: { link: NewsletterLink; lists: Preferences['lists'] }) {
  const { email, token } = link;
  const names = (isOn: boolean) =>
    lists.flatMap((list) => (list.isOn === isOn ? [list.name] : [])).join(', ');
  const choose = `/newsletter/preferences?${new URLSearchParams({ email, token })}`;
  return (
    <NarrowPage title="Unsubscribe">
      <DonePanel
        icon="check"
        title="Unsubscribed Successfully"
        address={email}
        actions={<WayHome href={choose} label="Choose what you get" />}
      >
        You will no longer get: {names(false)}. You still get: {names(true)}.
      </DonePanel>
      <form method="post">
        <HiddenFields fields={{ email, token }} />
        <Button type="submit" isWide>
          Unsubscribe from everything
        </Button>
      </form>
      <Contact />
    </NarrowPage>
  );
}

function Success({ email }: NewsletterLink) {
  const { newsletterPath } = useSite();
  return (
    <NarrowPage title="Unsubscribe">
      <DonePanel
        icon="check"
        title="Unsubscribed Successfully"
        address={email}
        actions={<WayHome href={newsletterPath} label="Resubscribe to Newsletter" />}
      >
        You have been successfully unsubscribed from our newsletter.
      </DonePanel>
      <Contact />
    </NarrowPage>
  );
}

function Failure({ email, token }: NewsletterLink) {
  const href = `/unsubscribe?${new URLSearchParams({ email, token })}`;
  return (
    <NarrowPage title="Unsubscribe Failed">
      <div className="stack gap-3">
        <p>Failed to unsubscribe. Please try again or contact support.</p>
        <p>
          The link for {email} may be older than your last subscription. Use the link in the newest
          newsletter.
        </p>
        <Contact />
      </div>
      <div className="row gap-3">
        <WayHome href={href} label="Try Again" />
      </div>
    </NarrowPage>
  );
}

/** Links to the next step, if there is one, and to the homepage. */
function WayHome({ href, label }: { href?: string; label?: string }) {
  return (
    <>
      {href ? (
        <a className={buttonClass({ variant: 'primary' })} href={href}>
          {label}
        </a>
      ) : null}
      <ButtonLink to="/">Go to Homepage</ButtonLink>
    </>
  );
}

function Contact() {
  const { contactEmail } = useSite();
  return (
    <p className="muted">
      Need help? <a href="/contact">Contact us</a>
      {contactEmail ? (
        <>
          , or write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        </>
      ) : null}
      .
    </p>
  );
}
