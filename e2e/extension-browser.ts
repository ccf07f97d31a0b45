import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request as sendOn, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, vi } from 'vitest';
import { unpackZip } from '#test/unpack-zip.ts';
import { currentShop } from './current-shop.ts';
import { runCommand } from './run-command.ts';

/**
 * Google's servers. Chromium contacts them at any time for accounts, updates and models, with or
 * without an extension.
 */
const ofChromium = /(?:^|\.)(?:google|googleapis|gstatic|gvt1)\.com(?::\d+)?$/;

/** Sends a store page. `address` is the requested URL. */
export type Store = (address: URL, response: ServerResponse) => void;

/** The protocol’s extension commands, which Playwright’s types do not include. */
type Send = (method: string, parameters?: object) => Promise<never>;

export interface ExtensionBrowser {
  open(address: string): Promise<Page>;
  /** Clicks the extension's icon on this page, and returns its popup. */
  press(page: Page): Promise<Popup>;
  context(): BrowserContext;
  /** Every URL that the browser requested. */
  requests: string[];
}

/**
 * Runs a full Chromium with the extension as packed by `deals extension build`. A proxy records all
 * requests, forwards those to the site, and answers all others as a store.
 */
export function useExtension(store: Store): ExtensionBrowser {
  const requests: string[] = [];
  let folder: string;
  let context: BrowserContext;
  let session: CDPSession;
  const send: Send = (method, parameters) =>
    (session as unknown as { send: Send }).send(method, parameters);
  const proxy = createServer((request, response) => {
    const address = new URL(request.url ?? '');
    if (!ofChromium.test(address.host)) requests.push(address.href);
    const { origin } = currentShop();
    if (address.origin !== origin) return store(address, response);
    const { method, headers } = request;
    request.pipe(
      sendOn(address, { method, headers, agent: false }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  proxy.on('connect', ({ url }, socket) => {
    if (!ofChromium.test(url ?? '')) requests.push(`https://${url}`);
    socket.destroy();
  });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'deal-hub-extension-'));
    await runCommand('extension', 'build', '--origin', currentShop().origin, '--out', folder);
    const unpacked = path.join(folder, 'chrome');
    await mkdir(unpacked);
    for (const [name, content] of await unpackZip(await readFile(`${unpacked}.zip`))) {
      await writeFile(path.join(unpacked, name), content);
    }
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const { port } = proxy.address() as AddressInfo;
    const args = [`--disable-extensions-except=${unpacked}`, `--load-extension=${unpacked}`];
    args.push('--headless=new', '--disable-gpu', '--enable-unsafe-extension-debugging');
    if (process.getuid?.() === 0) args.push('--no-sandbox');
    context = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
      executablePath: process.env.WHOLE_CHROMIUM_PATH ?? '/usr/bin/chromium',
      args,
      ignoreDefaultArgs: ['--disable-extensions'],
      proxy: { server: `http://127.0.0.1:${port}` },
    });
    session = await context.browser()!.newBrowserCDPSession();
  });
  afterAll(async () => {
    await context.close();
    proxy.closeAllConnections();
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  });

  const targets = async (filter: object[]): Promise<{ targetId: string; url: string }[]> => {
    const { targetInfos } = await send('Target.getTargets', { filter });
    return targetInfos;
  };
  const findPopup = async () =>
    (await targets([{ type: 'page' }])).find(({ url }) => url.endsWith('/popup.html'));
  return {
    requests,
    context: () => context,
    async open(address) {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    },
    async press(page) {
      const old = await findPopup();
      if (old) await send('Target.closeTarget', { targetId: old.targetId });
      await vi.waitUntil(async () => !(await findPopup()), { timeout: 30_000 });
      await page.bringToFront();
      const tab = (await targets([{ type: 'tab' }])).find(({ url }) => url === page.url());
      const { extensions } = (await send('Extensions.getExtensions')) as {
        extensions: { id: string }[];
      };
      const [extension] = extensions;
      await send('Extensions.triggerAction', { id: extension?.id, targetId: tab?.targetId });
      const { targetId } = await vi.waitUntil(findPopup, { timeout: 30_000 });
      const { sessionId } = (await send('Target.attachToTarget', { targetId })) as {
        sessionId: string;
      };
      return new Popup(session, send, { targetId, sessionId });
    },
  };
}

/**
 * An open popup. Playwright exposes only tabs as pages, so tests control the popup through the
 * browser's protocol.
 */
export class Popup {
  readonly #session: CDPSession;
  readonly #send: Send;
  readonly #target: { targetId: string; sessionId: string };
  #last = 0;

  constructor(session: CDPSession, send: Send, target: { targetId: string; sessionId: string }) {
    this.#session = session;
    this.#send = send;
    this.#target = target;
  }

  /**
   * Sends a protocol command to the popup, and returns its result, or nothing if the popup closes.
   */
  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    const { sessionId } = this.#target;
    const answer = new Promise<Record<string, unknown>>((resolve) => {
      const take = (event: { sessionId: string; message: string }) => {
        const told = JSON.parse(event.message);
        if (event.sessionId !== sessionId || told.id !== id) return;
        this.#session.off('Target.receivedMessageFromTarget', take);
        resolve(told.result ?? told);
      };
      this.#session.on('Target.receivedMessageFromTarget', take);
      this.#session.on('Target.detachedFromTarget', (event) => {
        if (event.sessionId === sessionId) resolve({ result: {} });
      });
    });
    await this.#send('Target.sendMessageToTarget', {
      sessionId,
      message: JSON.stringify({ id, method, params }),
    });
    return await answer;
  }

  /** Evaluates an expression in the popup as a user gesture. */
  async evaluate(expression: string): Promise<unknown> {
    const asked = { expression, returnByValue: true, awaitPromise: true, userGesture: true };
    const { result } = await this.send('Runtime.evaluate', asked);
    return (result as { value?: unknown }).value;
  }

  text(): Promise<string> {
    return this.evaluate('document.body?.innerText ?? ""') as Promise<string>;
  }

  /** Waits for a text, and returns the popup's whole text. */
  async waitFor(text: string): Promise<string> {
    let shown = '';
    const isShown = async () => {
      shown = await this.text();
      if (!shown.includes(text)) throw new Error(`The popup lacks “${text}”: ${shown}`);
    };
    await vi.waitFor(isShown, { timeout: 30_000 });
    return shown;
  }

  async press(label: string): Promise<void> {
    await this.evaluate(
      `[...document.querySelectorAll('.actions > *')].find((one) => one.textContent === ${JSON.stringify(label)}).click()`,
    );
  }

  async close(): Promise<void> {
    await this.#send('Target.closeTarget', { targetId: this.#target.targetId });
  }
}
