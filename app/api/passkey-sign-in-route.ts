import { type ActionFunctionArgs, redirect } from 'react-router';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  acceptForm,
  cookieHeaders,
  refuseForm,
  refuseTooMany,
} from '#app/features/accounts/answer-form.server.ts';
import { passkeyAnswer, readAnswer } from '#app/features/accounts/passkeys/passkey-input.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import { sessionPlace } from '#app/features/accounts/sessions/session-place.server.ts';
import { signInByPasskey } from '#app/features/accounts/passkeys/sign-in-by-passkey.server.ts';
import { saveWishes } from '#app/features/follows/wished-follow.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';

/**
 * Handles `POST /api/passkeys/sign-in?returnTo=…` with a passkey's signature. No captcha is needed,
 * since signatures cannot be guessed.
 */
export async function action({ context, request }: ActionFunctionArgs) {
  const form = await readFormBody(request);
  const answer = readAnswer(passkeyAnswer, readText(form, 'credential'));
  const { place, oldToken } = sessionPlace(context, request);
  const services = appServices(context);
  const result = await signInByPasskey(services, request, answer, place, oldToken);
  if (!result.ok) {
    if (result.reason === 'too-many') return refuseTooMany(form, result);
    const { suspended, passkeyUnknown } = accountMessages;
    return refuseForm(form, {
      message: result.reason === 'suspended' ? suspended : passkeyUnknown,
    });
  }
  const cookies = [...result.cookies, ...(await saveWishes(services, request, result.userId))];
  if (readText(form, 'place') === 'dialog') return acceptForm(accountMessages.signedIn, cookies);
  const returnTo = safeReturnPath(new URL(request.url).searchParams.get('returnTo'));
  return redirect(returnTo, { status: 303, headers: cookieHeaders(cookies) });
}

export function loader() {
  throw redirect('/sign-in');
}
