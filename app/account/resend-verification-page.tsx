import { useSearchParams } from 'react-router';
import type { Route } from './+types/resend-verification-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { resendVerification } from '#app/features/accounts/people/verify-email.server.ts';
import { accountMeta } from './account-meta.ts';
import { answerMailRequest } from './answer-mail-request.server.ts';
import { MailRequestPanel } from './mail-request-panel.tsx';

export function action(args: Route.ActionArgs) {
  return answerMailRequest(args, resendVerification, accountMessages.verificationSent);
}

export const meta = accountMeta('Verify your email address');

export default function ResendVerificationPage({ actionData }: Route.ComponentProps) {
  const [query] = useSearchParams();
  return (
    <MailRequestPanel
      title="Verify your email address"
      action="/resend-verification"
      submitLabel="Send the link again"
      firstAnswer={actionData}
    >
      {query.has('first') ? `${accountMessages.addressFirst} ` : null}We mail you a new link that
      verifies your address.
    </MailRequestPanel>
  );
}
