import { data, Form, redirect } from 'react-router';
import type { Route } from './+types/outbox-mail-page';
import { requireUser } from '#app/features/accounts/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { retryMails } from '#app/platform/mail/outbox-queries.server.ts';
import { Button } from '#app/ui/button.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { stateLabels } from './mail-state-labels.ts';
import styles from './outbox.module.css';
import { readOutboxMail } from './read-outbox-mail.server.ts';

export async function loader({ params, context }: Route.LoaderArgs) {
  const read = await readOutboxMail(context, requireUser(context), params.id);
  if (!read) throw data(null, { status: 404 });
  const { payload: _secret, ...mail } = read.mail;
  const written = read.content.state === 'written' ? read.content.written : null;
  return {
    mail,
    contentState: read.content.state,
    subject: written?.subject ?? null,
    text: written?.text ?? null,
    unsubscribePath: written?.unsubscribePath ?? null,
  };
}

/** "Send again". */
export async function action({ params, context }: Route.ActionArgs) {
  const user = requireUser(context);
  const { db } = appServices(context);
  const read = await readOutboxMail(context, user, params.id);
  if (!read) throw data(null, { status: 404 });
  if ((await retryMails(db, read.mail.id)) > 0) {
    await db
      .insertInto('audit_log')
      .values({
        actor: user.id,
        action: 'mail.retry',
        entity: 'mail',
        entity_id: String(read.mail.id),
      })
      .execute();
  }
  return redirect(`/admin/outbox/${read.mail.id}`);
}

export function meta() {
  return [{ title: 'Mail' }];
}

const explanations = {
  gone: 'This mail cannot be shown any more: what it was about is gone.',
  private:
    'This mail is about the account of somebody on the staff. Only they and a super admin may read it.',
} as const;

export default function OutboxMailPage({ loaderData }: Route.ComponentProps) {
  const { mail, contentState, subject, text, unsubscribePath } = loaderData;
  const facts: [string, string | null][] = [
    ['Kind', mail.kind],
    ['To', mail.recipient],
    ['State', stateLabels[mail.state]],
    ['Tries', String(mail.attempts)],
    ['The server’s words', mail.reply ?? mail.last_error],
    [
      'Cut off after it was handed over',
      mail.unsure_count > 0 ? `${mail.unsure_count} times` : null,
    ],
    ['Queued', mail.created_at.toISOString()],
    ['Sent', mail.sent_at?.toISOString() ?? null],
    ['Next try', mail.state === 'queued' ? mail.due_at.toISOString() : null],
    ['List-Unsubscribe', unsubscribePath],
  ];
  return (
    <>
      <PageHeading title={subject ?? `Mail #${mail.id}`}>
        <a href="/admin/outbox">All mails</a>
      </PageHeading>
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
        <>
          <h2>As HTML</h2>
          {/* Without any right: no script, no form, no way out of its frame. Links are followed from the text below. */}
          <iframe
            className={styles.frame}
            title="The mail as HTML"
            src={`/admin/outbox/${mail.id}/html`}
            sandbox=""
          />
          <h2>As text</h2>
          <pre className={styles.text}>{withLinks(text ?? '')}</pre>
        </>
      ) : (
        <p>{explanations[contentState]}</p>
      )}
    </>
  );
}

/** Addresses of our own in the text become links, so that a verification can be followed from here. */
function withLinks(text: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    index % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the text never changes
      <a key={index} href={part} rel="noreferrer">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
