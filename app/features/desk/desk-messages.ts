import { countNoun } from '#app/platform/count-noun.ts';

/** Messages of the dashboard and of Data Management. */
export const deskMessages = {
  confirmSeed: 'This will add sample data to your database. Continue?',
  seeding: 'Seeding...',
  seeded: 'Sample data seeded successfully!',
  seedFailed: (message: string) => `Error seeding data: ${message}`,
  confirmRemoveDemo: 'Remove the demo data?',
  demoRemoved: (deals: number) =>
    `Demo data removed: ${countNoun(deals, 'deal')} with everything that belonged to them.`,
  reportsForgotten: 'The reports have been cleared.',
  cacheCleared: 'Cache cleared successfully!',
} as const;
