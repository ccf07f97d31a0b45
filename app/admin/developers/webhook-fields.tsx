import { useId } from 'react';
import { FullWidth } from '#app/admin/frame/form-section.tsx';
import { webhookEventLabels } from '#app/features/webhooks/webhook-messages.ts';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import styles from './developers.module.css';

const events = ['deal.published', 'deal.price_changed', 'alert.fired'] as const;

/** Where a webhook goes and what it is told. */
export function WebhookFields({
  values,
  errors,
}: {
  values: { url: string; events: readonly string[] };
  errors: Record<string, string>;
}) {
  const errorId = useId();
  return (
    <>
      <FullWidth>
        <TextField
          name="url"
          type="url"
          label="Address"
          required
          autoComplete="off"
          placeholder="https://example.com/hooks"
          hint="https, on its usual port, and on the public internet."
          defaultValue={values.url}
          error={errors.url}
        />
      </FullWidth>
      <FullWidth>
        <fieldset className={styles.events} aria-describedby={errors.events ? errorId : undefined}>
          <legend>Tell it when</legend>
          {events.map((event) => (
            <CheckField
              key={event}
              name="events"
              value={event}
              label={webhookEventLabels[event]}
              defaultChecked={values.events.includes(event)}
            />
          ))}
          {errors.events ? (
            <p id={errorId} className={styles.error}>
              {errors.events}
            </p>
          ) : null}
        </fieldset>
      </FullWidth>
    </>
  );
}
