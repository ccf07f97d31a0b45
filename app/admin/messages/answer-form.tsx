import { useState } from 'react';
import { contactLimits } from '#app/features/contact/contact-limits.ts';
import type { ContactMessage } from '#app/features/contact/contact-queries.server.ts';
import { inboxMessages } from '#app/features/contact/inbox-messages.ts';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { EditForm } from '../frame/edit-form.tsx';
import type { FormOutcome } from '../frame/form-outcome.ts';
import styles from './message-page.module.css';

const labels = { answer: 'Your answer', close: 'Close the message with this answer' };

/** The form of an answer, which the site emails and stores with the message. */
export function AnswerForm({
  outcome,
  message: { name, email, closed_at },
  op: firstOp,
  backTo,
}: {
  outcome: FormOutcome | undefined;
  message: ContactMessage;
  op: string;
  backTo: string;
}) {
  // Reloading the page's data must not start another answer.
  const [op] = useState(outcome?.values['op'] ?? firstOp);
  return (
    <section aria-label={`Answer ${name}`} className={styles.answer}>
      <EditForm
        stored={{}}
        outcome={outcome}
        errorTitle={inboxMessages.answerFailed}
        labels={labels}
        submitLabel="Send answer"
        busyLabel="Sending..."
        cancelHref={backTo}
        cancelLabel="Back to the list"
      >
        {(fields) => (
          <>
            <input type="hidden" name="intent" value="answer" />
            <input type="hidden" name="op" value={op} />
            <TextAreaField
              {...fields.of('answer')}
              rows={7}
              required
              maxLength={contactLimits.answer}
              hint={`Sent to ${email} as plain text, with their message below.`}
            />
            {closed_at ? null : <CheckField {...fields.tick('close')} />}
          </>
        )}
      </EditForm>
    </section>
  );
}
