export const siteFlags: readonly string[];
