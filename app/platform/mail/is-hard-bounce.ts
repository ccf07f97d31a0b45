/**
 * Returns whether a status (RFC 3463) means that the inbox does not exist. A full inbox may be
 * emptied. Policy (5.7), size and content concern the email or its sender.
 */
export function isHardBounce(status: string): boolean {
  return /^5\.\d{1,3}\.\d{1,3}$/.test(status) && !/^5\.(?:[67]\.|2\.[23]$|3\.4$)/.test(status);
}

/**
 * Returns whether a server's reply, such as `550 5.1.1 no such user`, means that the inbox does not
 * exist. Without a status, the reply's code decides. Among the codes that refuse a recipient (RFC
 * 5321, 4.2.3), 530, 552 and 554 concern the sender, the space or the server.
 */
export function isHardReply(reply: string): boolean {
  const status = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1];
  return status === undefined ? /^55[013]\b/.test(reply) : isHardBounce(status);
}
