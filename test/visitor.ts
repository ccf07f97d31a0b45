import { numberWords } from '#app/platform/captcha/ask-question.server.ts';
import type { TestSite } from '#test/site.ts';
import { readPage } from '#test/stray-values.ts';

export interface Page {
  status: number;
  html: string;
  headers: Headers;
}

/** A visitor whose browser stores cookies and runs no scripts. */
export interface TestVisitor {
  cookies: Map<string, string>;
  open(path: string): Promise<Page>;
  /** Sends a form as the page would. */
  send(
    path: string,
    fields: Record<string, string> | [name: string, value: string][],
  ): Promise<Page>;
  /** Like `send`, but also answers the captcha question, if there is one. */
  sendAsHuman(path: string, fields: Record<string, string>): Promise<Page>;
}

export function testVisitor(site: TestSite, address = '192.0.2.1'): TestVisitor {
  const cookies = new Map<string, string>();
  async function ask(path: string, init: RequestInit): Promise<Page> {
    const headers = new Headers(init.headers);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookie) headers.set('cookie', cookie);
    const response = await site.request(path, { ...init, headers, address });
    for (const line of response.headers.getSetCookie()) keep(line);
    return { status: response.status, html: await readPage(response), headers: response.headers };
  }
  function keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0/.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
  const send: TestVisitor['send'] = (path, fields) =>
    ask(path, { method: 'POST', body: new URLSearchParams(fields) });
  return {
    cookies,
    open: (path) => ask(path, {}),
    send,
    async sendAsHuman(path, fields) {
      const first = await send(path, fields);
      const question = readQuestion(first.html);
      return question ? send(path, { ...fields, ...question }) : first;
    },
  };
}

/** Returns the form fields that answer a page's question, or null if there is none. */
export function readQuestion(html: string): Record<string, string> | null {
  const token = /name="captcha_question" value="([^"]+)"/.exec(html)?.[1];
  return token ? { captcha_question: token, captcha_answer: answerTo(html) } : null;
}

/** Returns the answer to the arithmetic question in a text. */
export function answerTo(text: string): string {
  const [, left = '', sign, right = ''] = /What is (\w+) (plus|minus) (\w+)\?/.exec(text) ?? [];
  const [a, b] = [numberWords.indexOf(left), numberWords.indexOf(right)];
  return String(sign === 'plus' ? a + b : a - b);
}
