import { redirect, type RouterContextProvider } from 'react-router';
import {
  changePasswordInput,
  nameInput,
  passwordInput,
  readForm,
} from '#app/features/accounts/account-input.ts';
import { accountMessages, describeWeakPassword } from '#app/features/accounts/account-messages.ts';
import {
  acceptForm,
  cookieHeaders,
  refuseForm,
  refuseIdentity,
  refuseTooMany,
} from '#app/features/accounts/answer-form.server.ts';
import { changeName } from '#app/features/accounts/people/change-name.server.ts';
import {
  changePassword,
  setFirstPassword,
} from '#app/features/accounts/passwords/change-password.server.ts';
import { confirmIdentity, readProof } from '#app/features/accounts/confirm-identity.server.ts';
import { eraseAccount } from '#app/features/accounts/people/erase-account.server.ts';
import {
  requireUser,
  type SessionUser,
} from '#app/features/accounts/sessions/session-context.server.ts';
import { endSessionCookie } from '#app/features/accounts/sessions/session-cookie.server.ts';
import type { SessionPlace } from '#app/features/accounts/sessions/open-session.server.ts';
import { sessionPlace } from '#app/features/accounts/sessions/session-place.server.ts';
import { endSession, endSessions } from '#app/features/accounts/sessions/session-queries.server.ts';
import { type AppServices, appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';

/** What the forms of the profile page ask for, by their `intent`. */
export async function actOnProfile(request: Request, context: Readonly<RouterContextProvider>) {
  const user = requireUser(context, request);
  const services = appServices(context);
  const { db, env } = services;
  const form = await readFormBody(request);
  const { place } = sessionPlace(context, request);
  switch (readText(form, 'intent')) {
    case 'name': {
      const read = readForm(nameInput, form);
      if (!read.ok) return refuseForm(form, read);
      await changeName(db, user.id, read.value.full_name);
      return acceptForm(accountMessages.nameSaved);
    }
    case 'first-password':
      return giveFirstPassword(services, user, form, place);
    case 'password':
      return givePassword(services, user, form, place);
    case 'end-session':
      await endSession(db, user.id, readText(form, 'session'));
      return redirect('/profile#sessions', { status: 303 });
    case 'end-others':
      await endSessions(db, user.id, { keep: user.sessionId });
      return redirect('/profile#sessions', { status: 303 });
    case 'end-all':
      await endSessions(db, user.id);
      return redirectSignedOut(env.origin);
    case 'erase': {
      const confirmed = await confirmIdentity(services, user, readProof(form));
      if (!confirmed.ok) return refuseIdentity(form, confirmed, 'erase');
      const erased = await eraseAccount(services, user);
      if (!erased.ok) return refuseForm(form, { message: accountMessages.lastSuperAdmin }, 409);
      return redirectSignedOut(env.origin);
    }
    default:
      return refuseForm(form, { message: accountMessages.failed }, 400);
  }
}

/** For an account that has other ways in only. */
async function giveFirstPassword(
  services: AppServices,
  user: SessionUser,
  form: FormData,
  place: SessionPlace,
) {
  const read = readForm(passwordInput, form);
  if (!read.ok) return refuseForm(form, read);
  const confirmed = await confirmIdentity(services, user, {
    ...readProof(form),
    typed: '', // the field of that name is the new one
  });
  if (!confirmed.ok) return refuseIdentity(form, confirmed, 'current_password');
  const result = await setFirstPassword(services, user, read.value.password, place);
  if (result.ok) return acceptForm(accountMessages.passwordSet, [result.cookie]);
  if (result.reason === 'has-one')
    return refuseForm(form, { message: accountMessages.failed }, 409);
  const words = describeWeakPassword(result.reasons, services.env.passwordMinLength);
  return refuseForm(form, { errors: { password: words } });
}

async function givePassword(
  services: AppServices,
  user: SessionUser,
  form: FormData,
  place: SessionPlace,
) {
  const read = readForm(changePasswordInput, form);
  if (!read.ok) return refuseForm(form, read);
  const { current_password: current, password: next } = read.value;
  const result = await changePassword(services, user, { current, next }, place);
  if (result.ok) return acceptForm(accountMessages.passwordChanged, [result.cookie]);
  if (result.reason === 'too-many') return refuseTooMany(form, result);
  if (result.reason === 'wrong') {
    return refuseForm(form, { errors: { current_password: accountMessages.wrongPassword } });
  }
  const words = describeWeakPassword(result.reasons, services.env.passwordMinLength);
  return refuseForm(form, { errors: { password: words } });
}

function redirectSignedOut(origin: string) {
  const headers = cookieHeaders([endSessionCookie(origin)]);
  return redirect('/', { status: 303, headers });
}
