import {
  hasRest,
  isWithinChance,
  readVariantB,
  type Variant,
} from '#app/features/newsletter/subject-test.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { fullTime } from '#app/platform/time-words.ts';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import styles from './newsletters.module.css';
import type { ShownNewsletter } from './read-newsletter-page.server.ts';

const hour = 3_600_000;

/**
 * Both variants of a subject test, with buttons to choose the subject for the remaining
 * subscribers.
 */
export function TestResults({ shown: { newsletter, test, maySend } }: { shown: ShownNewsletter }) {
  const b = readVariantB(newsletter);
  if (b === null || test === null) return null;
  const { id, winner, state, tested_at: testedAt, subject, preview } = newsletter;
  const mayChoose = maySend && testedAt !== null && winner === null && state !== 'sent';
  const texts = { a: { subject, preview }, b };
  return (
    <section className={styles.panel} aria-labelledby="test-results">
      <h2 id="test-results">Subject test</h2>
      <table className={styles.links}>
        <thead>
          <tr>
            <th scope="col">Subject</th>
            <th scope="col">Clicks / emails sent</th>
          </tr>
        </thead>
        <tbody>
          {(['a', 'b'] as const).map((variant) => (
            <tr key={variant}>
              <td>
                {variant.toUpperCase()}: {texts[variant].subject}
                {texts[variant].preview === '' ? '' : ` (${texts[variant].preview})`}
              </td>
              <td>
                {test[variant].clicks.toLocaleString('en-US')} of{' '}
                {test[variant].sent.toLocaleString('en-US')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small anywhere">
        {isWithinChance(test.a, test.b)
          ? 'The difference could be due to chance.'
          : 'The difference is unlikely to be due to chance.'}{' '}
        Repeated clicks by one person count.
      </p>
      <Rest newsletter={newsletter} />
      {mayChoose
        ? (['a', 'b'] as const).map((variant) => (
            <ConfirmAct
              key={variant}
              label={`Send the rest with ${variant.toUpperCase()}`}
              question={`Send the rest with subject ${variant.toUpperCase()}?`}
              detail={<p>“{texts[variant].subject}”</p>}
              confirmLabel="Send the rest"
              confirmVariant="primary"
              action={`/admin/newsletters/${id}/send`}
              fields={{ intent: 'choose', variant: variant satisfies Variant }}
            />
          ))
        : null}
    </section>
  );
}

/** The time and the subject of the email to the remaining subscribers. */
function Rest({ newsletter }: { newsletter: ShownNewsletter['newsletter'] }) {
  const { timeZone } = useSite();
  const { winner, tested_at: testedAt, test_hours: hours } = newsletter;
  if (!hasRest(newsletter)) return null;
  if (winner !== null) {
    return <p className="small anywhere">The rest gets subject {winner.toUpperCase()}.</p>;
  }
  if (testedAt === null) return <p className="small anywhere">The test is being sent.</p>;
  const at = hours === null ? null : new Date(testedAt.getTime() + hours * hour);
  return (
    <p className="small anywhere">
      {at === null
        ? 'The rest waits until you choose.'
        : `The rest gets the subject with more clicks per email on ${fullTime(at, timeZone)}.`}
    </p>
  );
}
