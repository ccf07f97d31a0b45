import { countNoun } from '#app/platform/count-noun.ts';

/** The words of the dashboard and of Data Management (back-office, section 2). */
export const deskMessages = {
  confirmSeed: 'This will add sample data to your database. Continue?',
  seeding: 'Seeding...',
  seeded: 'Sample data seeded successfully!',
  seedFailed: (message: string) => `Error seeding data: ${message}`,
  confirmRemoveDemo: 'Remove the demo data?',
  demoRemoved: (deals: number) =>
    `The demo data is gone: ${countNoun(deals, 'deal')} with all that belonged to them.`,
  reportsForgotten: 'The reports have been cleared.',
  cacheCleared: 'Cache cleared successfully!',
} as const;
