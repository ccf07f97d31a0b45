/**
 * Every `import()` comes here: fetches a script's own scripts and sheets beside it, not one after the other. It stands in
 * for Vite's helper (`vite.config.ts`), which is three times as long for cases that are not ours.
 */
async function preload<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  await Promise.all(files.map(fetchBeside));
  return load();
}
export { preload as __vitePreload };

/** Nothing is shown before its sheets; a script can be waited for by whoever imports it. */
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
  // Better without its looks than not at all.
  for (const type of ['load', 'error']) link.addEventListener(type, resolve);
  await promise;
}
