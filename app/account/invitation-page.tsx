import { data, redirect } from 'react-router';
import type { Route } from './+types/invitation-page';
import { joinInput, readForm } from '#app/features/accounts/account-input.ts';
import { cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import { NameField, NewPasswordField } from '#app/features/accounts/passwords/credential-forms.tsx';
import {
  findInvitation,
  joinAsMember,
  joinAsNew,
} from '#app/features/accounts/people/accept-invitation.server.ts';
import { deadInvitations } from '#app/features/accounts/people/invitation-messages.ts';
import { nameRole } from '#app/features/accounts/people/role-choice.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { enter } from '#app/features/accounts/sessions/sign-in.server.ts';
import { SignOutForm } from '#app/features/accounts/sessions/sign-out-form.tsx';
import { useSite } from '#app/features/site-settings/site-context.tsx';
import { appServices } from '#app/platform/app-context.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { DeadLinkPanel } from '#app/ui/dead-link-panel.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, PanelForm, useMoments } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

const longestToken = 100;

/** Shows only the form, so that a mail scanner that opens the link accepts nothing. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token')?.slice(0, longestToken) ?? '';
  const found = await findInvitation(appServices(context).db, token);
  const viewer = currentUser(context);
  if (!found.ok) {
    const status = found.reason === 'unknown' ? 404 : 410;
    return data({ ok: false as const, why: deadInvitations[found.reason] }, { status });
  }
  const { email, invited, inviter, member, expiresAt } = found;
  return data({
    ok: true as const,
    token,
    email,
    role: nameRole(invited),
    inviter,
    expiresAt,
    isMember: member !== null,
    isViewer: member !== null && viewer?.id === member.id,
    viewerEmail: viewer?.email ?? null,
  });
}

export async function action({ context, request }: Route.ActionArgs) {
  const post = await readAccountPost(context, request);
  const { services, form, text, place, oldToken, refuse } = post;
  const token = text('token').slice(0, longestToken);
  const found = await findInvitation(services.db, token);
  if (!found.ok) return refuse({ message: deadInvitations[found.reason] }, 410);
  const viewer = currentUser(context);
  const join = async () => {
    if (found.member) {
      return viewer
        ? joinAsMember(services, token, viewer)
        : ({ ok: false, reason: 'has-account' } as const);
    }
    const read = readForm(joinInput, form);
    if (!read.ok) return { ...read, reason: 'invalid' } as const;
    const { full_name: fullName, password } = read.value;
    return joinAsNew(services, token, { fullName, password });
  };
  const joined = await join();
  if (joined.ok) {
    const byPasskey = found.member !== null && viewer?.byPasskey === true;
    const cookies = await enter(services, joined.userId, place, oldToken, { byPasskey });
    return redirect('/admin', { status: 303, headers: cookieHeaders(cookies ?? []) });
  }
  switch (joined.reason) {
    case 'invalid':
      return refuse(joined);
    case 'weak':
      return post.refuseWeak(joined.reasons);
    case 'has-account':
      return refuse(
        { message: 'You already have an account with this address. Sign in to it first.' },
        409,
      );
    case 'other-account':
      return refuse({ message: 'You are signed in with another address. Sign out first.' }, 409);
    default:
      return refuse({ message: deadInvitations[joined.reason] }, 410);
  }
}

export const meta = accountMeta('Join the team');

export default function InvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const moment = useMoments();
  const { name } = useSite();
  if (!loaderData.ok) {
    return (
      <DeadLinkPanel actions={<ButtonLink to="/sign-in">Sign In</ButtonLink>}>
        {loaderData.why}
      </DeadLinkPanel>
    );
  }
  const { email, role, inviter, expiresAt } = loaderData;
  return (
    <NarrowPage
      title={`Join the team of ${name}`}
      intro={
        <>
          {inviter} invites <b>{email}</b> to the admin, as <b>{role}</b>. The invitation is valid
          until {moment(expiresAt)}.
        </>
      }
    >
      <FormNotice text={actionData?.message} kind="error" />
      <NextStep invitation={loaderData} answer={actionData} />
    </NarrowPage>
  );
}

type Open = Extract<Route.ComponentProps['loaderData'], { ok: true }>;

function NextStep({
  invitation: { token, email, isMember, isViewer, viewerEmail },
  answer,
}: {
  invitation: Open;
  answer: Route.ComponentProps['actionData'];
}) {
  if (isViewer) {
    return (
      <PanelForm fields={{ token }} submitLabel="Accept and join" isMain>
        <p>You are signed in with this address.</p>
      </PanelForm>
    );
  }
  if (isMember && viewerEmail === null) {
    const here = `/invitation?token=${token}`;
    return (
      <>
        <p>You already have an account with this address. Sign in to it, then accept.</p>
        <ButtonLink to={`/sign-in?returnTo=${encodeURIComponent(here)}`} variant="primary">
          Sign in to accept
        </ButtonLink>
      </>
    );
  }
  if (isMember) {
    return (
      <>
        <p>
          You are signed in as {viewerEmail}. Sign out, then open the link in the email again and
          sign in as {email}.
        </p>
        <SignOutForm />
      </>
    );
  }
  return (
    <PanelForm fields={{ token }} submitLabel="Join the team" isMain>
      {viewerEmail === null ? null : (
        <p>This creates a separate account, and signs {viewerEmail} out in this browser.</p>
      )}
      <NameField answer={answer} />
      <NewPasswordField answer={answer} />
    </PanelForm>
  );
}
