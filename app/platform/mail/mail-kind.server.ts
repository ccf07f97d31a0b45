import { createElement, type ComponentType } from 'react';
import type { Options } from '@react-email/render';
import type { Selectable } from 'kysely';
import { createContext } from 'react-router';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { cutText } from '#app/platform/cut-text.ts';

/** `payload` is the value that the verb that queued this kind stored. */
export type OutboxMail<Payload = unknown> = Selectable<Database['mail_outbox']> & {
  payload: Payload;
};

/** Facts about the site for every mail. */
export interface MailSite {
  name: string;
  /** `https://deals.example`, without a slash at the end. */
  origin: string;
  /** Empty until the owner sets it. */
  contactEmail: string;
  /** Hours within which messages are answered; null if nothing is promised. */
  replyHours: number | null;
  /** Empty until the owner sets it; no bulk mail leaves before. */
  postalAddress: string;
  currency: string;
  timeZone: string;
}

/** The props of a template: its own, and the site. */
export type InMail<Props = object> = Props & { site: MailSite };

/** For a mail that belongs to a conversation. */
export interface MailThread {
  /** The address for replies, if not the sender. */
  replyTo: string | null;
  /** The left halves of the Message-IDs of the previous mails, the oldest first. */
  references: readonly string[];
  /** A person wrote it, so email clients may send out-of-office replies. */
  isByPerson: boolean;
}

export interface WrittenMail {
  subject: string;
  html: string;
  text: string;
  /**
   * A path of ours that handles the POST of RFC 8058 and shows a page for a GET; null on mails
   * about the account.
   */
  unsubscribePath: string | null;
  thread?: MailThread;
}

/** A mail ready to be rendered, with its last facts, which are read just before it leaves. */
export interface PreparedMail<Props> {
  props: Props;
  unsubscribePath?: string;
  thread?: MailThread;
}

/**
 * `send`: it leaves now; only this may change what the mail is about. `print`: an operator of the
 * server reads it as it would leave. `look`: staff read it in a browser, where its links must not
 * act for the recipient.
 */
export type MailPurpose = 'send' | 'print' | 'look';

/**
 * One kind of mail, as the worker sees it. Null: its reason is gone, so it is cancelled instead of
 * sent.
 */
export interface MailKind {
  isAboutAccount: boolean;
  /** Asks the owner of an address to confirm a request made with it. */
  isConfirmation?: boolean | undefined;
  write(...about: AboutMail): Promise<WrittenMail | null>;
}

type AboutMail = [db: Db, mail: OutboxMail, site: MailSite, purpose: MailPurpose];

/** Pages that show mails may not import the table of contents, so every request carries it. */
export const mailKindsContext = createContext<Readonly<Record<string, MailKind>>>();

/** The exports of a `*-email.tsx`. */
export interface MailTemplate<Props extends object> {
  subject(props: Props, site: MailSite): string;
  default: ComponentType<InMail<Props>>;
}

// A title keeps its own letters, and brackets separate an address from a following full stop.
const asText = {
  plainText: true,
  htmlToTextOptions: {
    selectors: [
      { selector: 'h1', options: { uppercase: false } },
      { selector: 'a', options: { linkBrackets: ['<', '>'] } },
    ],
  },
} satisfies Options;

/**
 * Declares a kind. `load` imports the template when the first such mail is due. Without `prepare`,
 * the stored props are the template's. Links that act for the recipient are created in `prepare`,
 * so they never lie in the outbox and its backups. The same holds for `unsubscribePath`, which
 * every kind needs unless it is about the account.
 */
export function mailKind<Props extends object>(kind: {
  isAboutAccount: boolean;
  isConfirmation?: boolean;
  load(): Promise<MailTemplate<Props>>;
  prepare?(...about: AboutMail): Promise<PreparedMail<Props> | null>;
}): MailKind {
  return {
    isAboutAccount: kind.isAboutAccount,
    isConfirmation: kind.isConfirmation,
    async write(db, mail, site, purpose) {
      const prepared = kind.prepare
        ? await kind.prepare(db, mail, site, purpose)
        : { props: mail.payload as Props };
      if (prepared === null) return null;
      const { unsubscribePath = null, thread } = prepared;
      const content = await fillTemplate(await kind.load(), prepared.props, site);
      const written = { ...content, unsubscribePath, ...(thread && { thread }) };
      return purpose === 'look' ? hideActingLinks(written, site) : written;
    },
  };
}

/** Returns a mail's subject, HTML and text. */
export async function fillTemplate<Props extends object>(
  template: MailTemplate<Props>,
  props: Props,
  site: MailSite,
) {
  const { render } = await import('@react-email/render');
  const element = createElement(template.default, { ...props, site });
  const [html, text] = [await render(element), await render(element, asText)];
  return { subject: oneLine(template.subject(props, site)), html, text };
}

/** Replaces the query of our own links, which is where all of them carry their tokens. */
export const hiddenQuery = '?…';

function hideActingLinks(mail: WrittenMail, { origin }: MailSite): WrittenMail {
  const hide = (text: string) =>
    text.replace(/https?:\/\/[^\s"'<>]+/g, (address) =>
      address.startsWith(origin) ? withoutQuery(address) : address,
    );
  const { html, text, unsubscribePath } = mail;
  return {
    ...mail,
    html: hide(html),
    text: hide(text),
    unsubscribePath: unsubscribePath && withoutQuery(unsubscribePath),
  };
}

function withoutQuery(address: string): string {
  const at = address.search(/[?#]/);
  return at < 0 ? address : address.slice(0, at) + hiddenQuery;
}

/** Returns why a rendered mail must not leave, or null. Its links may lead to our own host only. */
export function findFault(kind: MailKind, mail: WrittenMail, site: MailSite): string | null {
  if (!kind.isAboutAccount && mail.unsubscribePath === null) return 'it has no way to unsubscribe';
  for (const [, address = ''] of mail.html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
    const isOwn = address === site.origin || address.startsWith(`${site.origin}/`);
    if (!isOwn && !address.startsWith('mailto:'))
      return `it links to ${withoutQuery(address).slice(0, 100)}`;
  }
  return null;
}

/** A title of a deal may contain anything; a subject is one line of at most 150 characters. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length <= 150 ? line : `${cutText(line, 149).trimEnd()}…`;
}
