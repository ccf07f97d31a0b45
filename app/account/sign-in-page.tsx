import { redirect, useSearchParams } from 'react-router';
import type { Route } from './+types/sign-in-page';
import { readForm, signInInput } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  acceptForm,
  cookieHeaders,
  refuseForm,
  refuseMachines,
  refuseTooMany,
} from '#app/features/accounts/answer-form.server.ts';
import { useAccountForm } from '#app/features/accounts/account-form.tsx';
import { SignInForm } from '#app/features/accounts/passwords/credential-forms.tsx';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import type { FormAnswer } from '#app/features/accounts/form-answer.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { sessionPlace } from '#app/features/accounts/sessions/session-place.server.ts';
import { signIn } from '#app/features/accounts/sessions/sign-in.server.ts';
import { answerWhenLost } from '#app/platform/answer-when-lost.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { accountMeta } from './account-meta.ts';
import { AccountPanel, PanelLink } from './account-panel.tsx';

export function loader({ context, request }: Route.LoaderArgs) {
  if (currentUser(context)) throw redirect(returnPathOf(request));
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const services = appServices(context);
  const { place, oldToken } = sessionPlace(context, request);
  const form = await readFormBody(request);
  const isMachine = await refuseMachines(services, form, place.address);
  if (isMachine) return isMachine;
  const read = readForm(signInInput, form);
  if (!read.ok) return refuseForm(form, read);

  const result = await signIn(services, read.value, place, oldToken);
  if (!result.ok) {
    return result.reason === 'too-many'
      ? refuseTooMany(form, result)
      : refuseForm(form, { message: accountMessages.wrongCredentials });
  }
  const returnTo = returnPathOf(request);
  if (result.needsCode) {
    const path = `/sign-in/second-factor?returnTo=${encodeURIComponent(returnTo)}`;
    return redirect(path, { status: 303, headers: cookieHeaders(result.cookies) });
  }
  if (readText(form, 'place') === 'dialog')
    return acceptForm(accountMessages.signedIn, result.cookies);
  return redirect(returnTo, { status: 303, headers: cookieHeaders(result.cookies) });
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  const lost: FormAnswer = { ok: false, message: accountMessages.failed };
  return answerWhenLost(serverAction, lost);
}

function returnPathOf(request: Request): string {
  return safeReturnPath(new URL(request.url).searchParams.get('returnTo'));
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Sign In');

export default function SignInPage({ actionData }: Route.ComponentProps) {
  const fetcher = useAccountForm();
  const [query] = useSearchParams();
  const returnTo = safeReturnPath(query.get('returnTo'));
  const more = returnTo === '/' ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
  return (
    <AccountPanel title="Sign In">
      <SignInForm fetcher={fetcher} firstAnswer={actionData} returnTo={returnTo} />
      <PanelLink to={`/sign-up${more}`}>{"Don't have an account? Sign up"}</PanelLink>
      <PanelLink to="/forgot-password">Forgot password?</PanelLink>
    </AccountPanel>
  );
}
