import { redirect, type RouterContextProvider } from 'react-router';
import {
  changePasswordInput,
  nameInput,
  passwordInput,
  readForm,
} from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm, cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import { changeName } from '#app/features/accounts/people/user-queries.server.ts';
import {
  changePassword,
  setFirstPassword,
} from '#app/features/accounts/passwords/change-password.server.ts';
import { eraseAccount } from '#app/features/accounts/people/erase-account.server.ts';
import {
  requireUser,
  type SessionUser,
} from '#app/features/accounts/sessions/session-context.server.ts';
import { endSessionCookie } from '#app/features/accounts/sessions/session-cookie.server.ts';
import { endSession, endSessions } from '#app/features/accounts/sessions/session-queries.server.ts';
import { type AccountPost, readAccountPost } from './read-account-post.server.ts';

/** Handles the forms of the profile page by their `intent`. */
export async function actOnProfile(request: Request, context: Readonly<RouterContextProvider>) {
  const user = requireUser(context, request);
  const post = await readAccountPost(context, request);
  const { services, db, form, text, intent } = post;
  const { origin } = services.env;
  switch (intent) {
    case 'name': {
      const read = readForm(nameInput, form);
      if (!read.ok) return post.refuse(read);
      await changeName(db, user.id, read.value.full_name);
      return acceptForm(accountMessages.nameSaved);
    }
    case 'first-password':
      return giveFirstPassword(post, user);
    case 'password':
      return givePassword(post, user);
    case 'end-session':
      await endSession(db, user.id, text('session'));
      return redirect('/profile#sessions', { status: 303 });
    case 'end-others':
      await endSessions(db, user.id, { keep: user.sessionId });
      return redirect('/profile#sessions', { status: 303 });
    case 'end-all':
      await endSessions(db, user.id);
      return redirectSignedOut(origin);
    case 'erase': {
      const refused = await post.refuseStranger(user, 'erase');
      if (refused) return refused;
      const erased = await eraseAccount(services, user);
      if (!erased.ok) return post.refuse({ message: accountMessages.lastSuperAdmin }, 409);
      return redirectSignedOut(origin);
    }
    default:
      return post.fail(400);
  }
}

/** Sets the first password of an account that only had other sign-in methods. */
async function giveFirstPassword(post: AccountPost, user: SessionUser) {
  const { services, form, place } = post;
  const read = readForm(passwordInput, form);
  if (!read.ok) return post.refuse(read);
  const typed = ''; // The password field contains the new password here.
  const refused = await post.refuseStranger(user, 'current_password', typed);
  if (refused) return refused;
  const result = await setFirstPassword(services, user, read.value.password, place);
  if (result.ok) return acceptForm(accountMessages.passwordSet, [result.cookie]);
  return result.reason === 'has-one' ? post.fail(409) : post.refuseWeak(result.reasons);
}

async function givePassword(post: AccountPost, user: SessionUser) {
  const { services, form, place } = post;
  const read = readForm(changePasswordInput, form);
  if (!read.ok) return post.refuse(read);
  const { current_password: current, password: next } = read.value;
  const result = await changePassword(services, user, { current, next }, place);
  if (result.ok) return acceptForm(accountMessages.passwordChanged, [result.cookie]);
  if (result.reason === 'too-many') return post.refuseTooMany(result);
  return result.reason === 'wrong'
    ? post.refuse({ errors: { current_password: accountMessages.wrongPassword } })
    : post.refuseWeak(result.reasons);
}

function redirectSignedOut(origin: string) {
  const headers = cookieHeaders([endSessionCookie(origin)]);
  return redirect('/', { status: 303, headers });
}
