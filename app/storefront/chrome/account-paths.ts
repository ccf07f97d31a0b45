/** The pages under the account's layout. Its file, and the ways to other sites and back, are none. */
export const accountPaths =
  /^\/(favorites|price-alerts|stop-mails|sign-in|sign-up|forgot-password|resend-verification|reset-password|verify-email|confirm-address|profile|logout|setup|invitation|deals\/[^/]+\/report)(\/|$)(?!export$|with\/|one-click$)/;
