import { useSite } from '#app/features/site-settings/site-context.tsx';
import type { SystemInfo } from '#app/features/desk/read-system-info.server.ts';
import type { listPolicyReports } from '#app/platform/policy-report-queries.server.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { PostButton } from '#app/ui/act-form.tsx';
import { Link } from '#app/ui/link.tsx';
import styles from './settings-page.module.css';

interface PolicyReports {
  reports: Awaited<ReturnType<typeof listPolicyReports>>;
  most: number;
  isOn: boolean;
}

/** System Info, measured now, and the reports of blocked content. */
export function SystemPart({ info, ...policy }: PolicyReports & { info: SystemInfo }) {
  const { timeZone } = useSite();
  const rows = [
    ['Environment', info.environment],
    ['Build', info.builtAt ? fullTime(info.builtAt, timeZone) : 'Development'],
    ['Version', info.version],
    ['Node', info.node],
    ['Database', info.database],
    ['Link checks', info.checksLinks ? 'On' : 'Off (LINK_CHECKS)'],
    ['Copied pictures', describePictures(info.pictures)],
  ] as const;
  return (
    <>
      <section className={styles.part} aria-labelledby="system">
        <h2 id="system">System Info</h2>
        <dl className={`pairs stack gap-2 ${styles.facts}`}>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p>
          For the site’s health, see System Status on the <Link to="/admin">dashboard</Link>.
        </p>
      </section>
      <PolicyReportsPart {...policy} />
    </>
  );
}

function describePictures(pictures: SystemInfo['pictures']): string {
  if (!pictures) return 'None (PICTURES_MB)';
  const { copied, waiting, refused, bytes, mostMb } = pictures;
  const number = (value: number) => value.toLocaleString('en-US');
  const room = `${number(Math.ceil(bytes / 2 ** 20))} of ${number(mostMb)} MB`;
  return `${number(copied)} (${room}), ${number(waiting)} waiting, ${number(refused)} refused`;
}

/** Browser reports of content blocked by the site's content policy. */
function PolicyReportsPart({ reports: { rows, total }, most, isOn }: PolicyReports) {
  const { timeZone } = useSite();
  return (
    <section className={styles.part} aria-labelledby="policy-reports">
      <h2 id="policy-reports">Content Policy Reports</h2>
      <p className="muted">
        {isOn
          ? 'Content that visitors’ browsers blocked because of the site’s content policy. Browser extensions cause some of these reports, and anyone can send one. Each kind is deleted 30 days after its last report.'
          : 'Not collected: CSP_REPORTS is off.'}
      </p>
      {total === 0 ? <p>Nothing has been reported.</p> : null}
      {total >= most ? (
        <p>
          {`The limit of ${most} kinds is reached, so new ones are not counted. Clear the reports to start over.`}
        </p>
      ) : null}
      {total > rows.length ? <p>{`The latest ${rows.length} of ${total}:`}</p> : null}
      {rows.length > 0 ? (
        <ol className={styles.reports}>
          {rows.map(({ directive, blocked, path, seen, lastSeenAt }) => (
            <li key={`${directive} ${blocked} ${path}`}>
              <p>
                <code>{directive}</code> blocked <code>{blocked}</code> on <code>{path}</code>
              </p>
              <p className="muted">
                {seen === 1 ? 'Once' : `${seen.toLocaleString('en-US')} times`}, last on{' '}
                {fullTime(lastSeenAt, timeZone)}
              </p>
            </li>
          ))}
        </ol>
      ) : null}
      {total > 0 ? (
        <PostButton fields={{ intent: 'forget-policy-reports' }}>Clear Reports</PostButton>
      ) : null}
    </section>
  );
}
