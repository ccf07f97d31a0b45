import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import ssh from 'ssh2';
import type { AuthContext, SFTPWrapper } from 'ssh2';

const { Server: SshServer, utils } = ssh;

interface ServedFiles {
  user: string;
  password: string;
  /** The files by path. */
  files: Map<string, Buffer>;
  /** The public key of a client that needs no password, in the format of `authorized_keys`. */
  clientKey?: string;
}

export interface FileServerStandIn {
  port: number;
  close(): Promise<void>;
}

/**
 * Returns a key pair in OpenSSH's format. Avoids Ed25519, because the library writes one in 250 of
 * those keys malformed.
 */
export const makeKeys = () => utils.generateKeyPairSync('ecdsa', { bits: 256 });

/** Creates a certificate for `localhost` that no authority has signed. */
export async function makeCertificate(folder: string) {
  const [keyFile, certFile] = ['key.pem', 'cert.pem'].map((name) => path.join(folder, name));
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', keyFile ?? '', '-out', certFile ?? ''];
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...names, ...files]);
  return {
    key: await readFile(keyFile ?? '', 'utf8'),
    cert: await readFile(certFile ?? '', 'utf8'),
  };
}

const changedAt = 1_700_000_000;

/** An SFTP server that uses the server part of the site's client library. */
export async function startSftp(served: ServedFiles, hostKey: string): Promise<FileServerStandIn> {
  const server = new SshServer({ hostKeys: [hostKey] }, (client) => {
    client.on('error', () => {});
    client.on('authentication', (context) => answer(context, served));
    client.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => serveFiles(acceptSftp(), served.files));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function answer(context: AuthContext, { user, password, clientKey }: ServedFiles): void {
  if (context.username !== user) return context.reject();
  if (context.method === 'password' && context.password === password) return context.accept();
  if (context.method === 'publickey' && clientKey !== undefined) {
    const known = utils.parseKey(clientKey);
    if (!(known instanceof Error) && context.key.data.equals(known.getPublicSSH())) {
      const { signature, blob } = context;
      if (!signature || !blob || known.verify(blob, signature)) return context.accept();
    }
  }
  context.reject(['password', 'publickey']);
}

function serveFiles(sftp: SFTPWrapper, files: Map<string, Buffer>): void {
  const { STATUS_CODE } = utils.sftp;
  const opened: Buffer[] = [];
  const stat = (id: number, name: string) => {
    const file = files.get(name);
    if (!file) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    const owner = { mode: 0o100644, uid: 0, gid: 0 };
    sftp.attrs(id, { ...owner, size: file.length, atime: changedAt, mtime: changedAt });
  };
  sftp.on('STAT', stat);
  sftp.on('LSTAT', stat);
  sftp.on('OPEN', (id, name) => {
    const file = files.get(name);
    if (!file) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(opened.push(file) - 1, 0);
    sftp.handle(id, handle);
  });
  sftp.on('FSTAT', (id, handle) => {
    const size = opened[handle.readUInt32BE(0)]?.length ?? 0;
    const times = { atime: changedAt, mtime: changedAt };
    sftp.attrs(id, { mode: 0o100644, uid: 0, gid: 0, size, ...times });
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const part = opened[handle.readUInt32BE(0)]?.subarray(offset, offset + length);
    if (!part || part.length === 0) return sftp.status(id, STATUS_CODE.EOF);
    sftp.data(id, part);
  });
  sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
}

/**
 * An FTP server with the commands needed for downloads. With a certificate, uses explicit FTPS and
 * accepts no user or file before both connections are encrypted.
 */
export async function startFtp(
  { user, password, files }: ServedFiles,
  certificate?: { cert: string; key: string },
): Promise<FileServerStandIn> {
  const sockets = new Set<Socket>();
  const server = createServer((plainSocket) => {
    let socket: Socket = plainSocket;
    let isPrivate = false;
    sockets.add(socket);
    socket.on('error', () => {});
    const say = (line: string) => socket.write(`${line}\r\n`);
    const encrypt = (from: Socket) => {
      const over = new TLSSocket(from, { isServer: true, ...certificate });
      over.on('error', () => {});
      return over;
    };
    let connected: Promise<Socket> | null = null;
    let name = '';
    let isIn = false;
    const answers: Record<string, (word: string) => unknown> = {
      AUTH: () => {
        if (!certificate) return say('502 unknown');
        say('234 encrypt');
        socket.off('data', hear);
        socket = encrypt(socket);
        socket.on('data', hear);
      },
      PBSZ: () => say('200 ok'),
      PROT: (word) => {
        isPrivate = word === 'P' && socket instanceof TLSSocket;
        say(isPrivate ? '200 ok' : '536 not encrypted');
      },
      USER: (word) => {
        if (certificate && !(socket instanceof TLSSocket)) return say('530 encrypt first');
        name = word;
        say('331 password');
      },
      PASS: (word) => {
        isIn = name === user && word === password;
        say(isIn ? '230 in' : '530 Login incorrect.');
      },
      TYPE: () => say('200 ok'),
      SIZE: (word) => say(files.has(word) ? `213 ${files.get(word)?.length}` : '550 no file'),
      MDTM: (word) => say(files.has(word) ? '213 20260101120000' : '550 no file'),
      EPSV: () => {
        const passive = createServer();
        connected = new Promise((resolve) => passive.once('connection', resolve));
        void connected.then(() => passive.close());
        passive.listen(0, '127.0.0.1', () => {
          say(`229 ok (|||${(passive.address() as AddressInfo).port}|)`);
        });
      },
      RETR: (word) => {
        const file = files.get(word);
        if (!file || !isIn) return say('550 no file');
        if (certificate && !isPrivate) return say('521 encrypt first');
        say('150 sending');
        void connected?.then((plain) => {
          const to = isPrivate ? encrypt(plain) : plain;
          to.on('error', () => {});
          return to.end(file, () => say('226 sent'));
        });
      },
      QUIT: () => socket.end(),
    };
    say('220 ready');
    const hear = (bytes: Buffer) => {
      for (const line of bytes.toString().split('\r\n').filter(Boolean)) {
        const [verb = '', ...words] = line.split(' ');
        const act = answers[verb];
        if (act) act(words.join(' '));
        else say('502 unknown');
      }
    };
    socket.on('data', hear);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
