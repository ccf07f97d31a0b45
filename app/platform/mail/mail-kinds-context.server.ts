import { createContext, type RouterContextProvider } from 'react-router';
import type { MailKind } from './mail-kind.server.ts';

type MailKinds = Readonly<Record<string, MailKind>>;

const kindsContext = createContext<MailKinds>();

/** Pages that show mails may not import the table of contents, so every request carries it. */
export function provideMailKinds(context: RouterContextProvider, kinds: MailKinds): void {
  context.set(kindsContext, kinds);
}

export function mailKindsOf(context: Readonly<Pick<RouterContextProvider, 'get'>>): MailKinds {
  return context.get(kindsContext);
}
