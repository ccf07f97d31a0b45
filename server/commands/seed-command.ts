import { Command, Option } from 'commander';
import { fillDemoShop } from '#app/features/desk/fill-demo-shop.server.ts';
import { openMedia } from '#app/platform/open-media.server.ts';
import { removeDemo } from '#database/seed/remove-demo.ts';
import { seedSample } from '#database/seed/seed-sample.ts';
import { printAs, withDatabase } from '#server/commands/with-database.ts';

export const seedCommand = new Command('seed')
  .description('fill the site with a demo shop, or remove the demo shop')
  .addOption(
    new Option(
      '--profile <name>',
      'demo: a complete shop; minimal: 6 categories, 3 merchants, 2 deals',
    )
      .choices(['demo', 'minimal'])
      .default('demo'),
  )
  .option('--remove-demo', 'remove everything that belongs to the demo shop')
  .option('--json', 'print the result as JSON')
  .action((options: { profile: string; removeDemo?: boolean; json?: boolean }) =>
    withDatabase(
      async ({ database, env }) => {
        const media = openMedia({ db: database.db, env });
        if (!options.removeDemo && options.profile === 'minimal') {
          const result = await seedSample(database.db, { now: new Date(), media });
          return printAs(options, result, result.message);
        }
        const counts = options.removeDemo
          ? await removeDemo(database.db, { media })
          : await fillDemoShop({ db: database.db, env, now: () => new Date() });
        const verb = options.removeDemo ? 'Removed' : 'Added';
        const { categories, merchants, deals, posts } = counts;
        const words = `${verb} ${categories} categories, ${merchants} merchants, ${deals} deals, ${posts} posts.`;
        printAs(options, counts, words);
      },
      { statementTimeout: 0 },
    ),
  );
