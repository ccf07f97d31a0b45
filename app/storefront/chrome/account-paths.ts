/** The pages under the account's layout. Its file, and the ways to other sites and back, are none. */
export const accountPaths =
  /^\/(favorites|price-alerts|profile|logout|deals\/[^/]+\/report)(\/|$)(?!export$|with\/|one-click$)/;
