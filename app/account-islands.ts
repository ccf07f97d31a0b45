/** The islands of an account's pages, as `islands.ts` has those of all pages: visitors elsewhere fetch no list of them. */
export const accountIslands = {
  'sign-in-form': async () =>
    (await import('#app/features/accounts/passwords/credential-islands.tsx')).SignInIsland,
  'sign-up-form': async () =>
    (await import('#app/features/accounts/passwords/credential-islands.tsx')).SignUpIsland,
  'mail-request-form': async () =>
    (await import('#app/features/accounts/passwords/credential-islands.tsx')).MailRequestIsland,
  'deal-alert-form': async () =>
    (await import('#app/features/price-alerts/alert-dialog.tsx')).DealAlertForm,
  'edit-alert-form': async () =>
    (await import('#app/account/price-alerts/edit-alert-form.tsx')).EditAlertForm,
  'guest-watch-form': async () =>
    (await import('#app/account/price-alerts/guest-watch-form.tsx')).GuestWatchForm,
  'push-switch': async () =>
    (await import('#app/features/price-alerts/push-switch.tsx')).PushSwitch,
  'report-form': async () => (await import('#app/features/reports/report-form.tsx')).ReportForm,
};
