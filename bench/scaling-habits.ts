/**
 * What is assumed of visitors, stores and owners: nothing of it is measured. Another site has other habits; change them here and
 * docs/scaling.md is computed anew.
 */
export const habits = {
  /** The busiest hour, as a multiple of the day's mean, and a busy day as one of the month's. */
  busyHour: 2.5,
  busyDay: 1.5,
  /** Of page views: answered from memory, made for all, made for one, and searches. */
  shares: { kept: 0.75, madeAnew: 0.1, signedIn: 0.1, search: 0.05 },
  /** For each page view; pictures that the browser does not have yet. */
  perView: { suggestions: 0.2, pictures: 6, clicks: 0.1, api: 0.02 },
  /** Of what all visitors share, what a CDN or Varnish answers. */
  cacheInFront: 0.95,
  /** Processors are planned to be busy for so much of the busiest hour. */
  mostBusy: 0.6,
  /** Of all deals, those that somebody follows out on a day. */
  followedADay: 0.015,
  /** Prices of a deal in a month; alerts that one of them fires; how often a day each deal is read in a feed. */
  changesAMonth: 4,
  firedPerChange: 0.02,
  readADay: 4,
  /** What a mail server takes for a mail, in milliseconds; the site has five connections to it. */
  mailServerMs: 200,
};
