import { SignInLink } from '#app/features/accounts/sessions/sign-in-link.tsx';
import { useViewer } from '#app/features/accounts/sessions/viewer-context.tsx';
import { SignedInTools } from './signed-in-tools.tsx';

/** The header's tools: Sign In, or the tools of a signed-in visitor. */
export function AccountTools() {
  const viewer = useViewer();
  return viewer ? <SignedInTools viewer={viewer} /> : <SignInLink />;
}
