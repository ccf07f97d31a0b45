import type { BreadcrumbList, WithContext } from 'schema-dts';

/** The breadcrumbs from the home page as structured data. The current page has no path. */
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
