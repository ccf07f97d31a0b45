import { createElement, type ComponentType } from 'react';
import type { Options } from '@react-email/render';
import type { Selectable } from 'kysely';
import { createContext } from 'react-router';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { cutText } from '#app/platform/cut-text.ts';

/** `payload` is what the verb that queued this kind put there. */
export type OutboxMail<Payload = unknown> = Selectable<Database['mail_outbox']> & {
  payload: Payload;
};

/** What every mail may know of the site. */
export interface MailSite {
  name: string;
  /** `https://deals.example`, without a slash at the end. */
  origin: string;
  /** Empty until the owner tells it. */
  contactEmail: string;
  /** Within how many hours messages are answered; null where nothing is promised. */
  replyHours: number | null;
  /** Empty until the owner sets it; no bulk mail leaves before (P28). */
  postalAddress: string;
  currency: string;
  timeZone: string;
}

/** What a template is given: its own props, and the site. */
export type InMail<Props = object> = Props & { site: MailSite };

/** Of a mail that belongs to a conversation. */
export interface MailThread {
  /** Where an answer goes, if not to the sender. */
  replyTo: string | null;
  /** The left halves of the Message-IDs of the mails before it, the oldest first. */
  references: readonly string[];
  /** Somebody wrote it, so mailboxes may answer that their owner is away. */
  isByPerson: boolean;
}

export interface WrittenMail {
  subject: string;
  html: string;
  text: string;
  /** A path of ours that acts on the POST of RFC 8058 and shows a page for a GET; null on mails about the account. */
  unsubscribePath: string | null;
  thread?: MailThread;
}

/** A mail ready to be written: its last facts, looked up when it is about to leave. */
export interface PreparedMail<Props> {
  props: Props;
  unsubscribePath?: string;
  thread?: MailThread;
}

/**
 * `send`: it leaves now; only this may change what the mail is about. `print`: whoever has the machine reads it as it
 * would leave. `look`: staff read it in a browser, where nothing in it may act for its recipient (R60).
 */
export type MailPurpose = 'send' | 'print' | 'look';

/** One kind of mail, as the worker sees it. Null: its reason is gone, so it is cancelled instead of sent (R09). */
export interface MailKind {
  isAboutAccount: boolean;
  /** Asks whether the address wants what was entered for it. */
  isConfirmation?: boolean | undefined;
  write(...about: AboutMail): Promise<WrittenMail | null>;
}

type AboutMail = [db: Db, mail: OutboxMail, site: MailSite, purpose: MailPurpose];

/** Pages that show mails may not import the table of contents, so every request carries it. */
export const mailKindsContext = createContext<Readonly<Record<string, MailKind>>>();

/** What a `*-email.tsx` exports. */
export interface MailTemplate<Props extends object> {
  subject(props: Props, site: MailSite): string;
  default: ComponentType<InMail<Props>>;
}

// A title keeps its own letters, and brackets tell an address from the full stop behind it.
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
 * Declares a kind. `load` imports the template when the first such mail is due. Without `prepare` the stored props are
 * the template's. Links that act for the recipient are made in `prepare`, never kept in the outbox and its backups (R60);
 * so is the `unsubscribePath` that every kind needs which is not about the account.
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

/** A mail's subject, and the same as HTML and as text. */
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

/** What stands where a link of ours had its query, which is where all of them carry their tokens. */
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

/** Why a written mail must not leave, or null. Links of a mail lead to the own host only (R53). */
export function findFault(kind: MailKind, mail: WrittenMail, site: MailSite): string | null {
  if (!kind.isAboutAccount && mail.unsubscribePath === null) return 'it has no way to unsubscribe';
  for (const [, address = ''] of mail.html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
    const isOwn = address === site.origin || address.startsWith(`${site.origin}/`);
    if (!isOwn && !address.startsWith('mailto:'))
      return `it links to ${withoutQuery(address).slice(0, 100)}`;
  }
  return null;
}

/** A title of a deal may hold anything; a subject is one line of at most 150 characters. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length <= 150 ? line : `${cutText(line, 149).trimEnd()}…`;
}
