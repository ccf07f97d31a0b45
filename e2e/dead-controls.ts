import type { Page } from 'playwright-core';

/**
 * Returns the controls of a hydrated page that look active but do nothing, even after some time.
 */
export async function findDeadControls(page: Page): Promise<string[]> {
  const find = () => page.evaluate(() => (globalThis as unknown as WithCheck).deadControls());
  let faults = await find();
  for (let asked = 0; faults.length > 0 && asked < mostAsked; asked += 1) {
    await page.waitForTimeout(100);
    faults = await find();
  }
  return faults;
}

const mostAsked = 50;

interface WithCheck {
  deadControls(): string[];
}

/**
 * Defines `deadControls` in every page before it loads. The function first hydrates islands, so
 * that their controls are checked too.
 */
export function defineDeadControls(): void {
  const isHandled = (element: Element): boolean => {
    // The page's own event handlers handle these elements.
    if (element.matches('[data-act], [data-shows-password]')) return true;
    const name = Object.keys(element).find((key) => key.startsWith('__reactProps$'));
    const props = name === undefined ? {} : (element as unknown as Record<string, object>)[name];
    return Object.keys(props ?? {}).some((key) => /^on[A-Z]/.test(key));
  };
  const isWithinHandled = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = at.parentElement)
      if (isHandled(at)) return true;
    return false;
  };
  const named = (element: Element): string =>
    `${element.outerHTML.slice(0, 120)} in ${element.parentElement?.className ?? 'nothing'}`;

  const find = (): string[] => {
    const faults: string[] = [];
    for (const island of document.querySelectorAll('deal-island:not([data-awake])')) {
      island.dispatchEvent(new Event('pointerover', { bubbles: true }));
      faults.push(`asleep: ${named(island)}`);
    }
    for (const link of document.querySelectorAll('a')) {
      const href = link.getAttribute('href');
      if (href === null || href === '#' || /^\s*javascript:/i.test(href)) {
        faults.push(`leads nowhere: ${named(link)}`);
      } else if (
        href.startsWith('#') &&
        !document.getElementById(decodeURIComponent(href.slice(1)))
      ) {
        faults.push(`leads to no place on the page: ${named(link)}`);
      }
    }
    for (const button of document.querySelectorAll('button, [role=button], [role=switch]')) {
      const { form = null, type = '', disabled = false } = button as Partial<HTMLButtonElement>;
      const opens = ['popovertarget', 'commandfor'].some((name) => {
        const id = button.getAttribute(name);
        return id !== null && document.getElementById(id) !== null;
      });
      const submits = form !== null && type !== 'button';
      const acts = button.hasAttribute('data-act');
      if (!submits && !opens && !disabled && !acts && !isHandled(button)) {
        faults.push(`does nothing: ${named(button)}`);
      }
    }
    for (const field of document.querySelectorAll('input, select, textarea')) {
      const { form, type, disabled, readOnly } = field as HTMLInputElement;
      // Read-only fields contain text to copy, which is not submitted.
      const isSent = type !== 'hidden' && !disabled && !readOnly;
      if (isSent && form === null && !isWithinHandled(field)) {
        faults.push(`belongs to no form: ${named(field)}`);
      }
    }
    for (const form of document.querySelectorAll('form')) {
      const canSend =
        form.querySelector('button:not([type=button]), input[type=submit]') !== null ||
        document.querySelector(`button[form="${form.id}"]`) !== null ||
        isHandled(form);
      if (!canSend) faults.push(`cannot be sent: ${named(form)}`);
    }
    return faults;
  };
  Object.assign(globalThis, { deadControls: find });
}

/** URLs within the site that forms are sent to. */
export function formTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('form')].map(
      (form) => new URL(form.getAttribute('action') ?? location.href, location.href).pathname,
    ),
  );
}
