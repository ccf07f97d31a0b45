import { formatEarned, formatPerClick } from '#app/features/earnings/format-earned.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { countNoun } from '#app/platform/count-noun.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './newsletters.module.css';
import type { ShownNewsletter } from './read-newsletter-page.server.ts';
import { formatDuration } from './format-duration.ts';
import { Held } from './send-panel.tsx';
import { TestResults } from './test-results.tsx';

/** A newsletter's results so far, with Pause and Resume. */
export function NewsletterResults({ shown }: { shown: ShownNewsletter }) {
  const { newsletter, figures, problem, earned } = shown;
  const { state } = newsletter;
  const clicks = shown.links.reduce((sum, link) => sum + link.clicks, 0);
  return (
    <>
      {state === 'paused' && newsletter.held_because !== null ? (
        <Held because={problem ?? newsletter.held_because} />
      ) : null}
      <section className={styles.panel} aria-labelledby="results">
        <h2 id="results">Results</h2>
        <Progress shown={shown} />
        <dl className={styles.figures}>
          <Figure name="Sent" value={figures.sent} />
          <Figure name="Failed" value={figures.failed} isBad={figures.failed > 0} />
          <Figure name="Unsubscribed" value={newsletter.left_count} />
          <Figure name="Clicks" value={clicks} />
          {earned === null ? null : (
            <>
              <Figure name="Earned" value={formatEarned(earned)} />
              <Figure name="Earned per click" value={formatPerClick(earned, clicks)} />
            </>
          )}
        </dl>
        {figures.skipped > 0 ? (
          <p className="small anywhere">
            {countNoun(figures.skipped, 'subscriber')} unsubscribed before their turn and were
            skipped.
          </p>
        ) : null}
        {figures.failed > 0 ? (
          <p className="small anywhere">
            <Link to="/admin/outbox?q=newsletter&state=failed">See the failed emails</Link> with the
            server responses.
          </p>
        ) : null}
      </section>
      <TestResults shown={shown} />
      <Links links={shown.links} earnedByLink={shown.earnedByLink} />
    </>
  );
}

function Progress({ shown }: { shown: ShownNewsletter }) {
  const { timeZone } = useSite();
  const { newsletter, figures, rate, maySend } = shown;
  const { state, recipients, started_at: begun, finished_at: ended } = newsletter;
  const total = recipients ?? 0;
  const done = figures.sent + figures.failed + figures.skipped;
  const left = Math.max(0, total - done);
  const isWaiting = newsletter.tested_at !== null && newsletter.winner === null;
  return (
    <>
      <progress
        className={styles.progress}
        max={Math.max(1, state === 'sent' ? done : total)}
        value={done}
        aria-label="Emails processed"
      />
      <p className="small anywhere" role="status">
        {state === 'sent'
          ? `Finished ${ended ? fullTime(ended, timeZone) : ''}. It was for ${countNoun(total, 'subscriber')}.`
          : `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')} done. `}
        {isWaiting ? 'The rest waits for the winner of the subject test.' : null}
        {state === 'sending' && left > 0 && !isWaiting
          ? `About ${formatDuration((left / rate) * 3600)} left, at ${rate.toLocaleString('en-US')} an hour.`
          : null}
        {state === 'paused' ? 'Paused: nothing is being sent.' : null}
      </p>
      {begun && state !== 'sent' ? (
        <p className="small anywhere">Started {fullTime(begun, timeZone)}.</p>
      ) : null}
      {state === 'sending' ? <PostButton fields={{ intent: 'pause' }}>Pause</PostButton> : null}
      {state === 'paused' && maySend ? (
        <PostButton
          variant="primary"
          fields={{ intent: 'resume' }}
          form={{ action: `/admin/newsletters/${newsletter.id}/send` }}
        >
          Resume
        </PostButton>
      ) : null}
    </>
  );
}

function Figure({ name, value, isBad }: { name: string; value: number | string; isBad?: boolean }) {
  return (
    <div className={styles.figure} data-bad={isBad || undefined}>
      <dt>{name}</dt>
      <dd>{value.toLocaleString('en-US')}</dd>
    </div>
  );
}

/** The number of clicks on each link. */
function Links({ links, earnedByLink: earned }: Pick<ShownNewsletter, 'links' | 'earnedByLink'>) {
  if (links.length === 0) return null;
  return (
    <section className={styles.panel} aria-labelledby="clicks">
      <h2 id="clicks">Clicks</h2>
      <table className={styles.links}>
        <thead>
          <tr>
            <th scope="col">Link</th>
            <th scope="col">Clicks</th>
            {earned === null ? null : <th scope="col">Earned per click</th>}
          </tr>
        </thead>
        <tbody>
          {links.map(({ position, href, label, clicks }) => (
            <tr key={position}>
              <td>
                <a href={href} rel="noreferrer">
                  {label}
                </a>
              </td>
              <td>{clicks.toLocaleString('en-US')}</td>
              {earned === null ? null : (
                <td>{formatPerClick(earned.get(position) ?? [], clicks)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small anywhere">
        We count clicks on links, but not who clicked, and we don’t track opens. Known bots are left
        out.
      </p>
    </section>
  );
}
