import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Role } from '#database/schema/account-tables.ts';

/** Who looks at this page, as far as the browser needs to know. */
export interface Viewer {
  email: string;
  role: Role;
}

interface AccountFacts {
  /** Null: nobody signed in, or a page that all visitors share. */
  viewer: Viewer | null;
  passwordMinLength: number;
  /** Where people may sign in instead of here. */
  providers: readonly ProviderName[];
}

export interface ProviderName {
  id: string;
  name: string;
}

const AccountContext = createContext<AccountFacts>({
  viewer: null,
  passwordMinLength: 6,
  providers: [],
});

export function ViewerProvider({
  viewer,
  passwordMinLength,
  providers,
  children,
}: AccountFacts & { children: ReactNode }) {
  const facts = useMemo(
    () => ({ viewer, passwordMinLength, providers }),
    [viewer, passwordMinLength, providers],
  );
  return <AccountContext value={facts}>{children}</AccountContext>;
}

export function useViewer(): Viewer | null {
  return useContext(AccountContext).viewer;
}

/** Fewest characters of a new password, as the site is set. */
export function usePasswordMinLength(): number {
  return useContext(AccountContext).passwordMinLength;
}

export function useProviders(): readonly ProviderName[] {
  return useContext(AccountContext).providers;
}
