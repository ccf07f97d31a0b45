import { useLocation, useSearchParams } from 'react-router';
import type { Route } from './+types/mail-request-page';
import { emailInput, readForm } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm } from '#app/features/accounts/answer-form.server.ts';
import { resendVerification } from '#app/features/accounts/people/verify-email.server.ts';
import type { MailRequestIsland } from '#app/features/accounts/passwords/credential-islands.tsx';
import { requestPasswordReset } from '#app/features/accounts/passwords/reset-password.server.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { Island } from '#app/islands/island.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, PanelLink } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

const forgotten = {
  action: '/forgot-password',
  title: 'Forgot password',
  submitLabel: 'Send the link',
  says: 'We will email you a link to set a new password. It works for 30 minutes.',
};
const unverified = {
  action: '/resend-verification',
  title: 'Verify your email address',
  submitLabel: 'Send the link again',
  says: 'We will email you a new link to verify your address.',
};
const pageAt = (pathname: string) =>
  pathname.startsWith(forgotten.action) ? forgotten : unverified;

/**
 * Asks for an address and emails a link to it. The response never shows whether an email was sent.
 */
export async function action({ context, request }: Route.ActionArgs) {
  const { services, form, place, refuse, refuseBot } = await readAccountPost(context, request);
  const read = readForm(emailInput, form);
  // Users who ask for an email to their own address already passed the captcha when they signed in.
  const isOwn = read.ok && read.value.email === currentUser(context)?.email;
  const refused = isOwn ? null : await refuseBot();
  if (refused) return refused;
  if (!read.ok) return refuse(read);
  const isForgotten = pageAt(new URL(request.url).pathname) === forgotten;
  const send = isForgotten ? requestPasswordReset : resendVerification;
  await send(services, read.value.email, place.address);
  const { email } = read.value;
  const sent = isForgotten ? accountMessages.resetSent : accountMessages.verificationSent;
  return acceptForm(sent, [], { email });
}

export const meta = (page: Route.MetaArgs) =>
  accountMeta(pageAt(page.location.pathname).title)(page);

export default function MailRequestPage({ actionData }: Route.ComponentProps) {
  const { title, says, ...form } = pageAt(useLocation().pathname);
  const [query] = useSearchParams();
  const viewer = useViewer();
  return (
    <NarrowPage
      title={title}
      intro={query.has('first') ? `${accountMessages.addressFirst} ${says}` : says}
    >
      <Island<typeof MailRequestIsland>
        name="mail-request-form"
        props={{ ...form, answer: actionData, email: viewer?.email }}
      />
      <PanelLink to={viewer ? '/profile' : '/sign-in'}>
        {viewer ? 'Back to your profile' : 'Back to Sign In'}
      </PanelLink>
    </NarrowPage>
  );
}
