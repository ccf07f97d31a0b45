/**
 * The islands, which are the parts of a page that hydrate by themselves, with their scripts. The
 * keys are the names that `Island` receives.
 */
export const islands = {
  'search-box': async () => (await import('#app/features/search/search-box.tsx')).SearchBox,
  'newsletter-form': async () =>
    (await import('#app/features/newsletter/newsletter-form.tsx')).NewsletterForm,
  'contact-form': async () => (await import('#app/features/contact/contact-form.tsx')).ContactForm,
  'session-monitor': async () =>
    (await import('#app/features/accounts/sessions/session-monitor.tsx')).SessionMonitor,
  'product-request-form': async () =>
    (await import('#app/storefront/check/product-request-form.tsx')).ProductRequestForm,
  'cookie-toggles': async () =>
    (await import('#app/storefront/legal/cookie-toggles.tsx')).CookieToggles,
};

/**
 * Islands that open over the page when their link is pressed (`opens`), and receive a callback that
 * closes them.
 */
export const openedIslands = {
  'auth-dialog': async () =>
    (await import('#app/features/accounts/sessions/auth-dialog.tsx')).AuthDialog,
  'alert-dialog': async () =>
    (await import('#app/features/price-alerts/alert-dialog.tsx')).AlertDialog,
  'report-dialog': async () => (await import('#app/features/reports/report-form.tsx')).ReportDialog,
};
