import { redirect, useSearchParams } from 'react-router';
import type { Route } from './+types/sign-in-page';
import { readForm, signInInput } from '#app/features/accounts/account-input.ts';
import { accountMessages } from '#app/features/accounts/account-messages.ts';
import { acceptForm, cookieHeaders } from '#app/features/accounts/answer-form.server.ts';
import type { SignInIsland } from '#app/features/accounts/passwords/credential-islands.tsx';
import { keepRetryAfter } from '#app/features/accounts/keep-retry-after.ts';
import { safeReturnPath } from '#app/features/accounts/sessions/safe-return-path.ts';
import { currentUser } from '#app/features/accounts/sessions/session-context.server.ts';
import { signIn } from '#app/features/accounts/sessions/sign-in.server.ts';
import { useAccountFacts } from '#app/features/accounts/sessions/viewer-context.tsx';
import { saveWishes } from '#app/features/follows/wished-follow.server.ts';
import { Island } from '#app/islands/island.tsx';
import { wantsJson } from '#app/platform/wants-json.ts';
import { NarrowPage } from '#app/ui/narrow-column.tsx';
import { accountMeta, PanelLink } from './account-panel.tsx';
import { readAccountPost } from './read-account-post.server.ts';

export function loader({ context, request }: Route.LoaderArgs) {
  // A client that reads the action's response may have just signed in. A redirect would replace the
  // response and the new session.
  if (currentUser(context) && !wantsJson(request)) throw redirect(returnPathOf(request));
  return null;
}

export async function action({ context, request }: Route.ActionArgs) {
  const post = await readAccountPost(context, request);
  const { services, form, text, place, oldToken } = post;
  const refused = await post.refuseBot();
  if (refused) return refused;
  const read = readForm(signInInput, form);
  if (!read.ok) return post.refuse(read);
  const result = await signIn(services, read.value, place, oldToken);
  if (!result.ok) {
    if (result.reason === 'too-many') return post.refuseTooMany(result);
    const { suspended, wrongCredentials } = accountMessages;
    return post.refuse({ message: result.reason === 'suspended' ? suspended : wrongCredentials });
  }
  const { userId, needsCode } = result;
  const saved = needsCode ? [] : await saveWishes(services, request, userId);
  const cookies = [...result.cookies, ...saved];
  if (!needsCode && text('place') === 'dialog')
    return acceptForm(accountMessages.signedIn, cookies);
  const returnTo = returnPathOf(request);
  const path = `/sign-in/second-factor?returnTo=${encodeURIComponent(returnTo)}`;
  return redirect(needsCode ? path : returnTo, {
    status: 303,
    headers: cookieHeaders(cookies),
  });
}

function returnPathOf(request: Request): string {
  return safeReturnPath(new URL(request.url).searchParams.get('returnTo'));
}

export const headers = keepRetryAfter;

export const meta = accountMeta('Sign In');

export default function SignInPage({ actionData }: Route.ComponentProps) {
  const facts = useAccountFacts();
  const [query] = useSearchParams();
  const returnTo = safeReturnPath(query.get('returnTo'));
  const more = returnTo === '/' ? '' : (`?returnTo=${encodeURIComponent(returnTo)}` as const);
  return (
    <NarrowPage title="Sign In">
      <Island<typeof SignInIsland>
        name="sign-in-form"
        props={{ facts, answer: actionData, returnTo }}
      />
      <PanelLink to={`/sign-up${more}`}>{"Don't have an account? Sign up"}</PanelLink>
    </NarrowPage>
  );
}
