/** A real Chromium without a window. What goes wrong in its pages fails the test that looks at `troubles`. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const path = process.env.HACT_TEST_CHROMIUM ?? '/usr/bin/chromium';
const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'];

export interface TestBrowser {
  /** A page of its own profile; `troubles` collects errors, refused contents, and requests to anywhere else. */
  open(url: string, options?: BrowserContextOptions): Promise<{ page: Page; troubles: string[] }>;
  /** Closes all pages. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export async function startBrowser(): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: path, args: flags });
  return {
    open: async (url, options = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1400, height: 1000 },
        locale: 'en-GB',
        ...options,
      });
      const page = await context.newPage();
      const troubles: string[] = [];
      const { origin } = new URL(url);
      page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => {
        troubles.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('console', (message) => {
        const isAbout = /Content Security Policy|Trusted|Refused|Uncaught/.test(message.text());
        if (isAbout) troubles.push(`console: ${message.text()}`);
      });
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== origin) troubles.push(`request: ${request.url()}`);
      });
      await page.goto(url);
      return { page, troubles };
    },
    clear: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    close: () => browser.close(),
  };
}
