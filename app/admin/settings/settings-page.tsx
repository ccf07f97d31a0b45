import { data } from 'react-router';
import type { Route } from './+types/settings-page';
import { requireRight } from '#app/features/accounts/require-right.server.ts';
import { readDiscovery } from '#app/features/discovery/discovery-state.server.ts';
import { mailEnvOf } from '#app/features/site-settings/mail-env.ts';
import { maintenanceTexts } from '#app/features/site-settings/maintenance-texts.ts';
import { readSystemInfo } from '#app/features/desk/read-system-info.server.ts';
import { findTestMail } from '#app/features/desk/send-test-mail.server.ts';
import { describeProgress } from '#app/features/site-settings/describe-currency-change.ts';
import { findCurrencyChange } from '#app/features/site-settings/switch-currency.server.ts';
import { settingsChoices } from '#app/features/site-settings/settings-choices.ts';
import {
  type SettingsSection,
  settingsSections,
  settingsTexts,
} from '#app/features/site-settings/settings-sections.ts';
import {
  readSettingsVersion,
  readSiteSettings,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import type { MailEnv } from '#app/platform/env.server.ts';
import { describeMail } from '#app/platform/mail/smtp-transport.server.ts';
import {
  listPolicyReports,
  mostPolicyReports,
} from '#app/platform/policy-report-queries.server.ts';
import { parseRowId } from '#app/platform/parse-row-id.ts';
import { ChipLink } from '#app/ui/chip.tsx';
import { AdminHeading } from '#app/admin/frame/admin-heading.tsx';
import { StatusPill } from '#app/admin/frame/status-pill.tsx';
import { readPost } from '#app/platform/read-post.server.ts';
import { actOnSettings, saveSection } from './act-on-settings.server.ts';
import { DataPart } from './data-part.tsx';
import { DiscoveryPart } from './discovery-part.tsx';
import { MailPart } from './mail-part.tsx';
import { SectionForm } from './section-form.tsx';
import styles from './settings-page.module.css';
import { type SettingsTab, settingsTabs, tabHref, tabOf } from './settings-tabs.ts';
import { SystemPart } from './system-part.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { fullName, email, role, rights } = requireRight(context, 'settings.read');
  const services = appServices(context);
  const { db, env } = services;
  const { searchParams } = new URL(request.url);
  const tab = tabOf(searchParams);
  const settings = await readSiteSettings(db);
  // The user was sent to set up two-factor for this setting, and has returned.
  const isComingBack = tab === 'staff' && searchParams.has('demand') && !settings.staffSecondFactor;
  return {
    tab,
    user: {
      name: fullName || 'Admin User',
      email,
      role,
      mayChangeMail: rights.has('mail.configure'),
    },
    section: isSection(tab) && {
      name: tab,
      texts: { ...settingsTexts(tab, settings), ...(isComingBack && { staffSecondFactor: 'on' }) },
      isUnsaved: isComingBack,
      version: await readSettingsVersion(db, settingsSections[tab]),
      choices: tab === 'site' ? settingsChoices() : {},
    },
    currencyChange: tab === 'site' ? await findCurrencyChange(db) : null,
    maintenance: tab === 'maintenance' && {
      name: tab,
      texts: maintenanceTexts(settings.maintenance),
      version: await readSettingsVersion(db, [tab]),
      ownAddress: requestFacts(context).address,
    },
    mail: tab === 'mail' && {
      ...describeWay(mailEnvOf(env, settings)),
      sent: await findTestMail(db, parseRowId(searchParams.get('mail')) ?? 0, email),
    },
    discovery: tab === 'discovery' && (await readDiscovery(services)),
    system: tab === 'system' && {
      info: await readSystemInfo(services),
      reports: await listPolicyReports(db, 50),
      most: mostPolicyReports,
      isOn: env.cspReports,
    },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const user = requireRight(context, 'settings.write');
  const post = await readPost(context, request);
  const tab = tabOf(new URL(request.url).searchParams);
  if (post.intent === '' && isSection(tab)) return saveSection(post, user, tab, tabHref(tab));
  const done = await actOnSettings(post, user);
  if (done === null) throw data(null, 400);
  return done;
}

const describeWay = (mail: MailEnv) => ({
  way: mail.smtp ? describeMail(mail) : null,
  from: mail.from,
});

function isSection(tab: SettingsTab): tab is SettingsTab & SettingsSection {
  return Object.hasOwn(settingsSections, tab);
}

export const meta = () => [{ title: 'Settings' }];

export default function SettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { tab, user, section, currencyChange, maintenance, mail, discovery, system } = loaderData;
  return (
    <>
      <AdminHeading title="Settings">
        {user.name} · {user.email} · <StatusPill variant="plain">{user.role}</StatusPill>
      </AdminHeading>
      <nav aria-label="Settings" className="row gap-2 below-5">
        {settingsTabs.map(({ name, label }) => (
          <ChipLink key={name} to={tabHref(name)} isCurrent={name === tab}>
            {label}
          </ChipLink>
        ))}
        <ChipLink to="/admin/settings/brand" isCurrent={false}>
          Brand
        </ChipLink>
      </nav>
      {currencyChange ? <p role="status">{describeProgress(currencyChange)}</p> : null}
      {section ? <SectionForm key={tab} section={section} outcome={actionData?.form} /> : null}
      {discovery ? <DiscoveryPart {...discovery} /> : null}
      {maintenance ? (
        <section className={styles.part} aria-labelledby="maintenance">
          <h2 id="maintenance">Maintenance Mode Settings</h2>
          <SectionForm section={maintenance} outcome={actionData?.form} />
        </section>
      ) : null}
      {mail ? <MailPart mail={mail} email={user.email} mayChange={user.mayChangeMail} /> : null}
      {tab === 'data' ? <DataPart result={actionData?.imported} /> : null}
      {system ? <SystemPart {...system} /> : null}
    </>
  );
}
