import { Hone } from '@hone/client';
import axe from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

const URL_OF_HONE = process.env['HONE_URL'] ?? 'http://127.0.0.1:8080';
/** For an element, on a machine that may be busy. */
const WAITS_MS = 120_000;
const WIDE = { width: 1280, height: 800 };

/** A page of the console, and what went wrong in it so far. */
export interface ConsolePage {
  readonly page: Page;
  /** Errors of scripts, refusals of the content security policy, and requests to other origins. */
  readonly faults: readonly string[];
}

/** A real browser beside a running Hone. */
export class ConsoleBrowser {
  private readonly browser: Browser;
  /** The interface, with the key of the user admin. */
  readonly hone: Hone;

  static async start(): Promise<ConsoleBrowser> {
    // In a container there are no namespaces for a sandbox.
    const browser = await chromium.launch({
      executablePath: process.env['HONE_CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    });
    return new ConsoleBrowser(browser);
  }

  private constructor(browser: Browser) {
    this.browser = browser;
    this.hone = this.as(ConsoleBrowser.key);
  }

  static get key(): string {
    return process.env['HONE_API_KEY'] ?? '';
  }

  /** The interface with another key. */
  as(apiKey: string): Hone {
    return new Hone({ baseUrl: URL_OF_HONE, apiKey });
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  /** A page of a new visitor, who is not signed in. */
  async visit(path = '/console/'): Promise<ConsolePage> {
    const context = await this.browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' });
    context.setDefaultTimeout(WAITS_MS);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      // The browser itself notes each answer that is an error; what the page makes of it is tested.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== new URL(URL_OF_HONE).origin) faults.push(`asks ${origin}`);
    });
    await page.goto(URL_OF_HONE + path);
    return { page, faults };
  }

  /** A page of the administrator, or of whom the key belongs to. */
  async open(path: string, key: string = ConsoleBrowser.key): Promise<ConsolePage> {
    const { path: link } = await this.as(key).accounts.createSignInCode();
    const opened = await this.visit(link);
    await opened.page.waitForURL(/\/console\/p\//);
    await opened.page.goto(URL_OF_HONE + path);
    return opened;
  }
}

/**
 * Waits until there are so many elements. (`page.waitForFunction` evaluates in a timer of the page, where the content
 * security policy refuses it.)
 */
export async function untilCount(elements: Locator, count: number): Promise<void> {
  await elements.nth(count).waitFor({ state: 'detached' });
  if (count > 0) await elements.nth(count - 1).waitFor({ state: 'attached' });
}

/** What axe finds against WCAG 2.2 AA on the page as it is. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Through the debugger's side: the policy of the page lets no such script in.
  await page.evaluate(axe.source);
  const run = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`;
  const { violations } = (await page.evaluate(run)) as { violations: { id: string; nodes: { html: string }[] }[] };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
