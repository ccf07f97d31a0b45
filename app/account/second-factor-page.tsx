import { Form, redirect, useNavigation } from 'react-router';
import type { Route } from './+types/second-factor-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import {
  cookieHeaders,
  refuseForm,
  refuseTooMany,
} from '#app/features/accounts/answer-form.server.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import {
  findAwaited,
  passSecondFactor,
} from '#app/features/accounts/two-factor/second-factor-step.server.ts';
import { sessionPlace } from '#app/features/accounts/sessions/session-place.server.ts';
import { enter } from '#app/features/accounts/sessions/sign-in.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import forms from '#app/ui/form.module.css';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { accountMeta } from './account-meta.ts';
import { AccountPanel } from './account-panel.tsx';

export async function loader({ context, request }: Route.LoaderArgs) {
  if ((await findAwaited(appServices(context), request)) === null) throw redirect('/sign-in');
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const services = appServices(context);
  const form = await readFormBody(request);
  const passed = await passSecondFactor(services, request, readText(form, 'code').slice(0, 40));
  if (!passed.ok) {
    if (passed.reason === 'over') return redirect('/sign-in', { status: 303 });
    if (passed.reason === 'too-many') return refuseTooMany(form, passed);
    return refuseForm(form, { errors: { code: accountMessages.wrongCode } });
  }
  const { place, oldToken } = sessionPlace(context, request);
  const cookies = await enter(services, passed.userId, place, oldToken);
  const returnTo = safeReturnPath(new URL(request.url).searchParams.get('returnTo'));
  return redirect(returnTo, {
    status: 303,
    headers: cookieHeaders([...cookies, passed.clearedCookie]),
  });
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Second step');

export default function SecondFactorPage({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <AccountPanel title="Second step">
      <Form method="post" className={forms.stack}>
        <FormNotice text={actionData?.message} kind="error" />
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          inputMode="text"
          required
          maxLength={40}
          hint="The six digits your authenticator app shows now, or one of your backup codes."
          error={actionData?.errors?.code}
        />
        <Button type="submit" look="primary" isWide isBusy={isBusy}>
          {isBusy ? accountMessages.busy : 'Sign In'}
        </Button>
      </Form>
    </AccountPanel>
  );
}
