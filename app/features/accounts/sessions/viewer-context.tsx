import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Role } from '#database/schema/account-tables.ts';

/** The signed-in user's data that the browser needs. */
export interface Viewer {
  email: string;
  role: Role;
}

export interface AccountFacts {
  /** `null` if signed out, or on a page shared by all visitors. */
  viewer: Viewer | null;
  passwordMinLength: number;
  /** The configured sign-in providers. */
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

/** Returns the minimum number of characters in a new password. */
export function usePasswordMinLength(): number {
  return useContext(AccountContext).passwordMinLength;
}

export function useProviders(): readonly ProviderName[] {
  return useContext(AccountContext).providers;
}

/** Returns the facts that the forms of an island need from its page. */
export function useAccountFacts(): Pick<AccountFacts, 'passwordMinLength' | 'providers'> {
  return { passwordMinLength: usePasswordMinLength(), providers: useProviders() };
}
