import type { SiteFacts } from './site-facts.server.ts';

/**
 * Replaces placeholders of facts: `{{name}}`. In URLs, Markdown escapes the braces. Text between
 * `{{name?` and `?}}` is omitted if that fact is missing.
 */
export function fillFacts(
  text: string,
  site: SiteFacts,
  escape = (value: string) => value,
): string {
  const facts: Record<string, string> = {
    ...site,
    replyHours: String(site.replyHours ?? ''),
    passwordMinLength: String(site.passwordMinLength),
    newsletterRhythm: site.hasDigest
      ? 'once a week with the best new deals, each with what our log says about its price'
      : 'when there is something worth an email',
    hasDigest: '',
    isAmazonAssociate: site.isAmazonAssociate ? 'yes' : '',
  };
  const known = new Map(Object.entries(facts));
  // Each scan stops at the next placeholder, so that the time is linear in the text's length.
  const told = text.replace(
    /\{\{(\w+)\?((?:(?!\{\{\w+\?).)*?)\?\}\}/gs,
    (_whole, key: string, words: string) => (known.get(key) ? words : ''),
  );
  return told.replace(/(?:\{\{|%7B%7B)(\w+)(?:\}\}|%7D%7D)/g, (whole, key: string) =>
    escape(known.get(key) ?? whole),
  );
}
