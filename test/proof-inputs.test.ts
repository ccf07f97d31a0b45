import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles } from './import-graph.ts';
import { proofEntries } from './proof-entries.ts';
import { ProofInputs } from './proof-inputs.ts';

const root = path.resolve(import.meta.dirname, '..');
const files = projectFiles();
const present = new ProofInputs(files);
const tests = proofEntries('tests');
const moveTest = 'database/embedded/move-cluster.test.ts';
const page = 'app/storefront/deals/deals-page.tsx';

const kinds = ['tests', 'journeys', 'postgres', 'release'] as const;
const inputs = new Map(
  kinds.flatMap((kind) =>
    Object.entries(proofEntries(kind)).map(([name, entries]) => [
      `${kind} ${name}`,
      new Set(present.of(entries)),
    ]),
  ),
);

/** Returns the names of the proofs of all kinds that depend on this file. */
const broughtBackBy = (changed: string) =>
  [...inputs].filter(([, found]) => found.has(changed)).map(([name]) => name);

it('changes a proof’s fingerprint only if its inputs change', () => {
  const fingerprintWith = (changed: string) =>
    new ProofInputs(files, (file) => {
      const content = readFileSync(path.join(root, file));
      return file === changed ? Buffer.concat([content, Buffer.from(' ')]) : content;
    }).fingerprint(tests[moveTest] ?? []);
  const fingerprint = present.fingerprint(tests[moveTest] ?? []);
  expect(fingerprintWith('database/embedded/move-cluster.ts')).not.toBe(fingerprint);
  expect(fingerprintWith(page)).toBe(fingerprint);
});

describe('a proof’s inputs', () => {
  it('repeats a proof when its code changes', () => {
    expect(broughtBackBy('database/embedded/move-cluster.ts')).toContain(`tests ${moveTest}`);
  });

  it('repeats proofs that serve pages when a page changes, but no database crash tests', () => {
    const names = broughtBackBy(page);
    expect(names).not.toContain(`tests ${moveTest}`);
    expect(names).not.toContain('tests database/embedded/embedded-postgres-crash.test.ts');
    expect(names).not.toContain('tests database/migrate.test.ts');
    expect(names).not.toContain('postgres database/migrate.test.ts');
    for (const name of [
      'tests server/odd-requests.test.ts',
      'tests server/kill-nine.test.ts',
      'tests app/storefront/deals/deal-list-pages.test.ts',
      'journeys e2e/audit-admin.e2e.ts',
      'journeys e2e/hearts.e2e.ts',
      'postgres app/storefront/deals/deal-list-pages.test.ts',
      'release release',
    ]) {
      expect(names).toContain(name);
    }
  });

  it('repeats every proof when a migration, an SQL function or the lock file changes', () => {
    for (const file of [
      'database/migrations/0022_policy_reports.sql',
      'database/functions/fire_price_alerts.sql',
      'package-lock.json',
    ]) {
      expect(broughtBackBy(file)).toHaveLength(inputs.size);
    }
  });

  it('repeats a proof when a program that it starts, or data that it reads, changes', () => {
    const kill = 'tests server/kill-nine.test.ts';
    expect(broughtBackBy('test/fixtures/write-until-killed.ts')).toContain(kill);
    expect(broughtBackBy('docs/varnish.vcl')).toContain('tests server/scale-out/varnish.test.ts');
  });

  it('does not repeat a proof when a document that nothing reads changes', () => {
    expect(broughtBackBy('docs/glossary.md')).toEqual([]);
  });
});

it('follows a proof’s imports, including lazy ones', () => {
  const found = present.of(tests['server/cli.test.ts'] ?? []);
  expect(found).toContain('server/cli.ts');
  expect(found).toContain('server/commands/mail-command.ts');
  expect(found).toContain(page);
});
