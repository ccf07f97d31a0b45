import { markHydrated } from '#app/islands/mark-hydrated.ts';
import { startPosts } from '#app/islands/post-forms.ts';
import { startBehaviours } from './start-behaviours.ts';

const started = startBehaviours();
// Only pages with a router have this object, which its own scripts define.
const hasRouter = '__reactRouterContext' in window;
if (hasRouter)
  void import('#app/islands/hydrate-page.tsx').then(({ hydratePage }) => hydratePage());
else {
  startPosts();
  void started.then(markHydrated);
}
// On a page with a router, users may sign in without leaving it.
if (hasRouter || document.documentElement.dataset['sessionEnds']) {
  void import('#app/features/accounts/sessions/keep-session-alive.ts').then(
    ({ keepSessionAlive }) => keepSessionAlive(),
  );
}
