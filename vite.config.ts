import { mkdirSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';

const preload = fileURLToPath(new URL('app/islands/preload.ts', import.meta.url));

/** Replaces Vite's preload helper for `import()` with our own. */
const ownPreload: Plugin = {
  name: 'own-preload',
  enforce: 'pre',
  resolveId: { filter: { id: /vite\/preload-helper\.js$/ }, handler: () => preload },
};

/**
 * Sets Zod's option `jitless` in browsers before any schema is created. Otherwise, Zod tries
 * `Function`, which our content policy forbids, and browsers report it to the site.
 */
const withoutEval: Plugin = {
  name: 'without-eval',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /\/zod\/v4\/core\/core\.js$/ },
    handler: (code) => `globalThis.__zod_globalConfig = { jitless: true };\n${code}`,
  },
};

/**
 * Writes the packages whose code is in the bundle to `build/bundled-NAME.json`. A test compares
 * them with the notices.
 */
const bundledPackages: Plugin = {
  name: 'bundled-packages',
  writeBundle(_, bundle) {
    const files = Object.values(bundle).flatMap((file) =>
      file.type === 'asset' ? file.originalFileNames : includedModules(file.modules),
    );
    const names = files.flatMap((file) => packageName.exec(file)?.[1] ?? []);
    const list = JSON.stringify([...new Set(names)].toSorted());
    mkdirSync('build', { recursive: true });
    writeFileSync(`build/bundled-${this.environment.name}.json`, list);
  },
};

const packageName = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

function includedModules(modules: Record<string, { code: string | null }>): string[] {
  return Object.entries(modules).flatMap(([file, { code }]) => (code ? [file] : []));
}

export default defineConfig({
  plugins: [reactRouter(), ownPreload, withoutEval, bundledPackages],
  css: {
    modules: {
      // Class names with the file name are unique, because file names are, and compress far better
      // than hashes.
      generateScopedName: (name, file) =>
        `${basename(file.split('?')[0] ?? '', '.module.css')}-${name}`,
    },
  },
  build: { sourcemap: false },
  environments: {
    client: {
      build: {
        // The licenses of everything in the scripts, for everyone who receives them.
        license: { fileName: 'third-party.md' },
        rolldownOptions: {
          optimization: { inlineConst: { mode: 'all' } },
          output: {
            // The build creates one stylesheet for shared parts and one for lists and deals,
            // because twenty small ones would delay pages.
            codeSplitting: {
              groups: [
                {
                  name: 'site',
                  test: /\/app\/(ui|features|platform|storefront\/chrome)\/.*\.module\.css/,
                },
                {
                  name: 'browsing',
                  test: /\/app\/storefront\/(deals|search|categories|merchants|home|not-found)\/.*\.module\.css/,
                },
                // The first script of every page is a single file, even if other scripts use parts
                // of it.
                { name: 'entry.client', test: /\/app\/entry\.client\.tsx$/ },
                {
                  name: 'react',
                  test: /\/node_modules\/(react|react-dom|scheduler)\/|\/islands\/hydrate-island\.ts$/,
                },
                {
                  name: 'router',
                  test: /\/node_modules\/react-router\/|\/islands\/(hydrate-page|router-links)\.tsx$/,
                },
                { name: 'lists', test: /\/app\/islands\/(swap-regions|morph)\.ts$/ },
                // Event handlers for account pages without React, which some islands share.
                {
                  name: 'start-account',
                  test: /\/app\/start-account\.ts$|\/(post-in-place|page-changed|show-password|confirm-by-passkey|browser-passkeys|account-messages)\.ts$/,
                },
                // Groups shared parts into few files, so that an island has to fetch only a few.
                { name: 'parts', test: /\/app\/ui\/(button|icon|link|made-once)\.tsx?$/ },
                { name: 'contact', test: /\/contact\/contact-(limits|messages)\.ts$/ },
                {
                  name: 'forms',
                  test: /\/app\/ui\/[\w-]+-(dialog|field|frame|notice)\.tsx$|\/captcha-field\.tsx$|\/use-(captcha|checked-post|is-hydrated|post)\.ts$|\/platform\/read-text\.ts$/,
                },
                {
                  name: 'credentials',
                  test: /\/(credential-forms|passkey-sign-in|provider-buttons|viewer-context|account-form)\.tsx$|\/use-passkey-prompt\.ts$/,
                },
                {
                  name: 'alerts',
                  test: /\/alert-(form-fields|deal-summary)\.tsx$|\/alert-kind\.ts$/,
                },
              ],
            },
          },
        },
      },
    },
  },
});
