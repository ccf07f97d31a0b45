import type { NotifiedBrowser } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import type { PushSwitch } from '#app/features/price-alerts/push-switch.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { Island } from '#app/islands/island.tsx';
import { shortDate } from '#app/platform/time-words.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import styles from './notified-browsers.module.css';

export interface ListedBrowser extends Omit<NotifiedBrowser, 'user_agent'> {
  /** A name such as "Firefox on Linux". */
  name: string;
}

/**
 * The browsers that get push notifications in addition to email. Each can be stopped from any
 * browser, even without JavaScript.
 */
export function NotifiedBrowsers({
  publicKey,
  browsers,
}: {
  publicKey: string;
  browsers: readonly ListedBrowser[];
}) {
  const { timeZone } = useSite();
  return (
    <section className={styles.section} aria-labelledby="notified-browsers">
      <h2 id="notified-browsers">Notifications</h2>
      <p>
        In addition to email, your browser can notify you when an alert fires or a watched search
        has news, even while this site is closed.
      </p>
      <Island<typeof PushSwitch> name="push-switch" wakesOn="visible" props={{ publicKey }} />
      <noscript>
        <p className="small">To add this browser, turn JavaScript on.</p>
      </noscript>
      {browsers.length > 0 ? (
        <ul className={styles.list}>
          {browsers.map(({ id, name, created_at, endpointHash }) => (
            <li key={id} data-key={id} data-endpoint={endpointHash}>
              <span>
                {name}
                <span className="small">since {shortDate(created_at, timeZone)}</span>
              </span>
              <PostButton
                fields={{ intent: 'stop-browser', id }}
                form={{ action: '/price-alerts' }}
                aria-label={`Stop: ${name}`}
              >
                Stop
              </PostButton>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
