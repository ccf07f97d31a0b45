/** Reached from a mail, or while signing in: opened as whole pages, with the whole list of routes. */
const rare =
  /^account\/(passkeys|provider|providers|provider-callback|reset-password|second-factor|setup.*|two-factor|verify-email|price-alerts\/stop-mails)-page$|^storefront\/newsletter\/(confirm-subscription|unsubscribe)-page$/;

/** Not pages, but scripts of pages post to them. */
const posted = new Set([
  'api/favorites-route',
  'api/passkey-sign-in-route',
  'account/export-route',
]);

/**
 * Whether a route, by its id, is in the list that visitors' pages fetch: without the screens of staff, what only
 * machines read and what is rarely opened, that is a third of all. A page that is not listed is opened as a document
 * (`not-found-page.tsx`), and lists them all.
 */
export function isForVisitors(id: string): boolean {
  if (id.startsWith('admin/') || rare.test(id)) return false;
  return posted.has(id) || !/^api\/|-route$/.test(id);
}
