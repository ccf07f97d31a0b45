import { redirect } from 'react-router';
import type { Route } from './+types/second-factor-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import {
  findAwaited,
  passSecondFactor,
} from '#app/features/accounts/two-factor/second-factor-step.server.ts';
import { enter } from '#app/features/accounts/sessions/sign-in.server.ts';
import { saveWishes } from '#app/features/follows/wished-follow.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, PanelForm } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

export async function loader({ context, request }: Route.LoaderArgs) {
  if ((await findAwaited(appServices(context), request)) === null) throw redirect('/sign-in');
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const post = await readAccountPost(context, request);
  const { services, text, place, oldToken } = post;
  const passed = await passSecondFactor(services, request, text('code').slice(0, 40));
  if (!passed.ok) {
    if (passed.reason === 'over') return redirect('/sign-in', { status: 303 });
    if (passed.reason === 'too-many') return post.refuseTooMany(passed);
    return post.refuse({ errors: { code: accountMessages.wrongCode } });
  }
  const cookies = await enter(services, passed.userId, place, oldToken);
  // The account was suspended after its password was checked; the sign-in page explains it.
  if (!cookies) return redirect('/sign-in', { status: 303 });
  const saved = await saveWishes(services, request, passed.userId);
  const returnTo = safeReturnPath(new URL(request.url).searchParams.get('returnTo'));
  return redirect(returnTo, {
    status: 303,
    headers: cookieHeaders([...cookies, passed.clearedCookie, ...saved]),
  });
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Two-factor code');

export default function SecondFactorPage({ actionData }: Route.ComponentProps) {
  return (
    <NarrowPage title="Two-factor code">
      <PanelForm submitLabel="Sign In" isMain>
        <FormNotice text={actionData?.message} kind="error" />
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          inputMode="text"
          required
          maxLength={40}
          hint="The six-digit code from your authenticator app, or one of your backup codes."
          error={actionData?.errors?.code}
        />
      </PanelForm>
    </NarrowPage>
  );
}
