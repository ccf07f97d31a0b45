import { useEffect, useRef } from 'react';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { hasDemoData } from '#app/features/desk/desk-queries.server.ts';
import type { Route } from './+types/setup-site-page';
import { settingsChoices } from '#app/features/site-settings/settings-choices.ts';
import { presentZone } from '#app/features/site-settings/time-zone-names.ts';
import { settingsSections, settingsTexts } from '#app/features/site-settings/settings-sections.ts';
import {
  readSettingsVersion,
  readSiteSettings,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readPost } from '#app/platform/read-post.server.ts';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { saveSection } from '#app/admin/settings/act-on-settings.server.ts';
import { SectionForm } from '#app/admin/settings/section-form.tsx';

const next = '/admin/setup/brand';

export async function loader({ context }: Route.LoaderArgs) {
  requireRight(context, 'settings.write');
  const { db } = appServices(context);
  return {
    name: 'setup' as const,
    texts: settingsTexts('setup', await readSiteSettings(db)),
    version: await readSettingsVersion(db, settingsSections.setup),
    choices: settingsChoices(),
    isDemo: await hasDemoData(db),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'settings.write');
  return saveSection(await readPost(context, request), user, 'setup', next);
}

export const meta = () => [{ title: 'Set up the site' }];

/** The second setup step: the site's name, currency, time zone and contact facts. */
export default function SetupSitePage({ loaderData, actionData }: Route.ComponentProps) {
  const form = useRef<HTMLDivElement>(null);
  const isFirst = loaderData.version === 0 && !actionData?.form;
  useEffect(() => {
    if (isFirst) chooseOwnZone(form.current);
  }, [isFirst]);
  return (
    <div ref={form}>
      <AdminHeading title="Set up the site">
        Step 2 of 5. You can change all of this later in the settings.
        {loaderData.isDemo
          ? ' Demo values that you don’t change are removed with the demo shop.'
          : ''}
      </AdminHeading>
      <SectionForm
        section={loaderData}
        outcome={actionData?.form}
        submitLabel="Save and continue"
        cancelHref={next}
        cancelLabel="Skip"
      />
    </div>
  );
}

/** Preselects the browser's time zone if none is saved yet. */
function chooseOwnZone(form: HTMLElement | null): void {
  const select = form?.querySelector<HTMLSelectElement>('select[name="timeZone"]');
  const own = presentZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const isOffered = [...(select?.options ?? [])].some(({ value }) => value === own);
  if (select && isOffered) select.value = own;
}
