import { requireRight } from '#app/features/accounts/require-right.server.ts';
import type { Route } from './+types/setup-site-page';
import {
  settingsLabels,
  settingsSections,
  settingsTexts,
} from '#app/features/site-settings/settings-sections.ts';
import {
  readSettingsVersion,
  readSiteSettings,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { TextField } from '#app/ui/text-field.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { EditForm } from '#app/admin/frame/edit-form.tsx';
import { FormSection } from '#app/admin/frame/form-section.tsx';
import { saveSection } from '#app/admin/settings/act-on-settings.server.ts';
import { CurrencyField, TimeZoneField } from '#app/admin/settings/site-fields.tsx';
import { readFormBody } from '#app/platform/read-form-body.ts';

const next = '/admin/setup/data';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'settings.write');
  const { db } = appServices(context);
  return {
    texts: settingsTexts('setup', await readSiteSettings(db)),
    version: await readSettingsVersion(db, settingsSections.setup),
    timeZones: Intl.supportedValuesOf('timeZone'),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'settings.write');
  return saveSection(context, 'setup', await readFormBody(request), next);
}

export function meta() {
  return [{ title: 'Set up the site' }];
}

/** The second step: what the site is called and reckons in. */
export default function SetupSitePage({ loaderData, actionData }: Route.ComponentProps) {
  const { texts, version, timeZones } = loaderData;
  return (
    <>
      <AdminHeading title="Set up the site">
        Step 2 of 3. All of it can be changed later in the settings.
      </AdminHeading>
      <EditForm
        stored={texts}
        outcome={actionData?.form}
        errorTitle="Error saving settings"
        version={version}
        labels={settingsLabels.setup}
        submitLabel="Save and go on"
        cancelHref={next}
        cancelLabel="Skip"
      >
        {(fields) => (
          <FormSection title="Site">
            <TextField
              label="Site name"
              name="siteName"
              defaultValue={fields.value('siteName')}
              error={fields.error('siteName')}
            />
            <CurrencyField fields={fields} />
            <TimeZoneField fields={fields} timeZones={timeZones} />
          </FormSection>
        )}
      </EditForm>
    </>
  );
}
