import { SignInLink } from '#app/features/accounts/sessions/sign-in-link.tsx';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { SignedInTools } from './signed-in-tools.tsx';

/** In the header: Sign In, or the signed-in visitor's tools. */
export function AccountTools() {
  const viewer = useViewer();
  return viewer ? <SignedInTools viewer={viewer} /> : <SignInLink />;
}
