import { EditForm } from '#app/admin/frame/edit-form.tsx';
import { FormSection, FullWidth } from '#app/admin/frame/form-section.tsx';
import type { MaintenanceSettings } from '#app/features/site-settings/maintenance.ts';
import {
  maintenanceLabels as labels,
  maintenanceTexts,
} from '#app/features/site-settings/maintenance-texts.ts';
import type { MaintenanceRefusal } from '#app/features/site-settings/submit-maintenance.server.ts';
import { CheckField } from '#app/ui/check-field.tsx';
import { TextAreaField } from '#app/ui/text-area-field.tsx';
import { TextField } from '#app/ui/text-field.tsx';

/** Maintenance mode and the access gate; posts `intent=maintenance` to the page it stands on. */
export function MaintenanceForm({
  settings,
  version,
  outcome,
  ownAddress,
}: {
  settings: MaintenanceSettings;
  /** Of what is stored (R47). */
  version: number;
  outcome: MaintenanceRefusal | undefined;
  /** Of whoever looks at it. */
  ownAddress: string;
}) {
  const addressHint = `One address or range a line, such as 203.0.113.0/24. Yours is ${ownAddress || 'unknown'}.`;
  return (
    <EditForm
      key={version}
      stored={maintenanceTexts(settings)}
      outcome={outcome}
      errorTitle="Error saving settings"
      version={version}
      labels={labels}
      submitLabel="Save"
      cancelHref="/admin"
    >
      {(fields) => {
        const of = (name: string) => ({ name, label: labels[name] ?? name });
        const typed = (name: string) => ({
          ...of(name),
          defaultValue: fields.value(name),
          error: fields.error(name),
        });
        const ticked = (name: string) => ({ ...of(name), defaultChecked: fields.isTicked(name) });
        return (
          <>
            <input type="hidden" name="intent" value="maintenance" />
            {outcome?.mustConfirm ? (
              <CheckField
                name="confirmed"
                label="Save it, although my own address is not let in"
                defaultChecked={fields.isTicked('confirmed')}
              />
            ) : null}
            <FormSection title="Maintenance mode">
              <CheckField
                {...ticked('enabled')}
                hint="Visitors see the message below. Administrators and allowed addresses see the site."
              />
              <CheckField
                {...ticked('showDebugInfo')}
                hint="A line above every page tells those who are let in why they are."
              />
              <FullWidth>
                <TextAreaField {...typed('message')} rows={3} maxLength={500} />
              </FullWidth>
              <FullWidth>
                <TextAreaField {...typed('allowedIPs')} rows={4} hint={addressHint} />
              </FullWidth>
            </FormSection>
            <FormSection title="Access gate">
              <CheckField
                {...ticked('gateEnabled')}
                hint="Only the addresses below and administrators see the site. Others see “Coming Soon”."
              />
              <TextField {...typed('gateSiteName')} maxLength={60} />
              <FullWidth>
                <TextAreaField {...typed('gateAllowedIPs')} rows={4} hint={addressHint} />
              </FullWidth>
            </FormSection>
          </>
        );
      }}
    </EditForm>
  );
}
