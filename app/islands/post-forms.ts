const busy = new Set<HTMLElement>();

/** On pages without a router: sends a posted form once, however often its button is pressed. */
export function startPosts(): void {
  // Registered last, so other handlers can take the form first.
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
