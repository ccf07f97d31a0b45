import { data, Form } from 'react-router';
import type { Route } from './+types/outbox-mail-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { writeAudit } from '#app/platform/audit/audit.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { entryColumns, retryMails } from '#app/platform/mail/outbox-queries.server.ts';
import { pickFields } from '#app/platform/pick-fields.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { AdminHeading } from '../frame/admin-heading.tsx';
import { redirectWithError, redirectWithFlash } from '../frame/flash.server.ts';
import { titled } from '../frame/titled.ts';
import { stateLabels } from './mail-state-labels.ts';
import styles from './outbox.module.css';
import { readOutboxMail } from './read-outbox-mail.server.ts';

export async function loader({ params, context }: Route.LoaderArgs) {
  const viewer = requireRight(context, 'mail.read');
  const read = await readOutboxMail(context, viewer, params.id);
  if (!read) throw data(null, { status: 404 });
  const content = read.content.state === 'written' ? read.content : null;
  const written = content?.written;
  return {
    mail: pickFields(read.mail, entryColumns),
    contentState: read.content.state,
    hidesLinks: content?.hidesLinks ?? false,
    subject: written?.subject ?? null,
    text: written?.text ?? null,
    unsubscribePath: written?.unsubscribePath ?? null,
  };
}

/** Queues an email again. */
export async function action({ params, context }: Route.ActionArgs) {
  const user = requireRight(context, 'mail.retry');
  const { db } = appServices(context);
  const read = await readOutboxMail(context, user, params.id);
  if (!read) throw data(null, { status: 404 });
  const { id } = read.mail;
  const isQueued = await db.transaction().execute(async (tx) => {
    if ((await retryMails(tx, id)) === 0) return false;
    await writeAudit(tx, { actor: user.id, action: 'mail.retry', entity: 'mail', entityId: id });
    return true;
  });
  const here = `/admin/outbox/${id}`;
  return isQueued
    ? redirectWithFlash(context, here, 'The email is queued again.')
    : redirectWithError(context, here, 'The email is already on its way.');
}

export const meta = titled('Mail');

const explanations = {
  gone: 'This email can no longer be shown, because its subject was deleted.',
  private: 'This email is about a staff account. Only its owner and a super admin may read it.',
} as const;

export default function OutboxMailPage({ loaderData }: Route.ComponentProps) {
  const { mail, contentState, hidesLinks, subject, text, unsubscribePath } = loaderData;
  const { timeZone } = useSite();
  const facts: [string, string | null][] = [
    ['Kind', mail.kind],
    ['To', mail.recipient],
    ['State', stateLabels[mail.state]],
    ['Attempts', String(mail.attempts)],
    ['Server response', mail.reply ?? mail.last_error],
    [
      'Interrupted after it was handed over',
      mail.unsure_count > 0 ? `${mail.unsure_count} times` : null,
    ],
    ['Queued', fullTime(mail.created_at, timeZone)],
    ['Sent', mail.sent_at && fullTime(mail.sent_at, timeZone)],
    ['Next attempt', mail.state === 'queued' ? fullTime(mail.due_at, timeZone) : null],
    ['List-Unsubscribe', unsubscribePath],
  ];
  return (
    <>
      <AdminHeading
        title={subject ?? `Mail #${mail.id}`}
        more={
          <ButtonLink to="/admin/outbox" variant="quiet">
            All emails
          </ButtonLink>
        }
      />
      <dl className={styles.facts}>
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {mail.state === 'failed' || mail.state === 'kept' ? (
        <Form method="post">
          <Button type="submit">Send again</Button>
        </Form>
      ) : null}
      {contentState === 'written' ? (
        <div className={styles.written}>
          {hidesLinks ? (
            <p>
              Links that act for the recipient are hidden. To see them, run
              {mail.state === 'sent' ? null : (
                <>
                  {' '}
                  <code>deals mail show {mail.id}</code> on the server.
                </>
              )}
            </p>
          ) : null}
          <h2>As HTML</h2>
          {/* The frame is sandboxed: no scripts, forms or navigation. */}
          <iframe
            className={styles.frame}
            title="The email as HTML"
            src={`/admin/outbox/${mail.id}/html`}
            sandbox=""
          />
          <h2>As text</h2>
          <pre className={styles.text}>{withLinks(text ?? '')}</pre>
        </div>
      ) : (
        <p>{explanations[contentState]}</p>
      )}
    </>
  );
}

/** Turns whole addresses in the text into links, so that staff can open an email's deals. */
function withLinks(text: string) {
  return Object.entries(text.split(/(https?:\/\/[^\s<>]+)/)).map(([place, part]) =>
    Number(place) % 2 === 1 && !part.endsWith('…') ? (
      <a key={place} href={part} rel="noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
