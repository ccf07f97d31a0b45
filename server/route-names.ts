import type { ServerBuild } from 'react-router';

const mostKnown = 5_000;

/**
 * Maps a path to the site's URL pattern, such as `/deals/:slug`. Made-up paths match no pattern, so
 * the number of names is limited.
 */
export class RouteNames {
  readonly #patterns: { name: string; fits: RegExp }[];
  readonly #known = new Map<string, string>();

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns
      .map((name) => ({ name, fits: expressionOf(name) }))
      .toSorted((one, other) => vagueness(one.name) - vagueness(other.name));
  }

  of(target: string): string {
    const path = target.split('?', 1)[0] ?? '';
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const name = this.#find(path);
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(path, name);
    return name;
  }

  #find(path: string): string {
    for (const folder of ['assets', 'media', 'health']) {
      if (path.startsWith(`/${folder}/`)) return `/${folder}/*`;
    }
    return this.#patterns.find(({ fits }) => fits.test(path))?.name ?? 'none';
  }
}

/** Returns every URL pattern of the bundle, in the order of `app/routes.ts`. */
export function patternsOf({ routes }: ServerBuild): string[] {
  const whole = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id];
    if (!route) return '';
    return whole(route.parentId) + (route.path ? `/${route.path}` : '');
  };
  const answering = Object.values(routes).filter((route) => route?.path || route?.index);
  return [...new Set(answering.map((route) => whole(route?.id) || '/'))];
}

/**
 * Returns a regular expression for the page and for its data, which the router requests under the
 * same name.
 */
function expressionOf(pattern: string): RegExp {
  const segments = pattern.split('/').map((segment) => {
    if (segment === '*') return '.*';
    return segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment);
  });
  return new RegExp(`^(?:${segments.join('/')}${pattern === '/' ? '|/_root' : ''})(?:\\.data)?$`);
}

/** Returns a rank: `/deals/new` takes precedence over `/deals/:slug`, and both over a splat. */
function vagueness(pattern: string): number {
  return (pattern.match(/:/g)?.length ?? 0) + (pattern.includes('*') ? 100 - pattern.length : 0);
}
