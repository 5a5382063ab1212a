import type { Hone } from '@hone/client';
import type { Page } from 'playwright-core';

import { accessibilityFaults, ConsoleBrowser, type ConsolePage } from './console-browser.fixture.js';

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 800 };
/** The page itself does not scroll sideways, and neither does what holds its content. */
const isFitting = () =>
  [document.documentElement, ...document.querySelectorAll('main, main > div, main > div > div:not([role])')].every(
    ({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth,
  );

/** A browser for the specs of a file, each of which has a page of its own and must leave no fault behind. */
export class ConsoleSuite {
  private browser: ConsoleBrowser | undefined;
  private opened: ConsolePage[] = [];

  /** Registers itself with Jest. @param seed what the specs look at */
  static of(seed: (hone: Hone) => Promise<void>): ConsoleSuite {
    const suite = new ConsoleSuite();
    beforeAll(async () => {
      suite.browser = await ConsoleBrowser.start();
      await seed(suite.hone);
    });
    afterEach(() => suite.closePages());
    afterAll(() => suite.browser?.close());
    return suite;
  }

  get hone(): Hone {
    return this.started.hone;
  }

  /** The interface with another key. */
  as(key: string): Hone {
    return this.started.as(key);
  }

  /** A page of a visitor, who is not signed in. */
  async visit(path?: string): Promise<Page> {
    return this.keep(await this.started.visit(path));
  }

  /** A page of the administrator, or of whom the key belongs to. */
  async open(path: string, key?: string): Promise<Page> {
    return this.keep(await this.started.open(path, key));
  }

  /** Expects one heading of the page, that axe finds no fault, in both themes, and nothing cut on a telephone. */
  async expectGoodForEveryone(page: Page): Promise<void> {
    expect(await page.locator('h1').count()).toBe(1);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    await page.setViewportSize(NARROW);
    // The layout follows the size at once.
    expect(await page.evaluate(isFitting)).toBe(true);
    await page.setViewportSize(WIDE);
  }

  private keep(opened: ConsolePage): Page {
    this.opened.push(opened);
    return opened.page;
  }

  private async closePages(): Promise<void> {
    const opened = this.opened;
    this.opened = [];
    await Promise.all(opened.map(({ page }) => page.context().close()));
    expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
  }

  private get started(): ConsoleBrowser {
    if (!this.browser) throw new Error('The browser starts before the first spec.');
    return this.browser;
  }
}
