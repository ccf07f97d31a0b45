export const watchMessages = {
  unwatchable: 'This list cannot be watched.',
  tooVague: 'Only specific words can be watched. Add one, or a filter.',
  noStore: 'No store with this product allows price alerts.',
  alreadyAt: (price: string) =>
    `It already costs ${price}. Enter a lower price, or leave the field blank.`,
  tooMany: 'You watch 20 searches, which is the limit. Delete one to add another.',
  gone: 'This watched search no longer exists.',
  badCadence: 'Please choose how often we may email you.',
  unproved: 'Verify your email address first. Until then we cannot email you.',
} as const;
