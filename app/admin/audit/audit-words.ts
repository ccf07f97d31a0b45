/**
 * Describes each action by its name in the log. `{}` stands for the target, `{field}` for a field's
 * value in the entry.
 */
const acts: Readonly<Record<string, string>> = {
  'api-key.create': 'made {}',
  'api-key.revoke': 'revoked {}',
  'category.create': 'added {}',
  'category.update': 'changed {}',
  'category.delete': 'deleted {}',
  'category.restore': 'restored {}',
  'click.export': 'exported {}',
  'contact.answer': 'answered {}',
  'contact.assign': 'assigned {} to {assigned_to}',
  'contact.close': 'closed {}',
  'contact.delete': 'deleted {}',
  'contact.reopen': 'reopened {}',
  'contact.unassign': 'unassigned {}',
  'deal.activate': 'activated {}',
  'deal.approve-price': 'approved {held_price} as the price of {}, which was {sale_price}',
  'deal.approve-prices': 'approved the held prices of {}',
  'deal.category': 'moved {} to {category_id}',
  'deal.check-link': 'had the link of {} checked',
  'deal.count-reduction': 'counted a reduction of {} in the discount check again',
  'deal.create': 'added {}',
  'deal.deactivate': 'deactivated {}',
  'deal.delete': 'deleted {}',
  'deal.dismiss-duplicate': 'marked {} as no duplicate of {other}',
  'deal.dismiss-reports': 'dismissed {reports} reports that {} had expired',
  'deal.doubt-link': 'marked the link of {} as broken',
  'deal.duplicate': 'copied {copy_of} as {}',
  'deal.end': 'changed the expiry of {}',
  'deal.export': 'exported {}',
  'deal.feature': 'featured {}',
  'deal.hide-duplicate': 'hid {} as a duplicate of {kept}',
  'deal.leave-out-reduction':
    'left a reduction of {} out of the discount check, giving as reason {left_out}',
  'deal.other-product': 'marked {} as another product in the feed, and ended it',
  'deal.same-product': 'marked {} as the same product in the feed',
  'deal.price': 'changed the prices of {}',
  'deal.put-back': 'restored {}',
  'deal.refuse-price': 'refused {held_price} as the price of {}, which stays {sale_price}',
  'deal.refuse-prices': 'refused the held prices of {}',
  'deal.replace-price':
    'voided the current price of {}, which is {sale_price} now, giving as reason {reason}',
  'deal.restore': 'restored {}',
  'deal.trust-link': 'marked the link of {} as working',
  'deal.unfeature': 'unfeatured {}',
  'deal.update': 'changed {}',
  'deal.void-price': 'voided {sale_price} in the price log of {}, giving as reason {reason}',
  'feed-source.create': 'added {}',
  'feed-source.delete': 'deleted {}',
  'feed-source.update': 'changed {}',
  'import.end-missing': 'ended the deals missing from {}',
  'import.export': 'exported the report of {}',
  'import.keep-missing': 'kept the deals missing from {}',
  'import.roll-back': 'rolled back {}',
  'import.samples': 'imported the sample deals',
  'import.start': 'started {}',
  'invitation.resend': 'invited {} again',
  'invitation.send': 'invited {} as {role}',
  'invitation.withdraw': 'withdrew the invitation of {}',
  'mail.retry': 'resent {}',
  'mail.test': 'sent a test email',
  'merchant.create': 'added {}',
  'merchant.update': 'changed {}',
  'merchant.delete': 'deleted {}',
  'merchant.restore': 'restored {}',
  'newsletter.create': 'wrote {}',
  'newsletter.delete': 'deleted {}',
  'newsletter.hold': 'cancelled {}',
  'newsletter.pause': 'paused {}',
  'newsletter.restore': 'restored {}',
  'newsletter.resume': 'resumed sending {}',
  'newsletter.schedule': 'scheduled {}',
  'newsletter.send': 'started sending {}',
  'newsletter.test': 'sent a test of {}',
  'newsletter.unschedule': 'turned {} back into a draft',
  'newsletter.update': 'changed {}',
  'post.create': 'wrote {}',
  'post.delete': 'deleted {}',
  'post.publish': 'published {}',
  'post.restore': 'restored {}',
  'post.unpublish': 'unpublished {}',
  'post.update': 'changed {}',
  'saved-view.change': 'changed {}',
  'saved-view.delete': 'deleted {}',
  'saved-view.save': 'saved {}',
  'settings.maintenance': 'set the maintenance mode',
  'settings.update': 'changed {}',
  'site.backup': 'made a backup of {}',
  'site.clear-cache': 'emptied the page cache',
  'site.forget-policy-reports': 'cleared the reports of browsers',
  'site.remove-demo': 'removed the demo shop',
  'site.seed': 'added the sample data',
  'site.seed-demo': 'added the demo shop',
  'site.try-backup': 'test-restored a backup of {}',
  'subscription.activate': 'reactivated {}',
  'subscription.deactivate': 'ended {}',
  'subscription.delete': 'deleted {}',
  'subscription.export': 'exported {}',
  'synonym.create': 'added {}',
  'synonym.delete': 'deleted {}',
  'suspended-address.lift': 'resumed newsletters and alerts to {}',
  'user.delete': 'deleted {}',
  'user.erase': 'erased {}',
  'user.join': 'joined the staff as {role}',
  'user.reinstate': 'reinstated {}',
  'user.role': 'changed {}',
  'user.suspend': 'suspended {}, giving as reason {reason}',
  'webhook.change': 'changed {}',
  'webhook.create': 'added {}',
  'webhook.delete': 'deleted {}',
  'webhook.rotate-secret': 'changed the secret of {}',
  'webhook.switch-off': 'turned off {}',
};

/** The singular and plural of each kind. */
const kinds: Readonly<Record<string, readonly [one: string, many: string]>> = {
  api_key: ['API key', 'API keys'],
  category: ['category', 'categories'],
  click: ['click', 'clicks'],
  contact_message: ['message', 'messages'],
  deal: ['deal', 'deals'],
  'feed-source': ['feed source', 'feed sources'],
  import: ['import', 'imports'],
  invitation: ['invitation', 'invitations'],
  mail: ['mail', 'mails'],
  merchant: ['merchant', 'merchants'],
  newsletter: ['newsletter', 'newsletters'],
  post: ['post', 'posts'],
  'saved-view': ['view', 'views'],
  site: ['site', 'sites'],
  site_settings: ['settings', 'settings'],
  subscription: ['subscription', 'subscriptions'],
  synonym: ['synonym', 'synonyms'],
  suspended_address: ['suspended address', 'suspended addresses'],
  user: ['account', 'accounts'],
  webhook: ['webhook', 'webhooks'],
};

/** Returns the text of an action, split around `{}` and `{field}`. */
export function wordsOfAct(action: string): string[] {
  const words = acts[action] ?? `did “${action}” to {}`;
  return words
    .split(/(\{\w*\})/)
    .map((part) => part.trim())
    .filter(Boolean);
}

export function nameKind(kind: string, count = 1): string {
  const [one, many] = kinds[kind] ?? [kind, kind];
  return count === 1 ? one : many;
}

/** Returns an action's label in a list: `deal: update`. */
export function nameAct(action: string): string {
  const [kind = '', verb = ''] = action.split('.');
  return `${nameKind(kind.replace('-', '_'))}: ${verb.replaceAll('-', ' ')}`;
}
