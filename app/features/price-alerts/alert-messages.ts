import { examplePrice } from '#app/platform/money.ts';

export const alertMessages = {
  notSignedIn: 'You must be logged in to create price alerts',
  tooLow: 'Target price must be greater than 0',
  aboveSalePrice: (price: string) => `Target price must not be above the current price of ${price}`,
  notANumber: (currency: string) => `Please enter a price, such as ${examplePrice(currency)}`,
  otherCurrency: (currency: string) =>
    `Prices are in ${currency} now. Check your alert and save again.`,
  badPercent: 'Please enter a percentage from 1 to 99',
  createFailed: 'Failed to create price alert',
  createFailedForNow: 'Failed to create price alert. Please try again.',
  created: "Price Alert Created! We'll notify you when the price drops to your target amount.",
  createdOther: "Price Alert Created! We'll notify you when it happens.",
  createdUnproved: 'Price Alert Created! To receive it, verify your email address first.',
  changed: 'Price alert updated.',
  firedAtOnce: 'The price already meets your target, so this alert fired at once.',
  firedUnproved:
    'The price already meets your target, but no email was sent: your email address is not verified.',
  another: 'You already have an alert of this kind for the deal. Change that one instead.',
  priceHidden: 'The price of this deal is currently hidden, so an alert cannot watch it.',
  unproved: 'Verify your email address first. Until then we cannot send alerts to it.',
  notAllowed: 'This store does not allow price alerts.',
  noHistory:
    'We keep no price history for this store, so we cannot tell when a price is a new low.',
  tooMany: 'You have 100 price alerts, which is the limit. Delete one to add another.',
  updateFailed: (message: string) => `Error updating alert: ${message}`,
  notReached: 'The site could not be reached, so nothing was changed. Please try again.',
  /** `notShown`: messages to show in place of the list. */
  notShown: {
    title: 'Error Loading Price Alerts',
    text: 'The site could not be reached. Please try again.',
  },
  gone: 'This price alert no longer exists.',
  dealGone: 'This deal no longer exists.',
  confirmDelete: 'Are you sure you want to delete this price alert?',
  badAddress: 'Please enter a valid email address',
  asked: 'Check your email: we have sent you a link. Nothing is watched until you follow it.',
  requestGone: 'This link was already used, or is older than three days.',
  helper: "We'll notify you when the price drops to or below this amount",
} as const;
