import { data } from 'react-router';
import type { Route } from './+types/settings-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readSystemInfo } from '#app/features/desk/read-system-info.server.ts';
import { findTestMail } from '#app/features/desk/send-test-mail.server.ts';
import { settingsSections, settingsTexts } from '#app/features/site-settings/settings-sections.ts';
import {
  readSettingsVersion,
  readSiteSettings,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { describeMail } from '#app/platform/mail/smtp-transport.server.ts';
import {
  listPolicyReports,
  mostPolicyReports,
} from '#app/platform/policy-report-queries.server.ts';
import { readText } from '#app/platform/read-text.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { ChipLink } from '#app/ui/chip.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { isSection, saveSection, settingsActs } from './act-on-settings.server.ts';
import { DataPart } from './data-part.tsx';
import { MailPart } from './mail-part.tsx';
import { SectionForm } from './section-form.tsx';
import styles from './settings-page.module.css';
import { settingsTabs, tabHref, tabOf } from './settings-tabs.ts';
import { PolicyReportsPart } from './policy-reports-part.tsx';
import { SystemPart } from './system-part.tsx';
import { LogoForm } from './logo-form.tsx';
import { MaintenanceForm } from './maintenance-form.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { fullName, email, role } = requireRight(context, 'settings.read');
  const services = appServices(context);
  const { db, env } = services;
  const { searchParams } = new URL(request.url);
  const tab = tabOf(searchParams);
  const settings = await readSiteSettings(db);
  // Somebody who was asked for a second step of their own and went to make it (R64).
  const isComingBack = tab === 'staff' && searchParams.has('demand') && !settings.staffSecondFactor;
  return {
    tab,
    user: { name: fullName || 'Admin User', email, role },
    section: isSection(tab)
      ? {
          name: tab,
          texts: {
            ...settingsTexts(tab, settings),
            ...(isComingBack && { staffSecondFactor: 'on' }),
          },
          isUnsaved: isComingBack,
          version: await readSettingsVersion(db, settingsSections[tab]),
          timeZones: tab === 'site' ? Intl.supportedValuesOf('timeZone') : [],
        }
      : null,
    logoUrl: settings.logoUrl,
    maintenance:
      tab === 'maintenance'
        ? {
            settings: settings.maintenance,
            version: await readSettingsVersion(db, ['maintenance']),
            ownAddress: requestFacts(context).address,
          }
        : null,
    mail:
      tab === 'mail'
        ? {
            way: env.mail.smtp ? describeMail(env.mail) : null,
            from: env.mail.from,
            sent: await findTestMail(db, parseRowId(searchParams.get('mail') ?? '') ?? 0, email),
          }
        : null,
    system: tab === 'system' ? await readSystemInfo(services) : null,
    reports:
      tab === 'system'
        ? {
            ...(await listPolicyReports(db, 50)),
            most: mostPolicyReports,
            isOn: env.cspReports,
          }
        : null,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  requireRight(context, 'settings.write');
  const form = await readFormBody(request);
  const tab = tabOf(new URL(request.url).searchParams);
  const intent = readText(form, 'intent');
  const act = Object.hasOwn(settingsActs, intent) ? settingsActs[intent] : undefined;
  if (act) return act(context, form);
  if (intent === '' && isSection(tab)) return saveSection(context, tab, form, tabHref(tab));
  throw data(null, 400);
}

export function meta() {
  return [{ title: 'Settings' }];
}

export default function SettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { tab, user, section, logoUrl, maintenance, mail, system, reports } = loaderData;
  return (
    <>
      <AdminHeading title="Settings">
        {user.name} · {user.email} · <StatusPill look="plain">{user.role}</StatusPill>
      </AdminHeading>
      <nav aria-label="Settings" className={styles.tabs}>
        {settingsTabs.map(({ name, label }) => (
          <ChipLink key={name} to={tabHref(name)} isCurrent={name === tab}>
            {label}
          </ChipLink>
        ))}
      </nav>
      {section ? <SectionForm key={tab} section={section} outcome={actionData?.form} /> : null}
      {tab === 'site' ? <LogoForm logoUrl={logoUrl} refused={actionData?.logo} /> : null}
      {maintenance ? (
        <section className={styles.part} aria-labelledby="maintenance">
          <h2 id="maintenance">Maintenance Mode Settings</h2>
          <MaintenanceForm {...maintenance} outcome={actionData?.maintenance} />
        </section>
      ) : null}
      {mail ? <MailPart mail={mail} email={user.email} /> : null}
      {tab === 'data' ? <DataPart result={actionData?.imported} /> : null}
      {system ? <SystemPart info={system} /> : null}
      {reports ? <PolicyReportsPart {...reports} /> : null}
    </>
  );
}
