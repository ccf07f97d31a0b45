import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { PostButton } from '#app/ui/act-form.tsx';

/** A button that emails the signed-in user another verification link. */
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
