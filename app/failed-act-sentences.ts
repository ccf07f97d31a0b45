import { newsletterAdminMessages } from '#app/features/newsletter/newsletter-admin-messages.ts';
import { inboxMessages } from '#app/features/contact/inbox-messages.ts';
import { userMessages } from '#app/features/accounts/people/user-messages.ts';
import { postMessages } from '#app/features/blog/post-messages.ts';
import { categoryMessages } from '#app/features/categories/category-messages.ts';
import { couponMessages } from '#app/features/coupons/coupon-messages.ts';
import { dealMessages } from '#app/features/deals/deal-messages.ts';
import { merchantMessages } from '#app/features/merchants/merchant-messages.ts';
import { subscriptionMessages } from '#app/features/newsletter/subscription-messages.ts';
import { channelMessages } from '#app/features/channels/channel-messages.ts';
import { evidenceSiteMessages } from '#app/features/evidence/evidence-site-input.ts';
import { slotMessages } from '#app/features/slots/slot-messages.ts';
import { alertMessages } from '#app/features/price-alerts/alert-messages.ts';

type Sentences = Readonly<Record<string, string>>;

const dealUpdateFailed = 'Failed to update deal';
const messageUpdateFailed = 'Failed to update message';

/** Returns one sentence for several actions. */
const sameOf = (sentence: string, intents: string): Sentences =>
  Object.fromEntries(intents.split(' ').map((intent) => [intent, sentence]));

const newsletter: Sentences = {
  copy: 'Failed to copy newsletter',
  delete: 'Failed to delete newsletter',
  restore: 'Failed to restore newsletter',
  test: 'Failed to send the test email',
  address: 'Failed to save the postal address',
  send: 'Failed to send newsletter',
  schedule: 'Failed to schedule newsletter',
  unschedule: newsletterAdminMessages.updateFailed,
  pause: newsletterAdminMessages.updateFailed,
  resume: newsletterAdminMessages.updateFailed,
};
const views: Sentences = {
  'save-view': 'Failed to save view',
  'change-view': 'Failed to save view',
  'delete-view': 'Failed to delete view',
};
const alerts: Sentences = {
  update: 'Error updating alert',
  delete: 'Failed to delete price alert',
};

/**
 * The sentence for an action that failed, by its route and its `intent`. A form uses its own
 * heading (`EditForm`) and is listed here only if its heading belongs to another action.
 */
export const failedActSentences: Readonly<Record<string, Sentences | undefined>> = {
  'admin/deals/admin-deals-page': {
    ...views,
    delete: dealMessages.deleteFailed,
    undo: 'Failed to restore deal',
    duplicate: 'Failed to copy deal',
    ...sameOf(
      dealUpdateFailed,
      'activate deactivate feature unfeature category put-back approve-price refuse-price',
    ),
    ...sameOf(
      dealUpdateFailed,
      'trust-link doubt-link check-link end-reported dismiss-reports dismiss-product-reports',
    ),
  },
  'admin/deals/edit-many-page': { '': dealUpdateFailed },
  'admin/deals/bulk-change-page': { undo: 'Failed to undo', resume: dealUpdateFailed },
  'admin/categories/manage-categories-page': {
    delete: categoryMessages.deleteFailed,
    restore: 'Failed to restore category',
  },
  'admin/merchants/manage-merchants-page': {
    delete: merchantMessages.deleteFailed,
    restore: 'Failed to restore merchant',
  },
  'admin/coupons/manage-coupons-page': {
    delete: couponMessages.deleteFailed,
    restore: 'Failed to restore coupon',
  },
  'admin/coupons/upload-coupons-page': { '': couponMessages.importFailed },
  'admin/blog/manage-posts-page': {
    delete: postMessages.deleteFailed,
    publish: postMessages.updateFailed,
    unpublish: postMessages.updateFailed,
    restore: postMessages.restoreFailed,
  },
  'admin/channels/channel-page': {
    save: channelMessages.saveFailed,
    delete: channelMessages.deleteFailed,
    test: channelMessages.testFailed,
  },
  'admin/developers/witnesses-page': {
    add: evidenceSiteMessages.addFailed,
    remove: evidenceSiteMessages.removeFailed,
    accept: evidenceSiteMessages.acceptFailed,
    fetch: evidenceSiteMessages.fetchFailed,
  },
  'admin/slots/manage-slots-page': {
    delete: slotMessages.deleteFailed,
    restore: 'Failed to restore ad',
  },
  'admin/users/manage-users-page': {
    'withdraw-invitation': 'Failed to withdraw invitation',
    'resend-invitation': 'Failed to send invitation',
  },
  'admin/users/user-page': {
    'end-session': 'Failed to end session',
    'end-sessions': 'Failed to sign the user out',
  },
  'admin/users/suspend-user-page': {
    '': userMessages.suspendFailed,
    reinstate: userMessages.reinstateFailed,
  },
  'admin/subscriptions/subscriptions-page': {
    ...views,
    delete: subscriptionMessages.deleteFailed,
    deactivate: subscriptionMessages.updateFailed,
  },
  'admin/subscriptions/subscriptions-file-route': { '': 'Failed to export subscriptions' },
  'admin/messages/messages-page': {
    ...views,
    delete: inboxMessages.deleteFailed,
    ...sameOf(messageUpdateFailed, 'read unread take close reopen'),
  },
  'admin/messages/message-page': {
    delete: inboxMessages.deleteFailed,
    answer: inboxMessages.answerFailed,
    ...sameOf(messageUpdateFailed, 'read unread assign close reopen'),
  },
  'admin/newsletters/manage-newsletters-page': newsletter,
  'admin/newsletters/send-newsletter-page': newsletter,
  'admin/newsletters/newsletter-send-route': newsletter,
  'admin/settings/settings-page': { 'open-site': 'Failed to open the site' },
  'admin/imports/imports-page': { run: 'Failed to start the import' },
  'account/price-alerts/price-alerts-page': alerts,
  'account/price-alerts/watcher-alerts-page': alerts,
  'account/price-alerts/new-alert-page': { '': alertMessages.createFailedForNow },
};

/** The pages whose forms post to an action without a page. */
export const pagesOfForms: Readonly<
  Record<string, ((params: Readonly<Record<string, string | undefined>>) => string) | undefined>
> = {
  'admin/newsletters/newsletter-send-route': ({ id = '' }) =>
    `/admin/newsletters/${encodeURIComponent(id)}`,
  'admin/subscriptions/subscriptions-file-route': () => '/admin/subscriptions/export',
};
