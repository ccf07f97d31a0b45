/**
 * The islands that only account pages have, so that other pages need not load this list. The
 * islands of all pages are in `islands.ts`.
 */
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
