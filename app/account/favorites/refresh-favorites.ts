import { heartTurned } from '#app/features/favorites/turn-heart.ts';
import { showAgain } from '#app/islands/post-in-place.ts';
import { closest } from '#app/islands/pressed.ts';

/** Updates the page of favorites after each heart, and reloads the list by its button. */
export function startFavorites(): void {
  document.addEventListener(heartTurned, () => void showAgain().catch(() => {}));
  document.addEventListener('click', ({ target }) => {
    const button = closest(target, '[data-refreshes]');
    if (button && !button.ariaBusy) void refresh(button);
  });
}

/** Reloads the list, with skeletons in place of the cards until then. */
async function refresh(button: HTMLElement): Promise<void> {
  const label = button.textContent;
  const cards = document.querySelector<HTMLElement>('[data-favorites]');
  const template = document.querySelector<HTMLTemplateElement>('[data-when="refreshing"]');
  const placeholder = template && document.importNode(template.content, true).firstElementChild;
  button.ariaBusy = 'true';
  button.textContent = button.dataset['busy'] ?? label;
  if (cards && placeholder) {
    cards.hidden = true;
    // The placeholder is behind the cards, since the page's new cards replace the first.
    cards.after(placeholder);
  }
  await showAgain().catch(() => {});
  placeholder?.remove();
  if (cards) cards.hidden = false;
  button.ariaBusy = null;
  button.textContent = label;
}
