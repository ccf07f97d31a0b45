/** Comes true once the element is nearly in view, or somebody turns to it; at once where it is not in the page. */
export function untilNear(selector: string): Promise<void> {
  const element = document.querySelector(selector);
  if (!element) return Promise.resolve();
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: '300px' },
    );
    observer.observe(element);
    element.addEventListener('focusin', () => resolve(), { once: true });
  });
}
