/** Says on the page that whatever is pressed now is heard. */
export function setAlive(): void {
  document.documentElement.dataset['alive'] = '';
}
