import { IdentityField } from '#app/features/accounts/identity-field.tsx';
import { PasswordField } from '#app/ui/password-field.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { EditForm } from '../frame/edit-form.tsx';
import type { FormOutcome } from '../frame/form-outcome.ts';
import { FormSection, FullWidth } from '../frame/form-section.tsx';
import type { readMailServer } from './act-on-mail-server.server.ts';

const labels = {
  host: 'Server',
  port: 'Port',
  user: 'User name',
  smtp_password: 'Password',
  from: 'Sender address',
  password: 'Your password',
};

/** The form of the mail server, which is tested before it is saved. */
export function MailServerForm({
  server: { texts, version, hasPassword, usualFrom, ways },
  outcome,
  submitLabel,
  cancelHref,
  cancelLabel,
}: {
  server: Awaited<ReturnType<typeof readMailServer>>;
  outcome: FormOutcome | undefined;
  submitLabel: string;
  cancelHref: string;
  cancelLabel?: string;
}) {
  return (
    <EditForm
      key={version}
      stored={texts}
      outcome={outcome}
      errorTitle="Email server not saved"
      version={version}
      labels={labels}
      submitLabel={submitLabel}
      busyLabel="Connecting..."
      cancelHref={cancelHref}
      cancelLabel={cancelLabel}
    >
      {(fields) => (
        <>
          <FormSection
            title="Email server"
            hint="SMTP access from your email provider. Saving tests the sign-in without sending an email."
          >
            <TextField
              {...fields.of('host')}
              required
              maxLength={253}
              autoComplete="off"
              hint="Such as smtp.mail.example"
            />
            <TextField
              {...fields.of('port')}
              inputMode="numeric"
              required
              maxLength={5}
              autoComplete="off"
              hint="587 in most cases; 465 is encrypted from the start."
            />
            <TextField {...fields.of('user')} maxLength={254} autoComplete="off" />
            <PasswordField
              label={labels.smtp_password}
              name="smtp_password"
              autoComplete="new-password"
              error={fields.error('smtp_password')}
              hint={hasPassword ? 'Leave blank to keep the stored one.' : 'Stored encrypted.'}
            />
            <FullWidth>
              <TextField
                {...fields.of('from')}
                type="email"
                maxLength={254}
                autoComplete="off"
                hint={`Leave blank for ${usualFrom}.`}
              />
            </FullWidth>
          </FormSection>
          {outcome?.mustConfirm ? (
            <CheckField
              name="confirmed"
              label="Save without a working connection"
              defaultChecked={fields.isTicked('confirmed')}
            />
          ) : null}
          <IdentityField ways={ways} error={fields.error('password')} />
        </>
      )}
    </EditForm>
  );
}
