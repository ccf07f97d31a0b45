import type { Discovery, ServiceState } from '#app/features/discovery/discovery-state.server.ts';
import {
  discoveryLabels,
  indexNowKeyPath,
  mostCounted,
} from '#app/features/discovery/discovery-services.ts';
import { countNoun } from '#app/platform/count-noun.ts';
import { RelativeTime } from '../frame/relative-time.tsx';
import { StatusPill } from '../frame/status-pill.tsx';
import styles from './settings-page.module.css';

/**
 * The state of IndexNow and WebSub: the last success, the last error and what is waiting to be
 * sent.
 */
export function DiscoveryPart({ unlisted, keyAddress, now, services }: Discovery) {
  const isAnyOn = services.some(({ isOn }) => isOn);
  return (
    <section className={styles.part} aria-labelledby="discovery">
      <h2 id="discovery">Notifications</h2>
      {isAnyOn && unlisted !== null ? (
        <p role="status">Nothing is sent for now. {unlisted}</p>
      ) : null}
      {services.map((service) => (
        <ServicePart key={service.name} service={service} now={now} />
      ))}
      {services.some(({ name, isOn }) => isOn && name === 'indexnow') ? (
        <p className="muted">
          Search engines check the key at <a href={indexNowKeyPath}>{keyAddress}</a>. The site
          created the file itself.
        </p>
      ) : null}
    </section>
  );
}

function ServicePart({
  service: { name, isOn, sentAt, sentCount, failedAt, lastError, stoppedAt, waiting },
  now,
}: {
  service: ServiceState;
  now: Date;
}) {
  const label = discoveryLabels[name];
  const [one, many] = name === 'indexnow' ? ['page', 'pages'] : ['feed', 'feeds'];
  return (
    <div className="stack gap-2">
      <h3>
        {label} <StatePill isOn={isOn} isStopped={stoppedAt !== null} isFailing={!!lastError} />
      </h3>
      <dl className={`pairs stack gap-2 ${styles.facts}`}>
        <div>
          <dt>Last success</dt>
          <dd>
            {sentAt === null ? (
              'None yet'
            ) : (
              <>
                <RelativeTime at={sentAt} now={now} />, {countNoun(sentCount, one, many)}
              </>
            )}
          </dd>
        </div>
        {isOn && lastError !== null ? (
          <div>
            <dt>Last error</dt>
            <dd>
              <RelativeTime at={failedAt} now={now} />: {lastError}
            </dd>
          </div>
        ) : null}
        {isOn ? (
          <div>
            <dt>Waiting</dt>
            <dd>
              {waiting >= mostCounted
                ? `More than ${mostCounted.toLocaleString('en-US')} ${many}`
                : countNoun(waiting, one, many)}
            </dd>
          </div>
        ) : null}
      </dl>
      {isOn && stoppedAt !== null ? (
        <p>Nothing more is sent to {label}. Fix the cause, then press Save to try again.</p>
      ) : null}
    </div>
  );
}

function StatePill({
  isOn,
  isStopped,
  isFailing,
}: Record<'isOn' | 'isStopped' | 'isFailing', boolean>) {
  if (!isOn) return <StatusPill variant="plain">Off</StatusPill>;
  if (isStopped) return <StatusPill variant="bad">Stopped</StatusPill>;
  return isFailing ? (
    <StatusPill variant="warn">Retrying</StatusPill>
  ) : (
    <StatusPill variant="good">On</StatusPill>
  );
}
