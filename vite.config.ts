import { basename } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';

/**
 * What nearly every page uses travels as one file: a score of tiny ones costs more requests and compresses worse.
 * What one kind of page needs alone stays with that page. The style sheets of what is rendered by the server but
 * comes to life later are here too: the page links no other sheet for them.
 */
const shared = [
  /\/app\/ui\/(?!modal-dialog|password-field|text-field\.tsx|form-notice\.tsx|breadcrumbs\.tsx|share-button|chip\.tsx|filter-form|page-window|pager\.tsx|price-range|select-field|skeleton)/,
  /\/app\/platform\/(?!captcha\/.*\.ts|page-number)/,
  /\/app\/storefront\/chrome\/(?!signed-in.*\.tsx)/,
  /\/app\/storefront\/(not-found|search)\/.*\.css/,
  /\/app\/features\/(newsletter|favorites|price-alerts|accounts)\/.*\.css/,
  /\/app\/features\/search\/(search-box|focus-on-slash)/,
  /\/app\/features\/(site-settings\/|merchants\/merchant-logo)/,
  /\/app\/features\/(accounts\/(viewer-context|access-refusal\.ts)|favorites\/favorites-context|price-alerts\/alerts-context)/,
  /\/app\/features\/deals\/(?!deal-list-input)/,
  /\/app\/features\/prices\/(priced-deal-card|price-line|proof-line)/,
];

/** What has pages, be it deals, stores or articles. */
const paged =
  /\/app\/(ui\/(page-window|pager)|platform\/page-number|storefront\/deals\/list-error-part)/;

/** And what all the lists of deals use. */
const lists = [
  /\/app\/storefront\/deals\/(category-chips|deal-count|deal-filter|deal-list|list-(?!error)|use-list)/,
  /\/app\/features\/deals\/deal-list-input/,
  /\/app\/ui\/(chip|filter-form|price-range|select-field|skeleton)/,
];

const categoryIcons = /\/app\/features\/categories\/category-icon/;

/** The categories and stores of the home page, of their own pages, and of a search. */
const tiles = /\/app\/features\/(categories|merchants\/merchant-tile)/;

/** What a form with a human check needs. */
const forms = /\/app\/(platform\/captcha\/.*\.ts|ui\/text-field)/;

/** Where the pages of an account overlap. */
const account =
  /\/app\/(account\/(account-|profile-page\.module)|features\/accounts\/(account-|credential-forms)|ui\/(password-field|text-field|form-notice))/;

const matching = (patterns: RegExp[]) => (id: string) => patterns.some((part) => part.test(id));

/** Class names as constants, which the build writes where they are used: no script carries a table of them. */
const classNamesAsConstants: Plugin = {
  name: 'class-names-as-constants',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\.tsx$/ },
    handler: (code) => ({
      code: code.replace(/import (\w+) from ('[^']*\.module\.css')/g, 'import * as $1 from $2'),
      map: null,
    }),
  },
};

/**
 * With its constants written elsewhere a sheet's module would be empty, and left out with its styles. A statement
 * that the bundler keeps and the minifier then drops holds it in place.
 */
const keptSheets: Plugin = {
  name: 'kept-sheets',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\.module\.css$/ },
    handler: (code) => ({ code: `${code}\ndebugger;`, moduleSideEffects: true, map: null }),
  },
};

export default defineConfig({
  plugins: [classNamesAsConstants, keptSheets, reactRouter()],
  css: {
    modules: {
      // File names are unique here, so this is too; it compresses far better than a hash.
      generateScopedName: (name, file) =>
        `${basename(file.split('?')[0] ?? '', '.module.css')}-${name}`,
    },
  },
  build: { sourcemap: false },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          optimization: { inlineConst: { mode: 'all' } },
          output: {
            codeSplitting: {
              groups: [
                { name: 'site', test: matching(shared) },
                { name: 'paged', test: paged },
                { name: 'lists', test: matching(lists) },
                { name: 'category-icons', test: categoryIcons },
                { name: 'tiles', test: tiles },
                { name: 'forms', test: forms },
                { name: 'account', test: account },
              ],
            },
          },
        },
      },
    },
  },
});
