import type { Route } from './+types/confirm-address-page';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm } from '#app/features/accounts/answer-form.server.ts';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import {
  confirmAddress,
  findAddressToConfirm,
  sendAddressConfirmation,
} from '#app/features/accounts/people/confirm-address.server.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { appServices } from '#app/platform/app-context.server.ts';
import { DonePanel } from '#app/ui/done-panel.tsx';
import { PrimaryLink } from '#app/ui/button.tsx';
import { FormNotice } from '#app/ui/form-notice.tsx';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, DeadAccountLink, PanelForm, PanelLink } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

/** Shows only the form, so that a mail scanner that opens the link confirms nothing. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const token = new URL(request.url).searchParams.get('token')?.slice(0, 200) ?? '';
  return { token, isGood: (await findAddressToConfirm(appServices(context).db, token)) !== null };
}

/** Confirms the address in a link, or sends such a link to the signed-in user. */
export async function action({ context, request }: Route.ActionArgs) {
  const post = await readAccountPost(context, request);
  const { services, intent, place, text } = post;
  if (intent !== 'send') {
    const isConfirmed = await confirmAddress(services.db, text('token').slice(0, 200));
    return isConfirmed
      ? acceptForm(accountMessages.addressConfirmed)
      : post.refuse({ message: accountMessages.linkDead }, 410);
  }
  const user = currentUser(context);
  // An unverified account needs the verification link instead.
  if (!user?.emailVerified) return post.fail(403);
  await sendAddressConfirmation(services, user, place.address);
  return acceptForm(accountMessages.confirmationSent);
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Confirm your email address');

export default function ConfirmAddressPage({ loaderData, actionData }: Route.ComponentProps) {
  const { token, isGood } = loaderData;
  const toAlerts = <PrimaryLink to="/price-alerts">Go to your price alerts</PrimaryLink>;
  if (actionData?.ok) {
    const isSent = actionData.message === accountMessages.confirmationSent;
    return (
      <NarrowPage title="Confirm your email address">
        <DonePanel
          {...(!isSent && { icon: 'check', title: 'Address confirmed' })}
          actions={toAlerts}
        >
          {actionData.message}
        </DonePanel>
      </NarrowPage>
    );
  }
  if (!isGood && (!actionData || actionData.message === accountMessages.linkDead)) {
    return <DeadAccountLink>{toAlerts}</DeadAccountLink>;
  }
  return (
    <NarrowPage
      title="Confirm your email address"
      intro="We will send price alerts and newsletters to your address again."
    >
      <FormNotice text={actionData?.message} kind="error" />
      {isGood ? (
        <PanelForm fields={{ token }} submitLabel="Confirm my email address" isMain />
      ) : (
        <PanelLink to="/price-alerts">Go to your price alerts</PanelLink>
      )}
    </NarrowPage>
  );
}
