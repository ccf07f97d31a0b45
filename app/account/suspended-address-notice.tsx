import type { Suspension } from '#app/platform/mail/suspension-queries.server.ts';
import { PostButton } from '#app/ui/act-form.tsx';

/** Explains why the signed-in user gets no alerts, with a button that emails a link to fix it. */
export function SuspendedAddressNotice({ reason }: Pick<Suspension, 'reason'>) {
  return (
    <>
      <p>
        {reason === 'bounce'
          ? 'Emails to your address could not be delivered, so price alerts and newsletters are paused.'
          : 'One of our emails to you was reported as spam, so price alerts and newsletters are paused.'}{' '}
        To resume them, confirm that your address works.
      </p>
      <PostButton fields={{ intent: 'send' }} form={{ action: '/confirm-address' }}>
        Send a confirmation link
      </PostButton>
    </>
  );
}
