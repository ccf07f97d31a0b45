import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentSchema } from '#app/platform/environment-schema.server.ts';

// Checks facts in documents that a program can check: links, files, commands, settings, numbers and
// sizes.

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)));
/** All Markdown files except those in `content/`, whose links are URLs of the site. */
const documents = tracked.filter((file) => file.endsWith('.md') && !file.startsWith('content/'));
const generated = ['docs/spec-coverage.md', 'docs/triggers.md'];
const written = documents.filter((file) => ![...generated, 'CHANGELOG.md'].includes(file));
const guides = [
  'README.md',
  'docs/importing-feeds.md',
  'docs/operations.md',
  'docs/scaling.md',
  'docs/settings.md',
];
const security = read('docs/security.md');

describe('the documents', () => {
  test('links only to existing files and headings in documents', () => {
    const broken = documents.flatMap((file) =>
      [...withoutCode(read(file)).matchAll(/\]\((?!https?:|mailto:)([^)\s]*)[^)]*\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !resolves(file, link))
        .map((link) => `${file}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('names only existing files in documents', () => {
    const missing = written.flatMap((file) =>
      [
        ...read(file).matchAll(
          /`((?:\.ci|app|bench|bin|content|database|docs|e2e|server|test)\/[\w./-]+)`/g,
        ),
      ]
        .map(([, name = '']) => name)
        .filter((name) => !/NAME|second-tries/.test(name) && !existsSync(join(root, name)))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('contains all sections that messages and comments name', () => {
    const missing = tracked
      .filter((file) =>
        /^(?:app|bin|database|docs|server|test)\/.*\.(?:tsx?|ya?ml|cfg|vcl|sql)$/.test(file),
      )
      .flatMap((file) =>
        [...read(file).matchAll(/(docs\/[\w-]+\.md)(?:,| \(|:) ?[“"]([^”"\n]+)[”"]/g)]
          .filter(
            ([, name = '', title = '']) =>
              !read(name)
                .match(/^#+ .*$/gm)
                ?.some((line) => line.endsWith(` ${title.replace(/[.,]$/, '')}`)),
          )
          .map(([whole]) => `${file}: ${whole}`),
      );
    expect(missing).toEqual([]);
  });

  test('limits the README to 100 lines, and all hand-written documents to 48,000 words', () => {
    expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(100);
    const words = written.flatMap((file) => withoutTables(read(file)).match(/\S+/g) ?? []).length;
    expect(words).toBeLessThanOrEqual(48_000);
  });

  test('quotes only existing messages in documents', () => {
    const sources = tracked
      .filter((file) => /^(?:app|database|server)\/.*(?<!\.test)\.tsx?$/.test(file))
      .map(read)
      .join('\n');
    const [, table = ''] = read('docs/operations.md').split('\n## Messages\n');
    const quoted = [...table.split('\n## ')[0]!.matchAll(/^\| (`.*?) \|/gm)].flatMap(
      ([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
    );
    const fragments = quoted.flatMap((message) =>
      message.split(/…|\S*NAME\S*|\b\d[\d.]*|[()]/).map((part) => part.trim()),
    );
    expect(quoted.length).toBeGreaterThan(10);
    expect(fragments.filter((part) => part.length > 3 && !sources.includes(part))).toEqual([]);
  });

  test('names only existing commands in documents', () => {
    const known = new Set(
      [...read('server/command-line.ts').matchAll(/^ {2}'?([\w-]+)'?: async \(\) =>/gm)].map(
        ([, name]) => name,
      ),
    );
    const unknown = guides.flatMap((file) =>
      [...read(file).matchAll(/(?:`|-- |^ {4}(?:npm run )?)deals (?:-- )?([a-z-]+)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !known.has(name))
        .map((name) => `${file}: deals ${name}`),
    );
    expect(known.size).toBeGreaterThan(9);
    expect(unknown).toEqual([]);
  });

  test('names only existing npm scripts and benchmarks in documents', () => {
    const { scripts }: { scripts: object } = JSON.parse(read('package.json'));
    const benches = new Set(
      [...read('bench/main.ts').matchAll(/^ {2}'?([\w-]+)'?: \{?/gm)].map(([, name]) => name),
    );
    const unknown = written.flatMap((file) =>
      [...read(file).matchAll(/npm run ([\w:-]+)(?: -- ([\w-]+))?/g)]
        .filter(
          ([, script = '', name]) =>
            !(script in scripts) || (script === 'bench' && name !== 'NAME' && !benches.has(name)),
        )
        .map(([whole]) => `${file}: ${whole}`),
    );
    expect(unknown).toEqual([]);
  });

  test('names only existing settings in documents', () => {
    const settings = new Set(Object.keys(environmentSchema.shape));
    const unknown = guides.flatMap((file) =>
      [...read(file).matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !settings.has(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});

test('limits decision records to three parts on one screen, and lists them in the index', () => {
  const index = read('docs/decisions/README.md');
  const problems = readdirSync(join(root, 'docs/decisions'))
    .filter((file) => /^\d/.test(file))
    .flatMap((file) => {
      const text = read(`docs/decisions/${file}`);
      const number = file.slice(0, 3);
      const [, titled = '', title = ''] = /^# (\d{3})\. ([A-Z].*)$/m.exec(text) ?? [];
      const parts = [...text.matchAll(/^## (.*)$/gm)].map(([, part = '']) => part);
      const found = {
        'its first line is not “# NUMBER. Title”': titled !== number,
        'its parts are not Context, Decision, Consequences and perhaps Measurements':
          !/^Context,Decision,Consequences(?:,Measurements)?$/.test(parts.join(',')),
        'it has more than 50 lines': text.split('\n').length > 50,
        'docs/decisions/README.md lacks it': !index.includes(`- [${number}](${file}) ${title}`),
      };
      return Object.entries(found)
        .filter(([, isSo]) => isSo)
        .map(([problem]) => `${file}: ${problem}`);
    });
  expect(problems).toEqual([]);
});

describe('docs/security.md, requirement by requirement', () => {
  const coverage = read('docs/spec-coverage.md');
  const lines = [...security.matchAll(/^- (R\d\d) (.*)$/gm)].map(([, number = '', text = '']) => ({
    number,
    text,
    files: [...coverage.matchAll(/^\| .* \|$/gm)]
      .filter(([row]) => row.split(': ')[0]?.includes(number))
      .flatMap(([row]) => [...row.matchAll(/`([\w./-]+\.(?:test|e2e)\.ts)`: /g)])
      .map(([, file = '']) => file),
  }));

  test('lists each of the 64 requirements in docs/security.md', () => {
    const numbers = Array.from({ length: 64 }, (_, n) => `R${String(n + 1).padStart(2, '0')}`);
    expect(lines.map(({ number }) => number)).toEqual(numbers);
  });

  test('names existing tests in docs/security.md, at least one of which names the requirement', () => {
    const missing = lines.flatMap(({ number, files }) =>
      files.filter((file) => !existsSync(join(root, file))).map((file) => `${number}: ${file}`),
    );
    expect(missing).toEqual([]);
    const unnamed = lines.filter(
      ({ number, files }) => files.length > 0 && !files.some((file) => read(file).includes(number)),
    );
    expect(unnamed).toEqual([]);
  });

  test('does not mark a requirement as fulfilled without a test', () => {
    expect(
      lines.filter(({ text, files }) => text.includes(': holds') && files.length === 0),
    ).toEqual([]);
  });
});

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$|^ {4}.*$|`[^`\n]*`/gm, '');
}

function resolves(from: string, link: string): boolean {
  const [target = '', anchor] = link.split('#');
  const file = target ? join(dirname(from), decodeURI(target)) : from;
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || anchorsOf(file).has(anchor);
}

/**
 * Returns the anchors that GitHub creates for headings: lower case, hyphens for spaces, no
 * punctuation.
 */
function anchorsOf(file: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of read(file).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    let unique = slug;
    for (let n = 1; anchors.has(unique); n += 1) unique = `${slug}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Returns a text without the generated tables of settings. */
function withoutTables(text: string): string {
  return text.replace(/<!-- config-table[\s\S]*?<!-- \/config-table -->/g, '');
}
