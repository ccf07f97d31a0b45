import { useEffect, useState } from 'react';
import type { NotifiedBrowser } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import type { PushSwitch } from '#app/features/price-alerts/push-switch.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { shortDate } from '#app/platform/time-words.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import styles from './notified-browsers.module.css';

export interface ListedBrowser extends Omit<NotifiedBrowser, 'user_agent'> {
  /** "Firefox on Linux" */
  name: string;
}

/** The browsers notified beside the mail. Each can be stopped from anywhere, without scripts too. */
export function NotifiedBrowsers({
  publicKey,
  browsers,
}: {
  publicKey: string;
  browsers: readonly ListedBrowser[];
}) {
  const { timeZone } = useSite();
  const [Loaded, setLoaded] = useState<typeof PushSwitch | null>(null);
  useEffect(() => {
    void import('#app/features/price-alerts/push-switch.tsx').then(
      ({ PushSwitch: loaded }) => setLoaded(() => loaded),
      () => {}, // without it the list still works
    );
  }, []);
  return (
    <section className={styles.section} aria-labelledby="notified-browsers">
      <h2 id="notified-browsers">Notifications</h2>
      <p>
        Beside the mail, a browser can tell you the moment an alert fires or a watched search has
        news, even while this site is closed.
      </p>
      {Loaded ? (
        <Loaded
          publicKey={publicKey}
          endpointHashes={browsers.map((browser) => browser.endpointHash)}
        />
      ) : null}
      <noscript>
        <p className="small">To add this browser, switch JavaScript on.</p>
      </noscript>
      {browsers.length > 0 ? (
        <ul className={styles.list}>
          {browsers.map(({ id, name, created_at }) => (
            <li key={id}>
              <span>
                {name}
                <span className="small">since {shortDate(created_at, timeZone)}</span>
              </span>
              <PostButton
                fields={{ intent: 'stop-browser', id }}
                form={{ action: '/price-alerts', preventScrollReset: true }}
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
