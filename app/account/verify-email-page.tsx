import { Form, Link, useNavigation } from 'react-router';
import type { Route } from './+types/verify-email-page';
import formStyles from '#app/features/accounts/account-form.module.css';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm, refuseForm } from '#app/features/accounts/answer-form.server.ts';
import { verifyEmail } from '#app/features/accounts/verify-email.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { readFormBody } from '#app/platform/read-form-body.ts';
import { readText } from '#app/platform/read-text.ts';
import { Button } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { accountMeta } from './account-meta.ts';
import { AccountPanel } from './account-panel.tsx';

/** Only shows the button: a mail scanner that opens the link verifies nothing (R15). */
export function loader({ request }: Route.LoaderArgs) {
  return { token: new URL(request.url).searchParams.get('token')?.slice(0, 100) ?? '' };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await readFormBody(request);
  const isVerified = await verifyEmail(appServices(context), readText(form, 'token').slice(0, 100));
  return isVerified
    ? acceptForm(accountMessages.emailVerified)
    : refuseForm(form, { message: accountMessages.linkDead }, 410);
}

export function meta({ matches }: Route.MetaArgs) {
  return accountMeta(matches[0].loaderData?.site, 'Verify your email address');
}

export default function VerifyEmailPage({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle';
  return (
    <AccountPanel title="Verify your email address">
      <FormNotice text={actionData?.message} kind={actionData?.ok ? 'success' : 'error'} />
      {actionData === undefined ? (
        <Form method="post" className={formStyles.form}>
          <p>One click and your address is verified.</p>
          <input type="hidden" name="token" value={loaderData.token} />
          <Button type="submit" look="primary" isWide isBusy={isBusy}>
            {isBusy ? accountMessages.busy : 'Verify my email address'}
          </Button>
        </Form>
      ) : (
        <p className={formStyles.switch}>
          {actionData.ok ? (
            <Link to="/sign-in">Sign In</Link>
          ) : (
            <Link to="/resend-verification">Ask for a new link</Link>
          )}
        </p>
      )}
    </AccountPanel>
  );
}
