/** The islands of an account's pages, as `islands.ts` has those of all pages: visitors elsewhere fetch no list of them. */
export const accountIslands = {
  'sign-in-form': async () =>
    (await import('#app/features/accounts/passwords/credential-islands.tsx')).SignInIsland,
  'sign-up-form': async () =>
    (await import('#app/features/accounts/passwords/credential-islands.tsx')).SignUpIsland,
  'mail-request-form': async () =>
    (await import('#app/features/accounts/passwords/credential-islands.tsx')).MailRequestIsland,
};
