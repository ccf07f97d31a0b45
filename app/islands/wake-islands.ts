import type { ComponentType } from 'react';

/** The script of each island, by the island's name. */
type IslandScripts = Record<string, () => Promise<ComponentType<never>>>;

let scripts: IslandScripts = {};
/** Fetches the list of islands that only a few pages use. */
let fetchMore: () => Promise<IslandScripts>;
const waking = new WeakMap<Element, Promise<void>>();
/** Forms whose submission waits for their island. */
const held = new WeakSet<Element>();

/** Loads an island's script and React, and hydrates the island, once. */
function wake(island: HTMLElement): Promise<void> {
  let done = waking.get(island);
  if (!done) {
    done = bringToLife(island);
    waking.set(island, done);
    // Keeps `morph` from replacing the element while the visitor types in it.
    island.dataset['started'] = '';
    // The island works without its script, and the next interaction retries.
    done.catch(() => {
      waking.delete(island);
      delete island.dataset['started'];
    });
  }
  return done;
}

async function bringToLife(island: HTMLElement): Promise<void> {
  const [{ hydrateIsland }, component] = await fetchScripts(island.dataset['name']);
  hydrateIsland(island, component);
  island.dataset['awake'] = '';
}

const wakeQuietly = (island: HTMLElement) => void wake(island).catch(() => {});

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      if (target instanceof HTMLElement) wakeQuietly(target);
    }
  },
  { rootMargin: '200px' },
);

/** Finds islands in a page, or in a part of it that was added later. */
export function findIslands(root: ParentNode): void {
  for (const island of root.querySelectorAll<HTMLElement>('deal-island[data-wakes-on]')) {
    const { wakesOn } = island.dataset;
    if (wakesOn === 'visible') seen.observe(island);
    // An island in a closed menu waits for an interaction.
    else if (wakesOn === 'idle' && isFastLine() && !island.closest('details:not([open])'))
      whenIdle(() => wakeQuietly(island));
  }
}

/**
 * Returns whether the connection is known to be fast. On other connections, nothing is loaded
 * before the visitor interacts with the island.
 */
function isFastLine(): boolean {
  const { connection } = navigator as {
    connection?: { saveData: boolean; downlink: number; rtt: number };
  };
  return connection
    ? !connection.saveData && connection.downlink >= 5 && connection.rtt <= 100
    : false;
}

export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act);
  else setTimeout(act, 200);
}

/**
 * Hydrates an island on first interaction. A press or a submission is held until the island can
 * handle it. If its script fails to load, the browser handles it.
 */
export function hydrateOnInteraction(known: IslandScripts, more: typeof fetchMore): void {
  scripts = known;
  fetchMore = more;
  const touched = ({ target }: Pick<Event, 'target'>) =>
    sleeping(target)?.then(undefined, () => {});
  for (const type of ['focusin', 'pointerover', 'pointerdown']) {
    document.addEventListener(type, touched, { capture: true, passive: true });
  }
  document.addEventListener('click', holdClick, true);
  document.addEventListener('submit', holdSubmit, true);
  // The visitor may be typing already.
  void touched({ target: document.activeElement });
}

/**
 * Starts the hydration of the island around an element. Returns undefined if the island is hydrated
 * or there is none.
 */
function sleeping(target: EventTarget | null): Promise<void> | undefined {
  const island =
    target instanceof Element
      ? target.closest<HTMLElement>('deal-island:not([data-awake])')
      : undefined;
  return island ? wake(island) : undefined;
}

function holdClick(event: MouseEvent): void {
  const { target } = event;
  const control = target instanceof Element && target.closest<HTMLElement>('button');
  // `holdSubmit` handles a submit button. For a field or a label the browser's default is enough.
  if (!control || (control instanceof HTMLButtonElement && control.type === 'submit')) return;
  const awake = sleeping(target);
  if (!awake) return;
  event.preventDefault();
  event.stopPropagation();
  awake.then(
    () => control.click(),
    () => {},
  );
}

let replayed: HTMLFormElement | null = null;

function holdSubmit(event: SubmitEvent): void {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form === replayed) return;
  if (held.has(form)) return event.preventDefault();
  const awake = sleeping(form);
  // A search opens a page, and needs no script.
  if (!awake || form.method === 'get') return;
  event.preventDefault();
  event.stopPropagation();
  held.add(form);
  const { submitter } = event;
  if (submitter) submitter.ariaBusy = 'true';
  const replay = () => {
    held.delete(form);
    if (submitter) submitter.ariaBusy = null;
    replayed = form;
    form.requestSubmit();
    replayed = null;
  };
  awake.then(replay, replay);
}

/** Opens the link's island over the page, or follows the link if the script fails to load. */
export function openIsland(link: HTMLElement): void {
  if (link.ariaBusy) return;
  link.ariaBusy = 'true';
  const { island, props = '{}' } = link.dataset;
  fetchScripts(island)
    .then(
      ([{ showIsland }, component]) => showIsland(link, component, JSON.parse(props)),
      () => link instanceof HTMLAnchorElement && location.assign(link.href),
    )
    .finally(() => (link.ariaBusy = null));
}

/** Loads React, and the script of an island. */
export async function fetchScripts(name = '') {
  const script = scripts[name] ?? (await fetchMore())[name];
  if (!script) throw new Error(`There is no island “${name}”`);
  return Promise.all([import('./hydrate-island.ts'), script()]);
}
