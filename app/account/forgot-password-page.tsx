import type { Route } from './+types/forgot-password-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { requestPasswordReset } from '#app/features/accounts/passwords/reset-password.server.ts';
import { accountMeta } from './account-meta.ts';
import { answerMailRequest } from './answer-mail-request.server.ts';
import { MailRequestPanel } from './mail-request-panel.tsx';

export function action(args: Route.ActionArgs) {
  return answerMailRequest(args, requestPasswordReset, accountMessages.resetSent);
}

export const meta = accountMeta('Forgot password');

export default function ForgotPasswordPage({ actionData }: Route.ComponentProps) {
  return (
    <MailRequestPanel
      title="Forgot password"
      action="/forgot-password"
      submitLabel="Send the link"
      firstAnswer={actionData}
    >
      We mail you a link to set a new password. It works for 30 minutes.
    </MailRequestPanel>
  );
}
