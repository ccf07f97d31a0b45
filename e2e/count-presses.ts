import type { Locator, Page } from 'playwright-core';

type File = Exclude<Parameters<Locator['setInputFiles']>[0], string | readonly string[]>;

/** Operates a page and counts presses: each click, filled field, choice and key. */
export class Hand {
  presses = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  click(target: Locator): Promise<void> {
    this.presses += 1;
    return target.click();
  }

  fill(target: Locator, text: string): Promise<void> {
    this.presses += 1;
    return target.fill(text);
  }

  type(text: string): Promise<void> {
    this.presses += 1;
    return this.#page.keyboard.type(text);
  }

  check(target: Locator): Promise<void> {
    this.presses += 1;
    return target.check();
  }

  uncheck(target: Locator): Promise<void> {
    this.presses += 1;
    return target.uncheck();
  }

  /** Chooses an option by its value or label. */
  async choose(target: Locator, option: string): Promise<void> {
    this.presses += 1;
    await target.selectOption(option);
  }

  key(name: string): Promise<void> {
    this.presses += 1;
    return this.#page.keyboard.press(name);
  }

  /**
   * Chooses a file, which counts twice: the field's button, and the file in the browser's dialog.
   */
  give(target: Locator, file: File): Promise<void> {
    this.presses += 2;
    return target.setInputFiles(file);
  }
}
