import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Import, importsIn, importsOf, projectFiles } from '#test/import-graph.ts';
import { sourceFolders } from '../../bin/build-pages.mjs';
import { brokenRule, entryPoints } from './import-rules.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = projectFiles('*.ts', '*.tsx', '*.mjs');
const sources = files.filter((file) => /^(app|server|database)\//.test(file));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

describe('house rules', () => {
  test('imports only as docs/architecture.md allows', () => {
    const broken = sources.flatMap((file) =>
      importsOf(file).flatMap((found) => {
        const rule = brokenRule(found);
        return rule ? [`${found.from} imports ${found.to}: ${rule}`] : [];
      }),
    );
    expect(broken).toEqual([]);
  });

  test.each(Object.entries(entryPoints))(
    'limits %s to an entry point of at most five functions, with a README',
    (folder, entryPoint) => {
      const exported = read(entryPoint).matchAll(
        /^export (?:async )?(?:function|const|class) (\w+)|^export \{([^}]*)\}/gm,
      );
      const names = [...exported].flatMap(([, name, list]) =>
        name ? [name] : (list ?? '').split(',').map((one) => one.trim()),
      );
      expect(
        names.filter((name) => name !== '' && !name.startsWith('type ')).length,
      ).toBeLessThanOrEqual(5);
      expect(read(`${folder}README.md`).split('\n').length).toBeLessThanOrEqual(16);
      expect(read(`${folder}README.md`)).toContain(path.basename(entryPoint));
    },
  );

  test('decodes untrusted pictures in one place, which limits formats, pixels and time', () => {
    const opens = (file: string) => /^import (?!type).*'sharp';$/m.test(read(file));
    const users = sources.filter((file) => !/\.test\.tsx?$/.test(file)).filter(opens);
    // The demo shop draws its own pictures.
    expect(users).toEqual([
      'app/platform/open-picture.server.ts',
      'database/seed/write-demo-pictures.ts',
    ]);
  });

  test('limits the top level of app/ to files that assemble its parts', () => {
    const loose = files.filter((file) => /^app\/[^/]+$/.test(file) && !/\.test\.tsx?$/.test(file));
    expect(loose.toSorted()).toEqual([
      'app/account-islands.ts',
      'app/behaviours.ts',
      'app/cached-pages.ts',
      'app/catch-failed-acts.server.ts',
      'app/entry.client.tsx',
      'app/entry.server.tsx',
      'app/failed-act-sentences.ts',
      'app/islands.ts',
      'app/jobs.server.ts',
      'app/mails.server.ts',
      'app/pushes.server.ts',
      'app/root.tsx',
      'app/routes.ts',
      'app/start-account.ts',
      'app/start-behaviours.ts',
    ]);
  });

  test('contains no import cycles, including type imports', () => {
    const imports = files.map((file) => [file, importsOf(file).map(({ to }) => to)] as const);
    expect(findCycle(new Map(imports))).toBeNull();
  });

  test('imports fast-check only through test/fast-check.ts, which fixes the seed', () => {
    const others = files.filter(
      (file) => file !== 'test/fast-check.ts' && / from '(?:fast-check)';/.test(read(file)),
    );
    expect(others).toEqual([]);
  });

  test('R29: sends requests to other hosts only through app/platform/safe-fetch.server.ts', () => {
    const others = sources.filter(
      (file) =>
        file.startsWith('app/') &&
        !/\.test\.tsx?$/.test(file) &&
        file !== 'app/platform/safe-fetch.server.ts' &&
        (/ from '(?:undici|node:https?|node:http2|node:net|node:tls)';/.test(read(file)) ||
          (file.endsWith('.server.ts') && /(?<![.\w])fetch\(/.test(read(file)))),
    );
    expect(others).toEqual([]);
  });

  test('connects as a superuser only in code that starts the private database', () => {
    const users = sources.filter(
      (file) => !/\.test\.tsx?$/.test(file) && /\b(?:superuserUrl|newSuperuser)\b/.test(read(file)),
    );
    expect(users).toEqual([
      'database/embedded/embedded-postgres.ts',
      'database/embedded/local-client.ts',
      'database/embedded/run-server.ts',
      'database/embedded/site-role.ts',
    ]);
  });

  test('imports into pages only from folders that trigger a rebuild', () => {
    const others = sources
      .filter((file) => file.startsWith('app/') && !/\.test\.tsx?$/.test(file))
      .flatMap((file) => importsOf(file))
      .filter(
        ({ to, isTypeOnly }) => !isTypeOnly && !sourceFolders.includes(to.split('/')[0] ?? ''),
      );
    expect(others).toEqual([]);
  });

  test('contains no SQL in pages, because SQL belongs in features', () => {
    const asking = sources.filter(
      (file) =>
        /^app\/(?:storefront|account|admin|api)\//.test(file) &&
        !/\.test\.tsx?$/.test(file) &&
        /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bask\(\w+\)\.\w|\bsql(?:<[^>]*>)?`/.test(
          read(file),
        ),
    );
    expect(asking).toEqual([]);
  });

  test('uses `useAskAgain`, which waits while the site is down, in all pages that poll their data', () => {
    const others = sources.filter(
      (file) =>
        file !== 'app/admin/frame/use-ask-again.ts' &&
        /\bset(?:Timeout|Interval)\([^;]*\brevalidate\b/.test(read(file)),
    );
    expect(others).toEqual([]);
  });

  test('does not mock modules in tests, because files share a process and others would get the mock', () => {
    const mocking = files.filter(
      (file) => /\.test\.tsx?$/.test(file) && /\bvi\.(?:do)?[Mm]ock\(/.test(read(file)),
    );
    expect(mocking).toEqual([]);
  });

  test('P2: defines the minor units of currencies only in app/platform/money.ts', () => {
    const isOfMoney = /price|amount|money|cents|minor|unit|\bsum\b|dollar|target/i;
    const isShare = /percent|share|ratio/i;
    const converts = /[*/%] ?100(?![\d_.])|toFixed\(2\)/;
    const found = sources
      .filter((file) => /^(?:app|server)\//.test(file) && !/\.test\.tsx?$/.test(file))
      .filter((file) => file !== 'app/platform/money.ts')
      .flatMap((file) =>
        read(file)
          .split('\n')
          .filter((line) => converts.test(line) && isOfMoney.test(line) && !isShare.test(line))
          .map((line) => `${file}: ${line.trim()}`),
      );
    expect(found).toEqual([]);
    const saysCents = sources.filter(
      (file) =>
        file.startsWith('app/') &&
        !/\.test\.tsx?$/.test(file) &&
        /\bcents\b|InCents/i.test(read(file)),
    );
    expect(saysCents).toEqual([]);
  });

  test('contains no barrel files or catch-all folders', () => {
    const barrels = sources.filter((file) => /(^|\/)index\.tsx?$/.test(file));
    const nameless = sources.filter((file) =>
      /\/(utils|helpers|common|services|hooks|types)\//.test(file),
    );
    expect([...barrels, ...nameless]).toEqual([]);
  });

  test('names each file in kebab-case and uniquely, even without its extension', () => {
    const seen = new Map<string, string>();
    const wrong: string[] = [];
    for (const file of sources) {
      const name = path.basename(file);
      if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.tsx?$/.test(name)) wrong.push(file);
      const stem = name.replace(/\.tsx?$/, '');
      const twin = seen.get(stem);
      if (twin) wrong.push(`${file} and ${twin}`);
      seen.set(stem, file);
    }
    expect(wrong).toEqual([]);
  });

  test('makes at most five exceptions to the linter rules', () => {
    const exceptions = files
      .filter((file) => file !== 'test/house/house.test.ts')
      .flatMap((file) =>
        [...read(file).matchAll(/(?:ox|es)lint-disable.*/g)].map(([line]) => `${file}: ${line}`),
      );
    expect(exceptions.length, exceptions.join('\n')).toBeLessThanOrEqual(5);
  });

  test('uses no style attributes, which the content policy forbids', () => {
    const styled = sources.filter(
      (file) =>
        file.endsWith('.tsx') &&
        !file.includes('.test.') &&
        // Email clients need inline styles.
        !/(-email|\/mail\/mail-(?:frame|deal|elements))\.tsx$/.test(file) &&
        /\sstyle=\{/.test(read(file)),
    );
    expect(styled).toEqual([]);
  });
});

describe('a file’s imports', () => {
  const of = (text: string): Omit<Import, 'from'>[] =>
    importsIn('app/ui/a.tsx', text).map(({ to, isTypeOnly }) => ({ to, isTypeOnly }));

  test('finds a file’s imports in every spelling', () => {
    expect(
      of(`import { b } from './b.ts';\nexport { c } from '#app/c.ts';\nimport './d.css?url';`),
    ).toEqual([
      { to: 'app/ui/b.ts', isTypeOnly: false },
      { to: 'app/c.ts', isTypeOnly: false },
      { to: 'app/ui/d.css', isTypeOnly: false },
    ]);
  });

  test('finds lazy imports, even in the middle of a line or over two lines', () => {
    expect(
      of(
        `const load = async () => (await import('./part.tsx')).Part;\nvoid import(\n  '../b.ts'\n)`,
      ),
    ).toEqual([
      { to: 'app/ui/part.tsx', isTypeOnly: false },
      { to: 'app/b.ts', isTypeOnly: false },
    ]);
  });

  test('distinguishes imports from type imports', () => {
    expect(
      of(
        `import type { B } from './b.ts';\nconst c = {} as typeof import('./c.ts');\nimport 'react';`,
      ),
    ).toEqual([
      { to: 'app/ui/b.ts', isTypeOnly: true },
      { to: 'app/ui/c.ts', isTypeOnly: true },
    ]);
  });
});

describe('the import rules', () => {
  const refuses = (from: string, to: string, isTypeOnly = false) =>
    expect(brokenRule({ from, to, isTypeOnly }), `${from} → ${to}`).not.toBeNull();
  const allows = (from: string, to: string, isTypeOnly = false) =>
    expect(brokenRule({ from, to, isTypeOnly }), `${from} → ${to}`).toBeNull();

  test('allows a folder to import only from lower layers', () => {
    refuses('app/ui/button.tsx', 'app/features/deals/deal-card.tsx');
    refuses('app/platform/money.ts', 'app/features/deals/deal-labels.ts');
    refuses('app/features/deals/a.ts', 'app/storefront/home/home-hero.tsx');
    refuses('app/storefront/home/a.tsx', 'app/admin/b.tsx');
    refuses('app/storefront/home/a.tsx', 'app/storefront/home/home-page.tsx');
    refuses('app/islands/a.ts', 'app/features/deals/b.ts');
    refuses('app/ui/a.tsx', 'app/islands/island.tsx');
    allows('app/features/deals/a.tsx', 'app/islands/island.tsx');
    allows('app/storefront/home/a.tsx', 'app/features/deals/deal-card.tsx');
    allows('app/features/deals/a.ts', 'app/platform/money.ts');
  });

  test('allows a feature to import only from features declared before it', () => {
    refuses('app/features/deals/a.ts', 'app/features/prices/b.ts');
    refuses('app/features/merchants/a.ts', 'app/features/categories/b.ts');
    allows('app/features/prices/a.ts', 'app/features/deals/b.ts');
    allows('app/features/merchants/a.ts', 'app/features/site-settings/b.ts');
  });

  // Proves P1: server functions of our own, each page’s loader (app/api/)
  test('lets a component import only types from server code', () => {
    refuses('app/features/deals/deal-card.tsx', 'app/features/deals/deal-queries.server.ts');
    allows('app/features/deals/deal-card.tsx', 'app/features/deals/deal-queries.server.ts', true);
    allows('app/storefront/deals/deal-page.tsx', 'app/features/deals/deal-queries.server.ts');
  });
});

function findCycle(graph: Map<string, string[]>): string | null {
  const state = new Map<string, 'open' | 'done'>();
  function visit(node: string, trail: string[]): string | null {
    if (state.get(node) === 'done') return null;
    if (state.get(node) === 'open') return [...trail.slice(trail.indexOf(node)), node].join(' → ');
    state.set(node, 'open');
    for (const next of graph.get(node) ?? []) {
      const cycle = graph.has(next) ? visit(next, [...trail, node]) : null;
      if (cycle) return cycle;
    }
    state.set(node, 'done');
    return null;
  }
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return null;
}
