import type { ComponentType } from 'react';

/** Where the script of each island is, by the island's name. */
type IslandScripts = Record<string, () => Promise<ComponentType<never>>>;

let scripts: IslandScripts = {};
/** Those of a few pages, whose list is fetched by the first that needs it. */
let fetchMore: () => Promise<IslandScripts>;
const waking = new WeakMap<Element, Promise<void>>();
/** Forms whose submit waits for their island. */
const held = new WeakSet<Element>();

/** Fetches an island's script, and React with it, and brings it to life; once. */
function wake(island: HTMLElement): Promise<void> {
  let done = waking.get(island);
  if (!done) {
    done = bringToLife(island);
    waking.set(island, done);
    // It works without its script; the next touch tries again.
    done.catch(() => waking.delete(island));
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

/** Looks for islands in a page, or in a part of it that came later. */
export function findIslands(root: ParentNode): void {
  for (const island of root.querySelectorAll<HTMLElement>('deal-island[data-wakes-on]')) {
    const { wakesOn } = island.dataset;
    if (wakesOn === 'visible') seen.observe(island);
    // What a closed menu holds waits for a touch.
    else if (wakesOn === 'idle' && isFastLine() && !island.closest('details:not([open])'))
      whenIdle(() => wakeQuietly(island));
  }
}

/** Elsewhere, and where the browser does not tell, nothing is fetched before the visitor turns to it. */
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

/** A hand on an island wakes it. A press or a submit is held until it can answer; if it never can, the browser does. */
export function wakeOnTouch(known: IslandScripts, more: typeof fetchMore): void {
  scripts = known;
  fetchMore = more;
  const touched = ({ target }: Pick<Event, 'target'>) =>
    sleeping(target)?.then(undefined, () => {});
  for (const type of ['focusin', 'pointerover', 'pointerdown']) {
    document.addEventListener(type, touched, { capture: true, passive: true });
  }
  document.addEventListener('click', holdClick, true);
  document.addEventListener('submit', holdSubmit, true);
  // Somebody may type already.
  void touched({ target: document.activeElement });
}

/** The waking of the island around something; nothing where it is awake or there is none. */
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
  // A submit button goes on to `holdSubmit`; a field or a label does by itself what is needed.
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
  // A search is a page of its own, and needs no script to get there.
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

/** The link's island over the page; where its script is lost, the link itself. */
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

/** React, and the script of an island. */
export async function fetchScripts(name = '') {
  const script = scripts[name] ?? (await fetchMore())[name];
  if (!script) throw new Error(`There is no island “${name}”`);
  return Promise.all([import('./hydrate-island.ts'), script()]);
}
