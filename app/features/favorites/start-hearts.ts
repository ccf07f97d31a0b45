/**
 * The storage key for the deal and time of a signed-out visitor's heart. It is read once after the
 * sign-in.
 */
const wish = 'favorite-wished';
const wishedForMs = 15 * 60_000;

/** Loads the hearts' script for signed-in users. An earlier press waits for the script. */
export function startHearts(): void {
  const load = () => import('./turn-heart.ts');
  const heart = document.querySelector<HTMLFormElement>('form[data-favorite]');
  if (heart) {
    const wished = findWished();
    load().then(
      ({ turnHeart }) => wished && turnHeart(wished),
      () => {},
    );
  }
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
    if (form.dataset['keep']) rememberWish(form.dataset['keep']);
    if (form.dataset['favorite'] === undefined) return;
    event.preventDefault();
    load().then(
      ({ turnHeart }) => turnHeart(form),
      () => form.submit(),
    );
  });
}

function rememberWish(deal: string): void {
  try {
    sessionStorage.setItem(wish, `${deal} ${Date.now()}`);
  } catch {
    // Without storage, the heart is shown and must be pressed again.
  }
}

function takeWish(): string {
  try {
    const wished = sessionStorage.getItem(wish) ?? '';
    sessionStorage.removeItem(wish);
    return wished;
  } catch {
    return '';
  }
}

function findWished(): HTMLFormElement | null {
  const [deal, time] = takeWish().split(' ');
  if (!deal || Date.now() - Number(time) > wishedForMs) return null;
  const heart = document.querySelector<HTMLFormElement>(`form[data-favorite="${Number(deal)}"]`);
  return heart?.querySelector('[aria-pressed="true"]') ? null : heart;
}
