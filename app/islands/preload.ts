/**
 * Loads a script's own scripts and stylesheets in parallel instead of one after the other. Every
 * `import()` goes through this function. The function replaces Vite's helper (`vite.config.ts`),
 * which is three times as long for cases that do not occur here.
 */
async function preload<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  await Promise.all(files.map(fetchBeside));
  return load();
}
export { preload as __vitePreload };

/**
 * Fetches a dependency of a module. A stylesheet is awaited here, and a script by its own import.
 */
async function fetchBeside(file: string): Promise<void> {
  let link = document.querySelector<HTMLLinkElement>(`link[href="/${file}"]`);
  const isSheet = file.endsWith('.css');
  if (!link) {
    link = document.createElement('link');
    link.rel = isSheet ? 'stylesheet' : 'modulepreload';
    link.href = `/${file}`;
    document.head.append(link);
  }
  if (!isSheet || link.sheet) return;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  // A missing stylesheet is better than a missing component.
  for (const type of ['load', 'error']) link.addEventListener(type, resolve);
  await promise;
}
