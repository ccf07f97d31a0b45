export type Browser = 'chrome' | 'firefox';

export interface ExtensionAbout {
  /** The site that the extension queries, such as `https://deals.example`. */
  origin: string;
  /** The site's name. */
  name: string;
  /** The site software's version. */
  version: string;
}

/** characters; the limit in the Chrome Web Store */
const longestDescription = 132;

/**
 * Returns the manifest. The content policy lets the popup connect only to the site, even if its
 * code were changed.
 */
export function extensionManifest(
  browser: Browser,
  { origin, name, version }: ExtensionAbout,
  sides: readonly number[],
) {
  const { protocol, host, hostname } = new URL(origin);
  const icons = Object.fromEntries(sides.map((side) => [side, `icon-${side}.png`]));
  const title = `${name} price check`;
  const description = `Press the icon on a product’s page to check its price at ${host}.`;
  return {
    manifest_version: 3,
    name: title,
    short_name: name,
    version: /^[\d.]+/.exec(version)?.[0] ?? '0',
    description: description.slice(0, longestDescription),
    homepage_url: `${origin}/check`,
    icons,
    action: { default_popup: 'popup.html', default_title: title, default_icon: icons },
    permissions: ['activeTab', 'scripting', 'storage'],
    // Match patterns in Firefox cannot contain a port.
    host_permissions: [`${protocol}//${hostname}/*`],
    content_security_policy: {
      extension_pages: `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src ${origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
    ...(browser === 'chrome'
      ? { incognito: 'split', minimum_chrome_version: '123' } // the first with light-dark()
      : {
          browser_specific_settings: {
            gecko: {
              id: `price-check@${hostname.replaceAll(/[^\w.-]/g, '')}`,
              strict_min_version: '142.0', // the first that asks for consent on phones, too
              data_collection_permissions: { required: ['browsingActivity', 'websiteContent'] },
            },
          },
        }),
  };
}
