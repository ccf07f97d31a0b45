import { heartTurned } from '#app/features/favorites/turn-heart.ts';
import { showAgain } from '#app/islands/post-in-place.ts';
import { closest } from '#app/islands/pressed.ts';

/**
 * Updates the favorites page after each click on a heart, and reloads the list when its button is
 * clicked.
 */
export function startFavorites(): void {
  document.addEventListener(heartTurned, () => void showAgain().catch(() => {}));
  document.addEventListener('click', ({ target }) => {
    const button = closest(target, '[data-refreshes]');
    if (button && !button.ariaBusy) void refresh(button);
  });
}

/** Reloads the list, and shows skeletons in place of the cards in the meantime. */
async function refresh(button: HTMLElement): Promise<void> {
  const label = button.textContent;
  const cards = document.querySelector<HTMLElement>('[data-favorites]');
  const template = document.querySelector<HTMLTemplateElement>('[data-when="refreshing"]');
  const placeholder = template && document.importNode(template.content, true).firstElementChild;
  button.ariaBusy = 'true';
  button.textContent = button.dataset['busy'] ?? label;
  if (cards && placeholder) {
    cards.hidden = true;
    // The placeholder is inserted after the cards, since `showAgain` replaces the first element.
    cards.after(placeholder);
  }
  await showAgain().catch(() => {});
  placeholder?.remove();
  if (cards) cards.hidden = false;
  button.ariaBusy = null;
  button.textContent = label;
}
