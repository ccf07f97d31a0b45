import { EditForm } from '#app/admin/frame/edit-form.tsx';
import type { FormOutcome } from '#app/admin/frame/form-outcome.ts';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import { maintenanceLabels } from '#app/features/site-settings/maintenance-texts.ts';
import { settingsLabels } from '#app/features/site-settings/settings-sections.ts';
import type { SelectOption } from '#app/ui/select-field.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { CheckField } from '#app/ui/check-field.tsx';
import { FieldGroups } from '../frame/field-groups.tsx';
import { settingsForms } from './settings-forms.ts';
import { tabHref } from './settings-tabs.ts';

interface ShownSection {
  name: keyof typeof settingsForms;
  texts: Record<string, string>;
  /** The version of the stored section. */
  version: number;
  isUnsaved?: boolean;
  choices?: Record<string, readonly SelectOption[]>;
  /** The user's IP address, for forms that could lock the user out. */
  ownAddress?: string;
}

const labelsOf = { ...settingsLabels, maintenance: maintenanceLabels };
const backHere = encodeURIComponent(`${tabHref('staff')}&demand`);

/** The form of a section, whose settings are saved together. */
export function SectionForm({
  section: { name, texts, version, isUnsaved, choices, ownAddress },
  outcome,
  submitLabel = 'Save',
  cancelHref = '/admin',
  cancelLabel,
}: {
  section: ShownSection;
  outcome: FormOutcome | undefined;
  submitLabel?: string;
  cancelHref?: string;
  cancelLabel?: string;
}) {
  const isStaff = name === 'staff';
  const mustConfirm = outcome?.mustConfirm === true;
  const hasCurrency = name === 'site' || name === 'setup';
  return (
    <EditForm
      key={version}
      stored={texts}
      outcome={outcome}
      errorTitle={mustConfirm ? 'Please confirm' : 'Error saving settings'}
      version={version}
      labels={labelsOf[name]}
      submitLabel={submitLabel}
      cancelHref={cancelHref}
      cancelLabel={cancelLabel}
      isUnsaved={isUnsaved}
    >
      {(fields) => {
        const confirm = (label: string) => (
          <CheckField
            name="confirmed"
            label={label}
            defaultChecked={fields.isTicked('confirmed')}
          />
        );
        return (
          <>
            {name === 'maintenance' ? (
              <>
                <input type="hidden" name="intent" value="maintenance" />
                {mustConfirm ? confirm('Save even though my own address is not allowed') : null}
                <p>Your own address is {ownAddress || 'unknown'}.</p>
              </>
            ) : null}
            {hasCurrency && mustConfirm
              ? confirm(`Change the currency to ${fields.value('currency').toUpperCase()}`)
              : null}
            {isStaff && mustConfirm ? (
              <FormSection
                title="Two-factor for your account"
                hint="Setting up an authenticator app takes a minute and returns here. A passkey counts once you have signed in with it."
              >
                <FullWidth>
                  <ButtonLink to={`/profile/two-factor?returnTo=${backHere}`}>
                    Set up an authenticator app first
                  </ButtonLink>
                </FullWidth>
                <FullWidth>
                  {confirm('Require it now, and set mine up on the next screen')}
                </FullWidth>
              </FormSection>
            ) : null}
            <FieldGroups
              groups={settingsForms[name]}
              labels={labelsOf[name]}
              fields={fields}
              choices={choices}
            />
          </>
        );
      }}
    </EditForm>
  );
}
