/**
 * How people say what an act does, by its name in the log. `{}` stands for what it was done to, `{field}` for what the
 * entry says of a field.
 */
const acts: Readonly<Record<string, string>> = {
  'api-key.create': 'made {}',
  'api-key.revoke': 'revoked {}',
  'category.create': 'added {}',
  'category.update': 'changed {}',
  'category.delete': 'deleted {}',
  'category.restore': 'brought back {}',
  'click.export': 'exported {}',
  'contact.answer': 'answered {}',
  'contact.assign': 'assigned {} to {assigned_to}',
  'contact.close': 'closed {}',
  'contact.delete': 'deleted {}',
  'contact.reopen': 'opened {} again',
  'contact.unassign': 'assigned {} to nobody',
  'deal.activate': 'activated {}',
  'deal.approve-price': 'approved {held_price} as the price of {}, which was {sale_price}',
  'deal.approve-prices': 'approved the held prices of {}',
  'deal.category': 'moved {} to {category_id}',
  'deal.check-link': 'had the link of {} checked',
  'deal.count-reduction': 'counted a reduction of {} in the discount check again',
  'deal.create': 'added {}',
  'deal.deactivate': 'deactivated {}',
  'deal.delete': 'deleted {}',
  'deal.dismiss-duplicate': 'said that {} is no duplicate of {other}',
  'deal.dismiss-reports': 'said that {} is not over, as {reports} people had reported',
  'deal.doubt-link': 'called the link of {} broken',
  'deal.duplicate': 'copied {copy_of} as {}',
  'deal.end': 'changed the ends of {}',
  'deal.export': 'exported {}',
  'deal.feature': 'featured {}',
  'deal.hide-duplicate': 'hid {} as a duplicate of {kept}',
  'deal.leave-out-reduction':
    'left a reduction of {} out of the discount check, giving as reason {left_out}',
  'deal.other-product': 'said that {} is another product in the feed now, and ended it',
  'deal.same-product': 'said that {} is the same product in the feed',
  'deal.price': 'changed the prices of {}',
  'deal.put-back': 'put back {}',
  'deal.refuse-price': 'refused {held_price} as the price of {}, which stays {sale_price}',
  'deal.refuse-prices': 'refused the held prices of {}',
  'deal.replace-price':
    'voided the present price of {}, which is {sale_price} now, giving as reason {reason}',
  'deal.restore': 'brought back {}',
  'deal.trust-link': 'called the link of {} fine',
  'deal.unfeature': 'unfeatured {}',
  'deal.update': 'changed {}',
  'deal.void-price': 'voided {sale_price} in the price log of {}, giving as reason {reason}',
  'feed-source.create': 'added {}',
  'feed-source.delete': 'deleted {}',
  'feed-source.update': 'changed {}',
  'import.end-missing': 'ended the deals that were missing in {}',
  'import.export': 'exported the report of {}',
  'import.keep-missing': 'kept the deals that were missing in {}',
  'import.roll-back': 'took back {}',
  'import.samples': 'imported the sample deals',
  'import.start': 'started {}',
  'invitation.resend': 'invited {} again',
  'invitation.send': 'invited {} as {role}',
  'invitation.withdraw': 'withdrew the invitation of {}',
  'mail.retry': 'sent {} again',
  'mail.test': 'sent a test mail',
  'merchant.create': 'added {}',
  'merchant.update': 'changed {}',
  'merchant.delete': 'deleted {}',
  'merchant.restore': 'brought back {}',
  'newsletter.create': 'wrote {}',
  'newsletter.delete': 'deleted {}',
  'newsletter.hold': 'did not send {}',
  'newsletter.pause': 'paused {}',
  'newsletter.restore': 'brought back {}',
  'newsletter.resume': 'went on sending {}',
  'newsletter.schedule': 'scheduled {}',
  'newsletter.send': 'began to send {}',
  'newsletter.test': 'sent a test of {}',
  'newsletter.unschedule': 'made {} a draft again',
  'newsletter.update': 'changed {}',
  'post.create': 'wrote {}',
  'post.delete': 'deleted {}',
  'post.publish': 'published {}',
  'post.restore': 'brought back {}',
  'post.unpublish': 'took {} off the site',
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
  'site.try-backup': 'restored a backup of {} to try it',
  'subscription.activate': 'reactivated {}',
  'subscription.deactivate': 'ended {}',
  'subscription.delete': 'deleted {}',
  'subscription.export': 'exported {}',
  'suspended-address.lift': 'let newsletters and alerts go to {} again',
  'user.delete': 'deleted {}',
  'user.erase': 'erased {}',
  'user.join': 'joined the staff as {role}',
  'user.reinstate': 'reinstated {}',
  'user.role': 'changed {}',
  'user.suspend': 'suspended {}, giving as reason {reason}',
  'webhook.change': 'changed {}',
  'webhook.create': 'added {}',
  'webhook.delete': 'deleted {}',
  'webhook.rotate-secret': 'gave a new secret to {}',
  'webhook.switch-off': 'switched off {}',
};

/** One and many of a kind. */
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
  suspended_address: ['suspended address', 'suspended addresses'],
  user: ['account', 'accounts'],
  webhook: ['webhook', 'webhooks'],
};

/** Its words, with `{}` and `{field}` among them. */
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

/** An act in a list of acts: `deal: update`. */
export function nameAct(action: string): string {
  const [kind = '', verb = ''] = action.split('.');
  return `${nameKind(kind.replace('-', '_'))}: ${verb.replaceAll('-', ' ')}`;
}
