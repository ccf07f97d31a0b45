import { createElement, type ComponentType } from 'react';
import type { Options } from '@react-email/render';
import type { Selectable } from 'kysely';
import { createContext } from 'react-router';
import type { Db } from '#database/connect.ts';
import type { Database } from '#database/schema.ts';
import { cutText } from '#app/platform/cut-text.ts';

/** A queued email. `payload` is the value that was stored when this kind was queued. */
export type OutboxMail<Payload = unknown> = Selectable<Database['mail_outbox']> & {
  payload: Payload;
};

/** The colors of links and buttons, as `#rrggbb`. */
export interface MailColors {
  link: string;
  button: string;
  onButton: string;
}

/** Facts about the site for every email. */
export interface MailSite {
  name: string;
  /** The origin such as `https://deals.example`, without a slash at the end. */
  origin: string;
  /**
   * The path of the owner's logo as a PNG. Absent without one: the mark and the name are shown
   * instead.
   */
  logoPath?: string | null;
  /** The owner's colors. Absent without an accent. */
  colors?: { light: MailColors; dark: MailColors } | null;
  /** The contact address, empty until the owner sets it. */
  contactEmail: string;
  /** Hours within which messages are answered. Null if nothing is promised. */
  replyHours: number | null;
  /** The postal address, empty until the owner sets it. No bulk email is sent until then. */
  postalAddress: string;
  currency: string;
  timeZone: string;
}

/** The props of a template: its own props, and the site's facts. */
export type InMail<Props = object> = Props & { site: MailSite };

/** The thread of an email that belongs to a conversation. */
export interface MailThread {
  /** The address for replies, if not the sender. */
  replyTo: string | null;
  /** The left halves of the previous emails' Message-IDs, the oldest first. */
  references: readonly string[];
  /** Whether a person wrote the email, so that email clients may send out-of-office replies. */
  isByPerson: boolean;
}

export interface WrittenMail {
  subject: string;
  html: string;
  text: string;
  /**
   * A path on this site that handles the POST of RFC 8058 and shows a page for a GET. Null for
   * emails about the account.
   */
  unsubscribePath: string | null;
  /** The number of a newsletter list (RFC 2919). */
  listId?: number;
  thread?: MailThread;
}

/** An email that is ready to be rendered, with facts read just before sending. */
export interface PreparedMail<Props> {
  props: Props;
  unsubscribePath?: string;
  listId?: number;
  thread?: MailThread;
}

/**
 * The purpose of rendering. `send`: the email is sent now, and only this may change the data it is
 * about. `print`: an operator of the server reads the email as it would be sent. `look`: staff read
 * it in a browser, where its links must not act for the recipient.
 */
export type MailPurpose = 'send' | 'print' | 'look';

/**
 * One kind of email, as used by the worker. A result of null means that the reason for the email is
 * gone, so it is cancelled instead of sent.
 */
export interface MailKind {
  isAboutAccount: boolean;
  /** Whether the email asks the owner of an address to confirm a request made with it. */
  isConfirmation?: boolean | undefined;
  write(...about: AboutMail): Promise<WrittenMail | null>;
  /** Returns the subject without rendering the email, or null if the reason is gone. */
  readSubject?(...about: AboutMail): Promise<string | null>;
}

type AboutMail = [db: Db, mail: OutboxMail, site: MailSite, purpose: MailPurpose];

/**
 * The kinds of emails. Every request carries them, since pages that show emails may not import
 * `mails.server.ts`.
 */
export const mailKindsContext = createContext<Readonly<Record<string, MailKind>>>();

/** The exports of a `*-email.tsx`. */
export interface MailTemplate<Props extends object> {
  subject(props: Props, site: MailSite): string;
  default: ComponentType<InMail<Props>>;
}

// Titles are not uppercased, and brackets separate a URL from the period after it.
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
 * Declares a kind. `load` imports the template when the first such email is due. Without `prepare`,
 * the template gets the stored props. Links that act for the recipient are created in `prepare`.
 * The outbox and its backups therefore never contain these links. The same is true of
 * `unsubscribePath`, which every kind needs unless it is about the account.
 */
export function mailKind<Props extends object>(kind: {
  isAboutAccount: boolean;
  isConfirmation?: boolean;
  load(): Promise<MailTemplate<Props>>;
  prepare?(...about: AboutMail): Promise<PreparedMail<Props> | null>;
}): MailKind {
  const prepare = async (...about: AboutMail): Promise<PreparedMail<Props> | null> =>
    kind.prepare ? kind.prepare(...about) : { props: about[1].payload as Props };
  return {
    isAboutAccount: kind.isAboutAccount,
    isConfirmation: kind.isConfirmation,
    async readSubject(...about) {
      const prepared = await prepare(...about);
      const [, , site] = about;
      return prepared && oneLine((await kind.load()).subject(prepared.props, site));
    },
    async write(db, mail, site, purpose) {
      const prepared = await prepare(db, mail, site, purpose);
      if (prepared === null) return null;
      const { unsubscribePath = null, listId, thread } = prepared;
      const content = await fillTemplate(await kind.load(), prepared.props, site);
      const written = {
        ...content,
        unsubscribePath,
        ...(listId !== undefined && { listId }),
        ...(thread && { thread }),
      };
      return purpose === 'look' ? hideActingLinks(written, site) : written;
    },
  };
}

/** Returns an email's subject, HTML and text. */
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

/** The replacement for the query of internal links, which contains their tokens. */
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

/**
 * Returns the reason why a rendered email must not be sent, or null. Its links may only point to
 * this site's host.
 */
export function findFault(kind: MailKind, mail: WrittenMail, site: MailSite): string | null {
  if (!kind.isAboutAccount && mail.unsubscribePath === null) return 'it has no way to unsubscribe';
  for (const [, address = ''] of mail.html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
    const isOwn = address === site.origin || address.startsWith(`${site.origin}/`);
    if (!isOwn && !address.startsWith('mailto:'))
      return `it links to ${withoutQuery(address).slice(0, 100)}`;
  }
  return null;
}

/** Returns a subject: one line of at most 150 characters, whatever the deal's title contains. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length <= 150 ? line : `${cutText(line, 149).trimEnd()}…`;
}
