import { type ComponentType, useEffect, useState } from 'react';
import { Form } from 'react-router';
import type { NotifiedBrowser } from '#app/features/price-alerts/push-subscription-queries.server.ts';
import type { PushSwitch } from '#app/features/price-alerts/push-switch.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { shortDate } from '#app/platform/time-words.ts';
import { Button } from '#app/ui/button.tsx';
import styles from './notified-browsers.module.css';

type Switch = ComponentType<Parameters<typeof PushSwitch>[0]>;

export interface ListedBrowser extends Omit<NotifiedBrowser, 'user_agent'> {
  /** "Firefox on Linux" */
  name: string;
}

/** Which browsers are told beside the mail. Each can be stopped from anywhere and without scripts. */
export function NotifiedBrowsers({
  publicKey,
  browsers,
}: {
  publicKey: string;
  browsers: readonly ListedBrowser[];
}) {
  const { timeZone } = useSite();
  const [Loaded, setLoaded] = useState<Switch | null>(null);
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
        Beside the mail, a browser can tell you the moment an alert fires, even while this site is
        closed.
      </p>
      {Loaded ? (
        <Loaded
          publicKey={publicKey}
          endpointHashes={browsers.map((browser) => browser.endpointHash)}
        />
      ) : null}
      <noscript>
        <p className={styles.muted}>To add this browser, switch JavaScript on.</p>
      </noscript>
      {browsers.length > 0 ? (
        <ul className={styles.list}>
          {browsers.map(({ id, name, created_at }) => (
            <li key={id}>
              <span>
                {name}
                <span className={styles.muted}>since {shortDate(created_at, timeZone)}</span>
              </span>
              <Form method="post" action="/price-alerts" preventScrollReset>
                <input type="hidden" name="id" value={id} />
                <Button
                  type="submit"
                  name="intent"
                  value="stop-browser"
                  aria-label={`Stop: ${name}`}
                >
                  Stop
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
