import { identityWays } from '#app/features/accounts/confirm-identity.server.ts';
import type { SessionUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { mailEnvOf } from '#app/features/site-settings/mail-env.ts';
import {
  mailServerInput,
  removeMailServer,
  saveMailServer,
} from '#app/features/site-settings/save-mail-server.server.ts';
import { settingsMessages } from '#app/features/site-settings/settings-messages.ts';
import {
  readSettingsVersion,
  readSiteSettings,
} from '#app/features/site-settings/site-settings-queries.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { fieldErrors } from '#app/platform/input-fields.ts';
import { describeMail } from '#app/platform/mail/smtp-transport.server.ts';
import type { Post } from '#app/platform/read-post.server.ts';
import { confirmStaff } from '../frame/confirm-staff.server.ts';
import { redirectWithFlash } from '../frame/flash.server.ts';
import { refuseForm, typedValues } from '../frame/form-outcome.ts';
import type { Context } from '../frame/read-or-fail.server.ts';

/** Returns everything that the form of the mail server shows. The password is not included. */
export async function readMailServer(context: Context, viewer: SessionUser) {
  const services = appServices(context);
  const { db, env } = services;
  const settings = await readSiteSettings(db);
  const { mailServer: stored } = settings;
  return {
    /** The server set by the environment, which cannot be changed here. */
    fixed: env.mail.smtp === null ? null : describeMail(env.mail),
    usualFrom: mailEnvOf(env, { mailServer: null }).from,
    texts: {
      host: stored?.host ?? '',
      port: String(stored?.port ?? 587),
      user: stored?.user ?? '',
      from: stored?.from ?? '',
    },
    isStored: stored !== null,
    hasPassword: Boolean(stored?.password),
    version: await readSettingsVersion(db, ['mailServer']),
    ways: await identityWays(services, viewer),
  };
}

/** Saves or removes the mail server, or returns the form with its errors. */
export async function actOnMailServer(
  { context, services, form, intent }: Post,
  viewer: SessionUser,
  next: string,
) {
  const { smtp_password: password = '', ...typed } = typedValues(form);
  const { password: _, credential: __, ...values } = typed;
  if (intent === 'remove') {
    const refused = await confirmStaff(context, viewer, typed);
    if (refused) return refused;
    await removeMailServer(services, viewer.id);
    return redirectWithFlash(context, next, settingsMessages.mailServerRemoved);
  }
  const read = mailServerInput.safeParse({ ...values, password });
  if (!read.success) return refuseForm({ values, errors: named(fieldErrors(read.error)) });
  const refused = await confirmStaff(context, viewer, typed);
  if (refused) return refused;
  const saved = await saveMailServer(services, {
    input: read.data,
    actor: viewer.id,
    expectedVersion: Number(values['version']),
    untested: form.has('confirmed'),
  });
  if (saved.ok) return redirectWithFlash(context, next, settingsMessages.mailServerSaved);
  if (saved.reason === 'changed-meanwhile') {
    const { version, texts } = await readMailServer(context, viewer);
    const message = settingsMessages.changedMeanwhile;
    return refuseForm({ values, message, conflict: { version, current: texts } });
  }
  if (saved.reason === 'password-missing') {
    return refuseForm({ values, errors: { smtp_password: settingsMessages.passwordAgain } });
  }
  const errors = named({ [saved.field]: saved.message });
  return refuseForm({ values, errors, mustConfirm: true });
}

/** The mail server's password needs a separate field name, since `password` is the user's own. */
function named({ password, ...errors }: Record<string, string>): Record<string, string> {
  return { ...errors, ...(password !== undefined && { smtp_password: password }) };
}
