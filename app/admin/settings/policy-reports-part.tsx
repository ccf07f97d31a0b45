import { Form } from 'react-router';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import type { PolicyReportRow } from '#app/platform/policy-report-queries.server.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { Button } from '#app/ui/button.tsx';
import styles from './settings-page.module.css';

export interface PolicyReportsShown {
  rows: PolicyReportRow[];
  total: number;
  most: number;
  isOn: boolean;
}

/** What browsers reported that the site's content policy stopped (R57). */
export function PolicyReportsPart({ rows, total, most, isOn }: PolicyReportsShown) {
  const { timeZone } = useSite();
  return (
    <section className={styles.part} aria-labelledby="policy-reports">
      <h2 id="policy-reports">Content Policy Reports</h2>
      <p className={styles.note}>
        {isOn
          ? 'What visitors’ browsers refused to load or run on a page, by the policy that the site sends with it. Some of it comes from extensions of theirs; anybody can send such reports. Each kind is forgotten 30 days after its last report.'
          : 'Not collected: CSP_REPORTS is off.'}
      </p>
      {total === 0 ? <p>Nothing was reported.</p> : null}
      {total >= most ? (
        <p>
          {`The most kinds that are kept (${most}) are reached: new ones are not counted. Forget them to begin anew.`}
        </p>
      ) : null}
      {total > rows.length ? <p>{`The ${rows.length} reported last, of ${total}:`}</p> : null}
      {rows.length > 0 ? (
        <ol className={styles.reports}>
          {rows.map(({ directive, blocked, path, seen, lastSeenAt }) => (
            <li key={`${directive} ${blocked} ${path}`}>
              <p>
                <code>{directive}</code> stopped <code>{blocked}</code> on <code>{path}</code>
              </p>
              <p className={styles.note}>
                {seen === 1 ? 'Once' : `${seen.toLocaleString('en-US')} times`}, last on{' '}
                {fullTime(lastSeenAt, timeZone)}
              </p>
            </li>
          ))}
        </ol>
      ) : null}
      {total > 0 ? (
        <Form method="post">
          <input type="hidden" name="intent" value="forget-policy-reports" />
          <Button type="submit" look="secondary">
            Forget Reports
          </Button>
        </Form>
      ) : null}
    </section>
  );
}
