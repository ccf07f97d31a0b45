import type { ProviderName } from './sessions/viewer-context.tsx';

/** How somebody signed in can show once more that it is them (R50). */
export interface IdentityWays {
  hasPassword: boolean;
  hasPasskey: boolean;
  /** Six digits of their app do as well. */
  hasCode: boolean;
  /** Without a password: a sign-in that was just now is proof enough. */
  isFresh: boolean;
  /** Where they can sign in again. */
  providers: ProviderName[];
}
