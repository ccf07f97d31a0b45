/**
 * Loads the script for hearts for signed-in users. Clicks made before it has loaded are handled
 * afterward.
 */
export function startHearts(): void {
  const load = () => import('./turn-heart.ts');
  if (document.querySelector('form[data-favorite]')) load().catch(() => {});
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
    if (form.dataset['favorite'] === undefined) return;
    event.preventDefault();
    load().then(
      ({ turnHeart }) => turnHeart(form),
      () => form.submit(),
    );
  });
}
