import { Form, useNavigation } from 'react-router';
import { problemWords } from '#app/features/newsletter/newsletter-admin-messages.ts';
import { hasRest, readVariantB } from '#app/features/newsletter/subject-test.ts';
import type { SendProblem } from '#app/features/newsletter/newsletter-state.ts';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { countNoun } from '#app/platform/count-noun.ts';
import { fullTime } from '#app/platform/time-words.ts';
import { HiddenFields, PostButton } from '#app/ui/act-form.tsx';
import { Button } from '#app/ui/button.tsx';
import forms from '#app/ui/form.module.css';
import { Link } from '#app/ui/link.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { ConfirmAct } from '../frame/confirm-act.tsx';
import styles from './newsletters.module.css';
import type { ShownNewsletter } from './read-newsletter-page.server.ts';
import { formatDuration } from './format-duration.ts';

/** The steps to send a draft: what is missing, a test, the audience and the time. */
export function SendPanel({ shown }: { shown: ShownNewsletter }) {
  const { newsletter, problem, email } = shown;
  const isBusy = useNavigation().formMethod === 'POST';
  return (
    <>
      {newsletter.held_because !== null ? <Held because={newsletter.held_because} /> : null}
      {problem ? <Missing problem={problem} maySet={shown.maySet} /> : null}
      <section className={styles.panel} aria-labelledby="send-test">
        <h2 id="send-test">Test</h2>
        <p className="small anywhere">Sends this email only to you: {email}</p>
        <PostButton fields={{ intent: 'test' }} isBusy={isBusy}>
          Send me a test
        </PostButton>
      </section>
      <Audience shown={shown} />
      <PlannedTest shown={shown} />
      {newsletter.state === 'scheduled' ? (
        <Scheduled shown={shown} />
      ) : problem ? null : (
        <When shown={shown} />
      )}
    </>
  );
}

/** Explains why a scheduled newsletter did not start. */
export function Held({ because }: { because: string }) {
  const words: Partial<Record<string, string>> = problemWords;
  return (
    <p className={styles.held} role="status">
      The newsletter was not sent. {words[because] ?? because}
    </p>
  );
}

/** Shows what the site lacks for sending, with a form to add it. */
function Missing({ problem, maySet }: { problem: SendProblem; maySet: boolean }) {
  const asksAddress = problem === 'no-postal-address' && maySet;
  return (
    <section className={`${styles.panel} ${styles.missing}`} aria-labelledby="send-missing">
      <h2 id="send-missing">Before it can be sent</h2>
      <p>{problemWords[problem]}</p>
      {asksAddress ? (
        <Form method="post" className={forms.stack}>
          <HiddenFields fields={{ intent: 'address' }} />
          <TextAreaField
            label="Postal address"
            name="postalAddress"
            rows={3}
            maxLength={300}
            required
            autoComplete="street-address"
            hint="Printed at the bottom of every email."
          />
          <div>
            <Button type="submit" variant="primary">
              Save address
            </Button>
          </div>
        </Form>
      ) : (
        <p>
          <Link
            to={`/admin/settings?section=${problem === 'no-mail-server' ? 'mail' : 'newsletter'}`}
          >
            Open the settings
          </Link>
        </p>
      )}
    </section>
  );
}

function Audience({ shown: { newsletter, audience } }: { shown: ShownNewsletter }) {
  const { timeZone } = useSite();
  const { audience_since: since, audience_confirmed: isConfirmed } = newsletter;
  const narrowed = [
    audience.segment.length > 0 && `following ${audience.segment.join(' or ')}`,
    since && `subscribed since ${fullTime(since, timeZone)}`,
    isConfirmed && 'confirmed by email',
  ].filter(Boolean);
  return (
    <section className={styles.panel} aria-labelledby="send-audience">
      <h2 id="send-audience">Audience</h2>
      <p className={styles.count}>{countNoun(audience.count, 'subscriber')}</p>
      <p className="small anywhere">
        {narrowed.length > 0 ? `Active, ${narrowed.join(', ')}.` : 'All active subscribers.'}{' '}
        {audience.list === null ? '' : `List: ${audience.list}. `}Anyone who unsubscribes first is
        skipped.
      </p>
    </section>
  );
}

/** The subject test that runs before the newsletter is sent to the rest. */
function PlannedTest({ shown: { newsletter } }: { shown: ShownNewsletter }) {
  const b = readVariantB(newsletter);
  if (b === null) return null;
  const { subject, preview, test_percent: percent } = newsletter;
  return (
    <section className={styles.panel} aria-labelledby="send-two">
      <h2 id="send-two">Subject test</h2>
      <p className="anywhere">
        A: {subject}
        {preview === '' ? '' : ` (${preview})`}
      </p>
      <p className="anywhere">
        B: {b.subject}
        {b.preview === '' ? '' : ` (${b.preview})`}
      </p>
      <p className="small anywhere">
        {hasRest(newsletter)
          ? `Each goes to ${percent}% of the audience. The rest gets the one with more clicks per email.`
          : 'Each goes to half of the audience.'}
      </p>
    </section>
  );
}

function When({ shown }: { shown: ShownNewsletter }) {
  const { timeZone } = useSite();
  const { newsletter, audience, rate, nextHour, maySend } = shown;
  const { version } = newsletter;
  if (!maySend) return <p className="small anywhere">Your role cannot send newsletters.</p>;
  if (audience.count === 0) return <p className={styles.held}>{problemWords.nobody}</p>;
  const readers = countNoun(audience.count, 'subscriber');
  const takes = formatDuration((audience.count / rate) * 3600);
  return (
    <section className={styles.panel} aria-labelledby="send-when">
      <h2 id="send-when">Send</h2>
      <ConfirmAct
        label={`Send now to ${readers}`}
        variant="primary"
        question={`Send this to ${readers}?`}
        detail={
          <>
            <p>“{newsletter.subject}”</p>
            <p>It takes about {takes}. You can pause it, but not recall sent emails.</p>
          </>
        }
        confirmLabel="Send now"
        confirmVariant="primary"
        action={`/admin/newsletters/${newsletter.id}/send`}
        fields={{
          intent: 'send',
          version: String(version),
          counted: audience.counted.toISOString(),
        }}
      />
      <Form
        method="post"
        action={`/admin/newsletters/${newsletter.id}/send`}
        className={`${forms.stack} ${styles.later}`}
      >
        <HiddenFields fields={{ intent: 'schedule', version }} />
        <TextField
          label="Or at"
          name="sendAt"
          type="datetime-local"
          required
          defaultValue={nextHour}
          hint={`Time zone: ${timeZone}`}
        />
        <div>
          <Button type="submit">Schedule</Button>
        </div>
      </Form>
    </section>
  );
}

function Scheduled({ shown: { newsletter } }: { shown: ShownNewsletter }) {
  const { timeZone } = useSite();
  return (
    <section className={styles.panel} aria-labelledby="send-scheduled">
      <h2 id="send-scheduled">Scheduled</h2>
      <p>
        It will be sent on{' '}
        <strong>{newsletter.send_at ? fullTime(newsletter.send_at, timeZone) : ''}</strong>, to
        everyone in its audience at that time, with prices as of then.
      </p>
      <PostButton fields={{ intent: 'unschedule' }}>Cancel schedule</PostButton>
    </section>
  );
}
