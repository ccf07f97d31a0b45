import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

interface StoredMessage {
  source: string;
  flags: string[];
}

export interface ImapStandIn {
  /** `imap://user:password@127.0.0.1:PORT/INBOX` */
  url: string;
  messages: StoredMessage[];
  /** The received commands, without tags. */
  commands: string[];
  close(): Promise<void>;
}

/**
 * An IMAP server (RFC 3501) with only what a client needs to read one mailbox. UIDs are positions,
 * starting at 1.
 */
export async function startImapStandIn(sources: readonly string[]): Promise<ImapStandIn> {
  const messages = sources.map((source): StoredMessage => ({ source, flags: [] }));
  const commands: string[] = [];
  const sockets = new Set<Socket>();

  function answer(command: string): string {
    if (/^CAPABILITY/i.test(command)) return '* CAPABILITY IMAP4rev1\r\n';
    if (/^LIST /i.test(command)) return '* LIST () "/" "INBOX"\r\n';
    if (/^(?:SELECT|EXAMINE) /i.test(command)) {
      return `* FLAGS (\\Seen \\Flagged)\r\n* ${messages.length} EXISTS\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT ${messages.length + 1}]\r\n`;
    }
    if (/^UID SEARCH /i.test(command)) {
      const unseen = messages.flatMap(({ flags }, at) => (flags.includes('\\Seen') ? [] : at + 1));
      return `* SEARCH ${unseen.join(' ')}\r\n`;
    }
    const [, verb = '', set = '', rest = ''] =
      /^UID (FETCH|STORE) (\S+) (.*)$/i.exec(command) ?? [];
    const chosen = messages.flatMap((message, at) => (isIn(set, at + 1) ? [{ message, at }] : []));
    if (verb.toUpperCase() === 'STORE') {
      const [, flag = ''] = /\((\S+)\)/.exec(rest) ?? [];
      for (const { message } of chosen) message.flags.push(flag);
      return '';
    }
    const [, name = 'BODY[]'] = /(BODY(?:\.PEEK)?\[\])/.exec(rest) ?? [];
    return chosen
      .map(
        ({ message: { source }, at }) =>
          `* ${at + 1} FETCH (UID ${at + 1} INTERNALDATE "27-Nov-2026 04:00:00 +0000" ${name.replace('.PEEK', '')} {${Buffer.byteLength(source)}}\r\n${source})\r\n`,
      )
      .join('');
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('* OK ready\r\n');
    let waiting = '';
    socket.on('data', (data) => {
      const lines = (waiting + data.toString()).split('\r\n');
      waiting = lines.pop() ?? '';
      for (const line of lines) {
        const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
        commands.push(command);
        const isRefused = /^LOGIN /i.test(command) && !command.includes('right');
        const outcome = isRefused ? 'NO [AUTHENTICATIONFAILED] no' : 'OK done';
        socket.write(`${answer(command)}${tag} ${outcome}\r\n`);
        if (/^LOGOUT/i.test(command)) socket.end();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `imap://bounces:right@127.0.0.1:${port}/INBOX`,
    messages,
    commands,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function isIn(set: string, uid: number): boolean {
  return set.split(',').some((range) => {
    const [first = '', last = first] = range.split(':');
    return uid >= Number(first) && uid <= Number(last);
  });
}
