import { describe, expect, test } from 'vitest';
import { thatFit, touchedTests } from './touched-tests.ts';

const namesAll = new Set(['bin/touched-tests.test.ts', 'test/proof-inputs.test.ts']);

/**
 * Returns the tests nearest to a change to this file, except house tests and tests that read all
 * files.
 */
const nearest = (file: string, count = 5) =>
  touchedTests([file])
    .filter((name) => !name.startsWith('test/house/') && !namesAll.has(name))
    .slice(0, count);

describe('a change affects', () => {
  test('selects the tests that request the URL of a changed page, those in its folder first', () => {
    expect(nearest('app/storefront/deals/deals-page.tsx', 4)).toContain(
      'app/storefront/deals/deal-list-pages.test.ts',
    );
    expect(nearest('app/admin/outbox/outbox-page.tsx', 2)).toContain(
      'app/admin/outbox/outbox-pages.test.ts',
    );
  });

  test('selects the tests of a changed component, and of the pages that show it', () => {
    expect(nearest('app/features/deals/deal-card.tsx', 60)).toContain(
      'app/storefront/deals/deal-list-pages.test.ts',
    );
  });

  test('selects the tests in the folder of a changed query', () => {
    expect(nearest('app/features/deals/deal-list-queries.server.ts', 2)).toContain(
      'app/features/deals/deal-list-queries.test.ts',
    );
  });

  test('selects the tests of migrations and of the tables of a changed migration', () => {
    const touched = nearest('database/migrations/0022_policy_reports.sql', 10);
    expect(touched).toContain('database/migrate.test.ts');
    expect(touched).toContain('app/platform/policy-reports.test.ts');
  });

  test('selects the tests that start a changed program, even if none imports it', () => {
    expect(nearest('test/fixtures/write-until-killed.ts')).toEqual(['server/kill-nine.test.ts']);
    expect(nearest('server/commands/mail-command.ts', 20)).toContain('server/cli.test.ts');
  });

  test('selects only the house tests for a changed document', () => {
    expect(nearest('docs/glossary.md')).toEqual([]);
    expect(touchedTests(['docs/glossary.md'])).toContain('test/house/documents.test.ts');
  });

  test('selects a changed test even if it takes longer than the remaining time', () => {
    const slow = 'server/kill-nine.test.ts';
    expect(thatFit([slow], [])).toEqual({ tests: [], left: [slow] });
    expect(thatFit([slow], [slow])).toEqual({ tests: [slow], left: [] });
  });
});
