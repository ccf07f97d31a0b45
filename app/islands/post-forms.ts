const busy = new Set<HTMLElement>();

/** Submits a form only once on pages without a router, however often its button is pressed. */
export function startPosts(): void {
  // The listener is registered last, so that other handlers can handle the form first.
  addEventListener('submit', (event) => {
    const { target, submitter } = event;
    if (!(target instanceof HTMLFormElement) || target.method !== 'post') return;
    if (event.defaultPrevented) return;
    if (busy.has(target)) return event.preventDefault();
    for (const part of [target, submitter]) {
      if (!part) continue;
      part.ariaBusy = 'true';
      busy.add(part);
    }
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    for (const part of busy) part.ariaBusy = null;
    busy.clear();
  });
  const form = document.querySelector<HTMLFormElement>('form[data-post-at-once]');
  if (form) {
    import('./post-at-once.ts').then(
      ({ postAtOnce }) => postAtOnce(form),
      () => {},
    );
  }
}
