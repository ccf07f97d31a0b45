import { data } from 'react-router';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { hasSecondStep } from '#app/features/accounts/staff-guard.server.ts';
import { clearPageCache } from '#app/features/desk/clear-page-cache.server.ts';
import { seedSampleData } from '#app/features/desk/demo-data.server.ts';
import { clearPolicyReports } from '#app/features/desk/clear-policy-reports.server.ts';
import { restartDiscovery } from '#app/features/discovery/discovery-state.server.ts';
import { deskMessages } from '#app/features/desk/desk-messages.ts';
import { importSamples } from '#app/features/desk/import-samples.server.ts';
import { sendTestMail } from '#app/features/desk/send-test-mail.server.ts';
import { changeSettings } from '#app/features/site-settings/change-settings.server.ts';
import { openSite } from '#app/features/site-settings/change-maintenance.server.ts';
import { maintenanceMessages } from '#app/features/site-settings/maintenance-messages.ts';
import { describeCurrencyChange } from '#app/features/site-settings/describe-currency-change.ts';
import { previewCurrencyChange } from '#app/features/site-settings/switch-currency.server.ts';
import { settingsInput } from '#app/features/site-settings/settings-input.ts';
import { settingsMessages as words } from '#app/features/site-settings/settings-messages.ts';
import {
  settingsLabels,
  type SettingsSection,
  settingsTexts,
} from '#app/features/site-settings/settings-sections.ts';
import { submitMaintenance } from '#app/features/site-settings/submit-maintenance.server.ts';
import { requestFacts } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { redirectWithFlash } from '#app/admin/frame/flash.server.ts';
import { type FormOutcome, typedValues } from '#app/admin/frame/form-outcome.ts';
import { type SettingsTab, tabHref } from './settings-tabs.ts';

/** The results of the settings' forms, shown at each form. */
interface SettingsAnswer {
  form?: FormOutcome;
  imported?: Awaited<ReturnType<typeof importSamples>>;
}

const answer = (said: SettingsAnswer, status = 200) => data(said, { status });

/** Saves a section's form as settings, or returns the form with its errors. */
export async function saveSection(
  { context, db, form }: Post,
  user: SessionUser,
  section: SettingsSection,
  backTo: string,
) {
  const values = typedValues(form);
  // Fields that are missing from the post are treated as blank.
  const empty = Object.fromEntries(Object.keys(settingsLabels[section]).map((name) => [name, '']));
  const parsed = settingsInput[section].safeParse({ ...empty, ...values });
  const refuse = (outcome: Omit<FormOutcome, 'ok' | 'values'>, status: number) =>
    answer({ form: { ok: false, values, ...outcome } }, status);
  if (!parsed.success) return refuse({ errors: fieldErrors(parsed.error) }, 422);
  const isDemanded = 'staffSecondFactor' in parsed.data && parsed.data.staffSecondFactor;
  const mustConfirm = isDemanded && !hasSecondStep(user);
  if (mustConfirm && !form.has('confirmed')) {
    return refuse({ message: words.wouldShutOut, mustConfirm }, 409);
  }
  const currencyChange =
    'currency' in parsed.data && parsed.data.currency !== undefined && !form.has('confirmed')
      ? await previewCurrencyChange(db, parsed.data.currency)
      : null;
  if (currencyChange) {
    return refuse({ message: describeCurrencyChange(currencyChange), mustConfirm: true }, 409);
  }
  const saved = await changeSettings(db, {
    section,
    change: parsed.data,
    actor: user.id,
    expectedVersion: Number(values['version']),
  });
  if (!saved.ok && saved.reason === 'changes-currency') {
    return refuse({ message: words.changesCurrency }, 409);
  }
  if (!saved.ok) {
    const conflict = { version: saved.version, current: settingsTexts(section, saved.current) };
    return refuse({ message: words.changedMeanwhile, conflict, mustConfirm }, 409);
  }
  if (section === 'discovery') await restartDiscovery(db);
  return redirectWithFlash(context, backTo, words.saved);
}

/** Handles the buttons of the settings outside sections. Returns `null` for an unknown one. */
export async function actOnSettings(post: Post, user: SessionUser) {
  const { context, services, db, form, intent } = post;
  const actor = user.id;
  const say = (tab: SettingsTab, said: string) => redirectWithFlash(context, tabHref(tab), said);
  const fail = (tab: SettingsTab, said: string) =>
    redirectWithFlash(context, tabHref(tab), said, { kind: 'error' });
  switch (intent) {
    case 'maintenance': {
      const actorAddress = requestFacts(context).address;
      const outcome = await submitMaintenance(db, { form, actor, actorAddress });
      return outcome.ok
        ? say('maintenance', outcome.message)
        : answer({ form: outcome }, outcome.status);
    }
    case 'open-site':
      await openSite(db, actor);
      return say('maintenance', maintenanceMessages.opened);
    case 'test-mail': {
      const id = await sendTestMail(services, user);
      if (id === null) return fail('mail', 'Your address rejected the email.');
      const shown = `${tabHref('mail')}&mail=${id}`;
      return redirectWithFlash(context, shown, 'The test email is on its way.');
    }
    case 'import-samples':
      return answer({ imported: await importSamples(services, actor) });
    case 'seed': {
      const result = await seedSampleData(services, actor);
      return result.ok
        ? say('data', result.message)
        : fail('data', deskMessages.seedFailed(result.message));
    }
    case 'forget-policy-reports':
      await clearPolicyReports(db, actor);
      return say('system', deskMessages.reportsForgotten);
    case 'clear-cache':
      await clearPageCache(db, actor);
      return say('data', deskMessages.cacheCleared);
    default:
      return null;
  }
}
