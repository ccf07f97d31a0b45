import type { ReactNode } from 'react';
import { withinHours } from '#app/features/contact/contact-messages.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import type { SupportTime } from '#app/features/site-settings/site-settings.ts';
import { Icon, type IconName } from '#app/ui/icon.tsx';
import styles from './contact-page.module.css';

/** The column beside the form: other contact details and support hours. */
export function ContactFacts({
  supportTimes,
  replyHours,
}: {
  supportTimes: SupportTime[];
  replyHours: number | null;
}) {
  const { contactEmail, contactPhone, company, postalAddress, imprint } = useSite();
  return (
    <aside className={styles.facts} aria-label="Other ways to reach us">
      {contactEmail ? (
        <Fact icon="mail" title="Email">
          <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          {replyHours === null ? null : <p>We answer{withinHours(replyHours)}.</p>}
        </Fact>
      ) : null}
      {contactPhone ? (
        <Fact icon="smartphone" title="Phone">
          <p>{contactPhone}</p>
        </Fact>
      ) : null}
      {supportTimes.length > 0 ? (
        <Fact icon="clock" title="Support hours">
          <dl className={styles.times}>
            {supportTimes.map(({ days, hours }) => (
              <div key={days}>
                <dt>{days}</dt>
                <dd>{hours}</dd>
              </div>
            ))}
          </dl>
        </Fact>
      ) : null}
      {company ? (
        <Fact icon="store" title="Company">
          <p>{company}</p>
        </Fact>
      ) : null}
      {postalAddress ? (
        <Fact icon="mail" title="Postal address">
          <p className={styles.lines}>{postalAddress}</p>
        </Fact>
      ) : null}
      {imprint ? (
        <Fact icon="info" title="Imprint" id="imprint">
          <p className={styles.lines}>{imprint}</p>
        </Fact>
      ) : null}
      <Fact icon="info" title="Answers right now">
        <p>
          Most questions are answered in the <a href="/help">Help Center</a> and the{' '}
          <a href="/faq">FAQ</a>.
        </p>
      </Fact>
    </aside>
  );
}

function Fact({
  icon,
  title,
  id,
  children,
}: {
  icon: IconName;
  title: string;
  id?: string;
  children: ReactNode;
}) {
  return (
    <section className={styles.fact} id={id}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}
