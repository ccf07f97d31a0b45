import { data, type RouterContextProvider } from 'react-router';
import { requireUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { hasSecondStep } from '#app/features/accounts/staff-guard.server.ts';
import { clearPageCache } from '#app/features/desk/clear-page-cache.server.ts';
import { seedSampleData } from '#app/features/desk/demo-data.server.ts';
import { clearPolicyReports } from '#app/features/desk/clear-policy-reports.server.ts';
import { deskMessages } from '#app/features/desk/desk-messages.ts';
import { importSamples } from '#app/features/desk/import-samples.server.ts';
import { sendTestMail } from '#app/features/desk/send-test-mail.server.ts';
import {
  changeSetting,
  changeSettings,
} from '#app/features/site-settings/change-settings.server.ts';
import { saveLogo } from '#app/features/site-settings/save-logo.server.ts';
import { settingsInput } from '#app/features/site-settings/settings-input.ts';
import { settingsMessages as words } from '#app/features/site-settings/settings-messages.ts';
import {
  settingsSections,
  type SettingsSection,
  settingsTexts,
} from '#app/features/site-settings/settings-sections.ts';
import { submitMaintenance } from '#app/features/site-settings/submit-maintenance.server.ts';
import { appServices, requestFacts } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { readText } from '#app/platform/read-text.ts';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { type FormOutcome, typedValues } from '#app/admin/frame/form-outcome.ts';
import type { SettingsAnswer } from './settings-answer.ts';
import { type SettingsTab, tabHref } from './settings-tabs.ts';

type Context = Readonly<Pick<RouterContextProvider, 'get'>>;

const answer = (said: SettingsAnswer, status = 200) => data(said, { status });

/** Saves a section: what its form holds becomes settings, or the form comes back with what is wrong. */
export async function saveSection(
  context: Context,
  section: SettingsSection,
  form: FormData,
  backTo: string,
) {
  const values = typedValues(form);
  const parsed = settingsInput[section].safeParse({ ...emptyTexts(section), ...values });
  const refuse = (outcome: Omit<FormOutcome, 'ok' | 'values'>, status: number) =>
    answer({ form: { ok: false, values, ...outcome } }, status);
  if (!parsed.success) return refuse({ errors: fieldErrors(parsed.error) }, 422);
  const isDemanded = 'staffSecondFactor' in parsed.data && parsed.data.staffSecondFactor;
  const mustConfirm = isDemanded && !hasSecondStep(requireUser(context));
  if (mustConfirm && !form.has('confirmed')) {
    return refuse({ message: words.wouldShutOut, mustConfirm }, 409);
  }
  const saved = await changeSettings(appServices(context).db, {
    section,
    change: parsed.data,
    actor: requireUser(context).id,
    expectedVersion: Number(values['version']),
  });
  if (!saved.ok) {
    const conflict = { version: saved.version, current: settingsTexts(section, saved.current) };
    return refuse({ message: words.changedMeanwhile, conflict, mustConfirm }, 409);
  }
  return redirectWithFlash(context, backTo, words.saved);
}

/** A field that was not sent is empty, not of another kind. */
const emptyTexts = (section: SettingsSection) =>
  Object.fromEntries(sectionFields[section].map((name) => [name, '']));
const sectionFields: Record<SettingsSection, readonly string[]> = {
  ...settingsSections,
  words: ['figures', 'aboutFigures', 'heroKicker', 'heroTitle', 'heroText', 'heroClaims'],
};

/** The buttons of the settings that are no section's form. */
export const settingsActs: Record<
  string,
  (context: Context, form: FormData) => Promise<Response | ReturnType<typeof answer>>
> = {
  async maintenance(context, form) {
    const outcome = await submitMaintenance(appServices(context).db, {
      form,
      actor: requireUser(context).id,
      actorAddress: requestFacts(context).address,
    });
    return outcome.ok
      ? redirectWithFlash(context, tabHref('maintenance'), outcome.message)
      : answer({ maintenance: outcome }, outcome.status);
  },
  async logo(context, form) {
    const address = readText(form, 'address').trim();
    const file = form.get('file');
    const source = file instanceof File && file.size > 0 ? file : address;
    const refuse = (error: string) => answer({ logo: { error, address } }, 422);
    if (source === '') return refuse(words.logoMissing);
    const saved = await saveLogo(appServices(context), source, requireUser(context).id);
    if (!saved.ok) return refuse(saved.message);
    return redirectWithFlash(context, tabHref('site'), words.logoSaved);
  },
  async 'remove-logo'(context) {
    await changeSetting(appServices(context).db, 'logoUrl', '', requireUser(context).id);
    return redirectWithFlash(context, tabHref('site'), words.logoRemoved);
  },
  async 'test-mail'(context) {
    const id = await sendTestMail(appServices(context), requireUser(context));
    const here = tabHref('mail');
    return id === null
      ? redirectWithFlash(context, here, 'Mail to your address was refused.', { kind: 'error' })
      : redirectWithFlash(context, `${here}&mail=${id}`, 'The test mail is on its way.');
  },
  async 'import-samples'(context) {
    const { imported, errors } = await importSamples(appServices(context), requireUser(context).id);
    return answer({ imported: { imported, errors } });
  },
  async seed(context) {
    const result = await seedSampleData(appServices(context), requireUser(context).id);
    const said = result.ok ? result.message : deskMessages.seedFailed(result.message);
    return redirectWithFlash(context, tabHref('data'), said, {
      kind: result.ok ? 'info' : 'error',
    });
  },
  async 'forget-policy-reports'(context) {
    await clearPolicyReports(appServices(context).db, requireUser(context).id);
    return redirectWithFlash(context, tabHref('system'), deskMessages.reportsForgotten);
  },
  async 'clear-cache'(context) {
    await clearPageCache(appServices(context).db, requireUser(context).id);
    return redirectWithFlash(context, tabHref('data'), deskMessages.cacheCleared);
  },
};

export function isSection(tab: SettingsTab): tab is SettingsTab & SettingsSection {
  return Object.hasOwn(settingsSections, tab);
}
