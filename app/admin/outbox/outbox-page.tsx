import type { Route } from './+types/outbox-page';
import { appServices } from '#app/platform/app-context.server.ts';
import { countOutbox, listOutbox } from '#app/platform/mail/outbox-queries.server.ts';
import { type MailState, mailStates } from '#app/platform/mail/mail-states.ts';
import { describeMail } from '#app/platform/mail/smtp-transport.server.ts';
import { ChipLink } from '#app/ui/chip.tsx';
import { MessagePanel } from '#app/ui/message-panel.tsx';
import { PageHeading } from '#app/ui/page-heading.tsx';
import { stateLabels } from './mail-state-labels.ts';
import styles from './outbox.module.css';

const pageSize = 50;
const deepestPage = 500;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, env } = appServices(context);
  const search = new URL(request.url).searchParams;
  const state = mailStates.find((one) => one === search.get('state')) ?? null;
  const page = Math.min(Math.max(Number(search.get('page')) || 1, 1), deepestPage);
  const [mails, counts] = await Promise.all([
    listOutbox(db, { state, limit: pageSize + 1, offset: (Math.floor(page) - 1) * pageSize }),
    countOutbox(db),
  ]);
  return {
    mails: mails.slice(0, pageSize),
    hasMore: mails.length > pageSize,
    page: Math.floor(page),
    state,
    counts,
    server: env.mail.smtp ? describeMail(env.mail) : null,
  };
}

export function meta() {
  return [{ title: 'Mail outbox' }];
}

export default function OutboxPage({ loaderData }: Route.ComponentProps) {
  const { mails, hasMore, page, state, counts, server } = loaderData;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <PageHeading title="Mail outbox">
        {server === null
          ? 'No mail server is configured: mails are kept here for reading and leave nobody’s machine.'
          : `Mails leave by ${server}.`}
      </PageHeading>
      <nav aria-label="State" className={styles.filters}>
        <ChipLink to="/admin/outbox" isCurrent={state === null}>
          {`All ${all}`}
        </ChipLink>
        {mailStates.map((one) => (
          <ChipLink key={one} to={`/admin/outbox?state=${one}`} isCurrent={state === one}>
            {`${stateLabels[one]} ${counts[one]}`}
          </ChipLink>
        ))}
      </nav>
      {mails.length === 0 ? (
        <MessagePanel icon="mail" title="No mails">
          <p>Mails appear here the moment something causes one.</p>
        </MessagePanel>
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <caption className="visually-hidden">Mails, newest first</caption>
            <thead>
              <tr>
                <th scope="col">Mail</th>
                <th scope="col">To</th>
                <th scope="col">State</th>
                <th scope="col">Tries</th>
                <th scope="col">The server’s words</th>
                <th scope="col">Queued</th>
              </tr>
            </thead>
            <tbody>
              {mails.map((mail) => (
                <tr key={mail.id}>
                  <td>
                    <a href={`/admin/outbox/${mail.id}`}>
                      {mail.kind} #{mail.id}
                    </a>
                  </td>
                  <td>{mail.recipient}</td>
                  <td data-state={mail.state}>{stateLabels[mail.state]}</td>
                  <td>{mail.attempts}</td>
                  <td>{mail.reply ?? mail.last_error ?? ''}</td>
                  <td>
                    <time dateTime={mail.created_at.toISOString()}>{utc(mail.created_at)}</time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <nav aria-label="Pages" className={styles.filters}>
        {page > 1 ? <a href={pageHref(state, page - 1)}>Newer</a> : null}
        {hasMore ? <a href={pageHref(state, page + 1)}>Older</a> : null}
      </nav>
    </>
  );
}

function pageHref(state: MailState | null, page: number): string {
  return `/admin/outbox?${new URLSearchParams({ ...(state ? { state } : {}), page: String(page) })}`;
}

function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
