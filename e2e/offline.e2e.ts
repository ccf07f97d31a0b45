import { createServer, request as httpRequest, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { examine } from './examine-page.ts';
import { useBrowser } from './open-browser.ts';
import { openHydrated } from './page-alive.ts';

const browser = useBrowser();

describe('without a connection', () => {
  // Proves Design: Offline (offline-page.ts)
  it('shows the offline page of a visited site, then the requested page once the connection is back', async () => {
    const line = await openLine();
    try {
      const { page } = await browser.visit({ baseURL: line.origin });
      await page.goto('/');
      await serviceWorkerRuns(page);
      await line.cut();
      await page.goto('/deals');
      expect(await page.getByRole('heading').allTextContents()).toEqual(['You are offline']);
      expect(new URL(page.url()).pathname).toBe('/deals');

      await page.getByRole('link', { name: 'Try Again' }).click();
      await page.getByRole('heading', { name: 'You are offline' }).waitFor();
      await line.mend();
      await page.getByRole('link', { name: 'Try Again' }).click();
      await page.getByRole('heading', { level: 1, name: /deals/i }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/deals');
    } finally {
      await line.cut();
    }
  });

  it.each(['/about', '/sign-in'])(
    'reports on an open page (%s) that the connection is lost, and then that it is back',
    async (address) => {
      const line = await openLine();
      try {
        const { page } = await browser.visit({ baseURL: line.origin });
        const checked = page.waitForResponse('**/api/health');
        await openHydrated(page, address);
        await (await checked).finished();
        await line.cut();
        await page.evaluate(() => dispatchEvent(new Event('focus')));
        const panel = page.getByRole('region', { name: 'Connection' });
        await panel.getByText('Connection failed').waitFor();
        expect(await examine(page)).toEqual([]);
        // The browser may focus the page by itself, which causes one more check.
        const retries = async () =>
          Number(/\d+/.exec((await panel.getByText('Retry count:').textContent()) ?? '')?.[0]);
        const before = await retries();
        await panel.getByRole('button', { name: 'Retry Connection' }).click();
        await expect.poll(retries).toBeGreaterThan(before);
        await line.mend();
        await panel.getByRole('button', { name: 'Retry Connection' }).click();
        await panel.getByRole('heading', { name: 'Connected' }).waitFor();
        await panel.waitFor({ state: 'detached' });
      } finally {
        await line.cut();
      }
    },
  );

  it('stores only the offline page in the browser, and no content of the site', async () => {
    const { page, complaints } = await browser.visit();
    await page.goto('/');
    await serviceWorkerRuns(page);
    await page.goto('/deals');
    await page.goto('/sign-in');
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return lists.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toEqual(['/offline']);
    expect(complaints).toEqual([]);
  });

  it('serves a self-contained offline page without JavaScript', async () => {
    const { page, complaints } = await browser.visit({ javaScriptEnabled: false });
    await page.goto('/offline');
    expect(await page.getByRole('link', { name: 'Try Again' }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });
});

async function serviceWorkerRuns(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) => {
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
    });
  });
}

/**
 * A connection to the site that tests can cut, because the browser's offline mode still reaches
 * local addresses.
 */
async function openLine() {
  const target = new URL(inject('origin'));
  let server: Server | null = null;
  const listen = async (port: number): Promise<number> => {
    server = createServer((incoming, answer) => {
      const { method, url: path, headers } = incoming;
      const passedOn = httpRequest(
        {
          host: target.hostname,
          port: target.port,
          path,
          method,
          headers: { ...headers, host: target.host },
        },
        (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(answer);
        },
      );
      passedOn.on('error', () => answer.destroy());
      incoming.pipe(passedOn);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  return {
    origin: `http://localhost:${port}`,
    async cut() {
      server?.closeAllConnections();
      server?.close();
      server = null;
    },
    mend: () => listen(port),
  };
}
