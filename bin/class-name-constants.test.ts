import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build, type Plugin, type Rollup } from 'vite';
import { classNameConstants } from './class-name-constants.ts';

const files = {
  'card.module.css': '.card { color: red } .cardTitle { color: blue } .unused { color: green }',
  'badge.module.css': '.badge { color: tan }',
  'plain.css': '.plain { color: navy }',
  'card.tsx': `import styles from './card.module.css';
    export const card = () => [styles.card, styles.cardTitle].join(' ');`,
  'badge.tsx': `import badge from './badge.module.css';
    export const pick = (name: 'badge') => badge[name];`,
  'main.ts': `import './plain.css';
    import { card } from './card.tsx';
    import { pick } from './badge.tsx';
    document.title = card() + pick('badge');`,
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-css-'));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds the little site above, and answers its script and its style sheets. */
async function bundle(plugins: Plugin[]): Promise<{ script: string; styles: string }> {
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    plugins,
    css: { modules: { generateScopedName: (name) => `own-${name}` } },
    build: {
      write: false,
      rolldownOptions: {
        input: path.join(folder, 'main.ts'),
        optimization: { inlineConst: { mode: 'all' } },
      },
    },
  })) as Rollup.RolldownOutput;
  const text = (ending: string) =>
    built.output
      .filter(({ fileName }) => fileName.endsWith(ending))
      .map((file) => String(file.type === 'asset' ? file.source : file.code))
      .join('\n');
  return { script: text('.js'), styles: text('.css') };
}

describe('class names as constants', () => {
  test('stand where they are used, and no script carries a table of them', async () => {
    const [{ script }, usual] = [await bundle(classNameConstants), await bundle([])];
    expect(script).toContain('own-card');
    expect(script).toContain('own-cardTitle');
    expect(script).not.toMatch(/cardTitle:/);
    expect(usual.script).toMatch(/cardTitle:/); // what it would be without
    expect(script).not.toContain('own-unused');
  });

  test('still work where a name is looked up', async () => {
    expect((await bundle(classNameConstants)).script).toContain('own-badge');
  });

  test('keep every style sheet, in whose modules nothing is left', async () => {
    const { styles } = await bundle(classNameConstants);
    for (const name of ['own-card', 'own-cardTitle', 'own-unused', 'own-badge']) {
      expect(styles).toContain(`.${name}{`);
    }
    expect(styles).toContain('.plain{');
  });

  test('would lose the sheets without the statement that holds them', async () => {
    const [namesOnly] = classNameConstants;
    const { styles } = await bundle(namesOnly ? [namesOnly] : []);
    expect(styles).not.toContain('.own-cardTitle{');
  });

  test('leave nothing of that statement in the script', async () => {
    expect((await bundle(classNameConstants)).script).not.toContain('debugger');
  });
});
