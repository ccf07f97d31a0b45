import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { PostButton } from '#app/ui/act-form.tsx';

/** Mails the signed-in user another link that verifies their address, by one press. */
export function SendLinkAgain() {
  return (
    <PostButton
      fields={{ email: useViewer()?.email ?? '' }}
      form={{ action: '/resend-verification' }}
    >
      Send the link again
    </PostButton>
  );
}
