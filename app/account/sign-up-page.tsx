import { redirect } from 'react-router';
import type { Route } from './+types/sign-up-page';
import { readForm, signUpInput } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm } from '#app/features/accounts/answer-form.server.ts';
import type { SignUpIsland } from '#app/features/accounts/passwords/credential-islands.tsx';
import { judgePassword } from '#app/features/accounts/passwords/judge-password.server.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { signUp } from '#app/features/accounts/people/sign-up.server.ts';
import { useAccountFacts } from '#app/features/accounts/sessions/viewer-context.tsx';
import { Island } from '#app/islands/island.tsx';
import { wantsJson } from '#app/platform/wants-json.ts';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, PanelLink } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

export function loader({ context, request }: Route.LoaderArgs) {
  if (currentUser(context) && !wantsJson(request)) throw redirect('/');
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const post = await readAccountPost(context, request);
  const { services, form, place } = post;
  const refused = await post.refuseBot();
  if (refused) return refused;
  const read = readForm(signUpInput, form);
  if (!read.ok) return post.refuse(read);
  const { full_name: fullName, email, password } = read.value;
  const reasons = await judgePassword(services, password, { email, fullName });
  if (reasons.length > 0) return post.refuseWeak(reasons);
  await signUp(services, { fullName, email, password }, place.address);
  return acceptForm(accountMessages.signedUp, [], { email });
}

export const meta = accountMeta('Sign Up');

export default function SignUpPage({ actionData }: Route.ComponentProps) {
  const facts = useAccountFacts();
  return (
    <NarrowPage title="Sign Up">
      <Island<typeof SignUpIsland> name="sign-up-form" props={{ facts, answer: actionData }} />
      <PanelLink to="/sign-in">Already have an account? Sign in</PanelLink>
    </NarrowPage>
  );
}
