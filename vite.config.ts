import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

/**
 * What nearly every page uses travels as one file: a score of tiny ones costs more requests and compresses worse.
 * What one kind of page needs alone stays with that page.
 */
const shared =
  /\/app\/(ui\/(?!modal-dialog|password-field)|platform\/(?!captcha\/.*\.ts)|storefront\/(chrome\/(?!signed-in.*\.tsx)|not-found|search\/.*\.css)|features\/((newsletter|favorites|price-alerts|accounts)\/.*\.css|site-settings|categories|merchants|search|deals|prices\/(priced-deal-card|price-line|proof-line)))/;

/** And what all the lists of deals use. */
const lists =
  /\/app\/storefront\/deals\/(category-chips|deal-count|deal-filter|deal-list|list-|use-list)/;

export default defineConfig({
  plugins: [reactRouter()],
  build: { sourcemap: false },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'site', test: shared },
                { name: 'lists', test: lists },
              ],
            },
          },
        },
      },
    },
  },
});
