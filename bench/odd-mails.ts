const bytes = 256 * 1024; // the maximum size of a message (read-bounce-mailbox-job.server.ts)
const header = 30_000;

const fill = (text: string, length = bytes) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const report = 'Content-Type: multipart/report; boundary=b\r\n\r\n';
const statusPart = '--b\r\nContent-Type: message/delivery-status\r\n\r\n';
const parts = (text: string) => report + fill(text);
const status = (text: string) => `${report}${statusPart}${fill(text)}\r\n--b--`;
const nested = Array.from({ length: 7 }, (_, n) => {
  return `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`;
}).join('');
const text = (head: string, body: string) => `${head}\r\n\r\n${fill(body)}`;

/** Messages that a stranger may send to the bounce mailbox to waste the reader's time. */
export const oddMails: Readonly<Record<string, string>> = {
  'many parts': parts('--b\r\n\r\nx\r\n'),
  'empty parts': parts('--b\r\n'),
  'many reports': parts(`${statusPart}x\r\n`),
  'parts in parts': nested + fill('--b6\r\n\r\nx\r\n'),
  'mails in mails': fill('Content-Type: message/rfc822\r\n\r\n'),
  'many headers': fill('A: b\r\n', header),
  'many addresses': `To: ${fill('a,', header)}`,
  'groups of addresses': `To: ${fill('a:b;', header)}`,
  'encoded words': `Subject: ${fill('=?utf-8?b?YQ==?= ', header)}`,
  'many parameters': `Content-Type: text/plain; ${fill('a*0=b; ', header)}`,
  'short lines': text('', 'a\n'),
  'flowed lines': text('Content-Type: text/plain; format=flowed; delsp=yes', '> \r\n'),
  tags: text('Content-Type: text/html', '&amp;<br><'),
  'base64 of one byte': text('Content-Transfer-Encoding: base64', 'YQ=\r\n'),
  'escapes of a byte': text('Content-Transfer-Encoding: quoted-printable', '=41=\r\n'),
  'empty lines of a report': status('\r\n'),
  'fields of a report': status('a:b\r\n\r\n'),
  'forged tokens': text('', `+1-${'0'.repeat(20)}@x `),
};
