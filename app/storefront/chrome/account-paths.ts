/**
 * The pages in the account layout, without the export file and the redirects to other sites and
 * back.
 */
export const accountPaths =
  /^\/(favorites|price-alerts|stop-mails|sign-in|sign-up|forgot-password|resend-verification|reset-password|verify-email|confirm-address|profile|logout|setup|invitation|deals\/[^/]+\/report)(\/|$)(?!export$|with\/|one-click$)/;
