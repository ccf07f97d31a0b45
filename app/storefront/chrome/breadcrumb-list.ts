import type { BreadcrumbList, WithContext } from 'schema-dts';

/**
 * The breadcrumbs from the home page as structured data. A step without a path is the page itself.
 */
export function breadcrumbList(
  origin: string,
  steps: { name: string; path?: string }[],
): WithContext<BreadcrumbList> {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: [{ name: 'Home', path: '/' }, ...steps].map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      ...(path && { item: origin + path }),
    })),
  };
}
