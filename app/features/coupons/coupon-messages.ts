/** Messages of coupon management and of visitors' reports. */
export const couponMessages = {
  confirmDelete: 'Are you sure you want to delete this coupon?',
  deleted: 'Coupon deleted.',
  deleteFailed: 'Failed to delete coupon',
  codeTaken: 'This store already has a coupon with this code.',
  noTime: 'Must be a date and a time',
  endsFirst: 'Must be after the start',
  gone: 'This coupon no longer exists.',
  over: 'This coupon has ended.',
  codeChanged: 'The code of this coupon has changed.',
  unreadable: 'The list could not be read',
  noFile: 'Choose a file.',
  tooLarge: 'The file is larger than 700 KB. Import it with the command line.',
  noCoupons: 'The list contains no coupon that can be imported.',
  importFailed: 'Failed to import coupons',
} as const;
