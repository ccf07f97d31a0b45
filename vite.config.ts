import { basename } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { classNameConstants } from './bin/class-name-constants.ts';

/**
 * What nearly every page uses travels as one file: a score of tiny ones costs more requests and compresses worse.
 * What one kind of page needs alone stays with that page, so what is shared is named: a new file is not. The style
 * sheets of what is rendered by the server but comes to life later are here too: the page links no other sheet for them.
 */
const shared = [
  /\/app\/ui\/(button|card|chip|copy-button|error-screen|icon|message-panel|nonce-context|page-heading|picture|scroll-manager|show-toast|titled-section|theme)\./,
  /\/app\/ui\/(breadcrumbs|form|form-notice|pager|text-field|toast)\.module\.css/,
  /\/app\/platform\/((money|time-words|use-is-hydrated)\.|captcha\/.*\.css)/,
  /\/app\/storefront\/chrome\/(?!visitor-parts|signed-in.*\.tsx|keep-theme|breadcrumb-list|site-footer\.tsx|(page-tools|navigation-progress|scroll-to-top|connection-.*)\.tsx?)/,
  /\/app\/storefront\/(not-found|search)\/.*\.css/,
  /\/app\/features\/(newsletter|favorites|price-alerts|accounts)\/(?!.*(auth-dialog|session-monitor|push-switch)\.).*\.css/,
  /\/app\/features\/search\/(search-box|focus-on-slash)/,
  /\/app\/features\/(site-settings\/site-context|merchants\/merchant-logo)/,
  /\/app\/features\/(accounts\/sessions\/viewer-context|favorites\/favorites-context|price-alerts\/alerts-context)/,
  /\/app\/features\/deals\/deal-(card|expiry|grid|labels|picture)\./,
  /\/app\/features\/prices\/(priced-deal-card|price-line|proof-line)/,
];

/** What has pages, be it deals, stores or articles. */
const paged =
  /\/app\/(ui\/(page-window|pager)|platform\/page-number|storefront\/deals\/list-error-part)/;

/** And what all the lists of deals use. */
const lists = [
  /\/app\/storefront\/deals\/(category-chips|deal-cards|deal-count|deal-filter|deal-list|list-(?!error)|use-list)/,
  /\/app\/features\/deals\/deal-list-address/,
  /\/app\/ui\/(filter-form|price-range|select-field|skeleton)/,
];

const categoryIcons = /\/app\/features\/categories\/category-icon/;

/** The categories and stores of the home page, of their own pages, and of a search. */
const tiles = /\/app\/features\/(categories\/category-(icon|tile)\.|merchants\/merchant-tile)/;

/** What a form with a human check needs. */
const forms = /\/app\/(platform\/captcha\/.*\.ts|ui\/(text-field|text-area-field|form-notice))/;

/** Where the pages of an account overlap. */
const account =
  /\/app\/(account\/(account-|profile-page\.module)|features\/accounts\/(account-|passwords\/credential-forms)|ui\/password-field)/;

const matching = (patterns: RegExp[]) => (id: string) => patterns.some((part) => part.test(id));

export default defineConfig({
  plugins: [...classNameConstants, reactRouter()],
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
                { name: 'act-form', test: /\/app\/ui\/act-form/ },
                { name: 'account', test: account },
              ],
            },
          },
        },
      },
    },
  },
});
