import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ParsedJson } from '#test/parsed-json.ts';
import { parseJson } from '#app/platform/parse-json.ts';

/** A message as the channel's readers see it. */
interface ShownMessage {
  id: string;
  text: string;
  picture: string | null;
  edits: number;
  replyTo: string | null;
}

interface Fault {
  status: number;
  headers?: Record<string, string>;
  body?: object | string;
  /** Handles the request, then closes the connection instead of responding. */
  isCut?: true;
}

interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  json: Json;
  bytes: Buffer;
}

type Json = Record<string, ParsedJson>;
type Reply = [status: number, body: object | string];

const rightToken = (headers: IncomingHttpHeaders) =>
  headers.authorization === 'Bearer the-secret-token';
const refused: Reply = [401, { error: 'invalid token', message: 'invalid token' }];

/**
 * A local server that behaves as each service's documentation describes: sign-in, length limits,
 * edits and idempotency. `faults` are the next responses.
 */
async function startChannelStandIn() {
  const shown: ShownMessage[] = [];
  const asked: Asked[] = [];
  const faults: Fault[] = [];
  const known = new Map<string, ShownMessage>();
  let last = 0;

  const add = (text: string, picture: unknown, replyTo: string | null = null, key?: string) => {
    const before = key === undefined ? undefined : known.get(key);
    if (before) return before;
    const message = { id: `${++last}`, text, picture: name(picture), edits: 0, replyTo };
    shown.push(message);
    if (key !== undefined) known.set(key, message);
    return message;
  };
  const edit = (id: unknown, text: string, picture: unknown) => {
    const message = shown.find((one) => one.id === String(id));
    if (!message) return null;
    Object.assign(message, { text, picture: name(picture), edits: message.edits + 1 });
    return message;
  };

  function telegram({ path, json }: Asked): Reply {
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (token !== 'the-secret-token') return [401, { ok: false, description: 'Unauthorized' }];
    const bad = (description: string): Reply => [400, { ok: false, description }];
    if (json['chat_id'] !== '@deals' && json['chat_id'] !== '4711')
      return bad('Bad Request: chat not found');
    const text = json['text'] ?? json['caption'] ?? json['media']?.caption ?? '';
    const most = method === 'sendMessage' || method === 'editMessageText' ? 4_096 : 1_024;
    if (text === '' || [...text].length > most) return bad('Bad Request: message is too long');
    if (method === 'sendPhoto' || method === 'sendMessage') {
      return [200, { ok: true, result: { message_id: Number(add(text, json['photo']).id) } }];
    }
    const now = shown.find(({ id }) => id === String(json['message_id']));
    const media = json['media']?.media ?? now?.picture ?? null;
    if (now?.text === text && now?.picture === name(media)) {
      return bad('Bad Request: message is not modified');
    }
    return edit(json['message_id'], text, media)
      ? [200, { ok: true }]
      : bad('Bad Request: message to edit not found');
  }

  function discord({ method, path, json }: Asked): Reply {
    if (!path.startsWith('/discord/the-secret-token')) return [404, { message: 'Unknown Webhook' }];
    if (json['content'].length > 2_000)
      return [400, { message: 'Must be 2000 or fewer in length' }];
    if (json['allowed_mentions']?.parse?.length !== 0) return [400, { message: 'mentions are on' }];
    const picture = json['embeds'][0]?.image.url;
    const id = /\/messages\/(\d+)/.exec(path)?.[1];
    if (method === 'PATCH') {
      return edit(id, json['content'], picture) ? [200, {}] : [404, { message: 'Unknown Message' }];
    }
    return path.endsWith('?wait=true')
      ? [200, { id: add(json['content'], picture).id }]
      : [204, {}];
  }

  function slack({ path, json, headers }: Asked): Reply {
    if (!rightToken(headers)) return [200, { ok: false, error: 'invalid_auth' }];
    const [section, image] = json['blocks'];
    if (section.text.text.length > 3_000) return [200, { ok: false, error: 'invalid_blocks' }];
    if (path.endsWith('chat.postMessage')) {
      const { id } = add(json['text'], image?.image_url);
      return [200, { ok: true, channel: 'C012', ts: id }];
    }
    return json['channel'] === 'C012' && edit(json['ts'], json['text'], image?.image_url)
      ? [200, { ok: true }]
      : [200, { ok: false, error: 'message_not_found' }];
  }

  function slackWebhook({ path, json }: Asked): Reply {
    if (path !== '/slack/the-secret-token') return [404, 'no_service'];
    const [section, image] = json['blocks'];
    if (section.text.text.length > 3_000) return [400, 'invalid_blocks'];
    add(json['text'], image?.image_url);
    return [200, 'ok'];
  }

  function matrix({ method, path, json, headers, bytes }: Asked): Reply {
    if (!rightToken(headers)) return refused;
    if (path.startsWith('/_matrix/media/')) {
      return [200, { content_uri: `mxc://test/${bytes.length}` }];
    }
    const [, room, txn] = /rooms\/([^/]+)\/send\/m\.room\.message\/([^/]+)$/.exec(path) ?? [];
    if (method !== 'PUT' || room !== '!room%3Atest') return [403, { error: 'not in the room' }];
    const change = json['m.new_content'];
    if (!change) return [200, { event_id: add(json['body'], json['url'], null, txn).id }];
    if (known.has(txn ?? '')) return [200, { event_id: 'repeated' }];
    const message = edit(json['m.relates_to'].event_id, change.body, change.url);
    if (message) known.set(txn ?? '', message);
    return message ? [200, { event_id: 'edit' }] : [404, { error: 'unknown event' }];
  }

  function mastodon({ method, path, json, headers, bytes }: Asked): Reply {
    if (!rightToken(headers)) return refused;
    if (path === '/api/v2/media') {
      const isWhole =
        bytes.includes('name="description"') && bytes.includes('\xFF\xD8', 0, 'latin1');
      return isWhole
        ? [200, { id: '77', url: 'https://files.test/77' }]
        : [422, { error: 'empty' }];
    }
    if ([...json['status']].length > 500) return [422, { error: 'Text limit of 500 exceeded' }];
    const picture = json['media_ids']?.[0];
    if (method === 'PUT') {
      const isFound = edit(path.split('/').at(-1), json['status'], picture);
      return isFound ? [200, {}] : [404, { error: 'Record not found' }];
    }
    const key = headers['idempotency-key'];
    return [200, { id: add(json['status'], picture, null, String(key)).id }];
  }

  function bluesky({ path, json, headers, bytes }: Asked): Reply {
    if (path.endsWith('createSession')) {
      const isRight =
        json['identifier'] === 'deals.test' && json['password'] === 'the-secret-token';
      return isRight ? [200, { did: 'did:plc:a', accessJwt: 'the-secret-token' }] : refused;
    }
    if (!rightToken(headers)) return refused;
    if (path.endsWith('uploadBlob')) return [200, { blob: { size: bytes.length } }];
    const { text, facets, embed, reply } = json['record'];
    const bad = (message: string): Reply => [400, { error: 'InvalidRequest', message }];
    if (!/^[2-7a-z]{13}$/.test(json['rkey'])) return bad('bad key');
    if ([...text].length > 300) return bad('text is too long');
    const linked = facets.map(
      ({ index, features }: Json) =>
        Buffer.from(text).subarray(index['byteStart'], index['byteEnd']).toString() ===
        features[0].uri,
    );
    if (linked.includes(false)) return bad('a facet is elsewhere');
    const { id } = add(text, embed.external.thumb?.size, reply?.parent.uri ?? null, json['rkey']);
    return [200, { uri: id, cid: `cid${id}` }];
  }

  function simple({ path, json, headers }: Asked): Reply {
    if (/^\/ntfy\/?$/.test(path)) {
      if (!rightToken(headers)) return [403, { error: 'forbidden' }];
      if (Buffer.byteLength(json['message']) > 4_096) return [413, { error: 'too large' }];
      return [200, { id: add(json['message'], json['attach']).id }];
    }
    if (path === '/gotify/message') {
      if (headers['x-gotify-key'] !== 'the-secret-token') return [401, { errorDescription: 'no' }];
      const extras = json['extras'];
      return [
        200,
        { id: Number(add(json['message'], extras['client::notification'].bigImageUrl).id) },
      ];
    }
    if (path === '/1/messages.json') {
      const isRight = json['token'] === 'the-secret-token' && json['user'] === 'a-user';
      if (!isRight) return [400, { status: 0, errors: ['application token is invalid'] }];
      if (json['message'].length > 1_024) return [400, { status: 0, errors: ['too long'] }];
      const bytes = Buffer.from(json['attachment_base64'] ?? '', 'base64').length;
      return [200, { status: 1, request: add(json['message'], bytes || null).id }];
    }
    if (path === '/notify/the-secret-token') {
      return json['body'] ? [200, { id: add(json['body'], null).id }] : [400, { error: 'no body' }];
    }
    if (!rightToken(headers)) return refused;
    const before = known.get(json['id']);
    if (json['is_update']) edit(before?.id, json['text'], json['picture']);
    else add(json['text'], json['picture'], null, json['id']);
    return [204, {}];
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const { method = '', url: path = '', headers } = request;
    const json = (parseJson(bytes.toString()) ?? {}) as Json;
    const one = { method, path, headers, json, bytes };
    asked.push(one);
    const fault = faults.shift();
    if (fault && !fault.isCut) return respond(response, fault.status, fault.body, fault.headers);
    const [status, body] = serviceOf(path)(one);
    if (fault) return request.socket.destroy();
    respond(response, status, body);
  }).listen(0, '127.0.0.1');
  const serviceOf = (path: string) => {
    if (path.startsWith('/bot')) return telegram;
    if (path.startsWith('/discord')) return discord;
    if (path.startsWith('/api/chat.')) return slack;
    if (path.startsWith('/slack/')) return slackWebhook;
    if (path.startsWith('/_matrix')) return matrix;
    if (path.startsWith('/api/v')) return mastodon;
    return path.startsWith('/xrpc') ? bluesky : simple;
  };
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    shown,
    asked,
    faults,
    settings: settingsAt(origin),
    clear() {
      for (const list of [shown, asked, faults]) list.length = 0;
      known.clear();
      last = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Runs such a server for the tests in a file, and clears its messages before each test. */
export function useChannelStandIn() {
  let standIn: Awaited<ReturnType<typeof startChannelStandIn>>;
  beforeAll(async () => {
    standIn = await startChannelStandIn();
  });
  beforeEach(() => standIn.clear());
  afterAll(() => standIn.stop());
  return () => standIn;
}

function respond(
  response: ServerResponse,
  status: number,
  body: object | string = {},
  headers = {},
) {
  if (typeof body === 'string') {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}

const name = (picture: unknown) =>
  typeof picture === 'string' || typeof picture === 'number' ? String(picture) : null;

function settingsAt(server: string) {
  const token = 'the-secret-token';
  return {
    telegram: { server, token, chat: '@deals' },
    discord: { url: `${server}/discord/${token}` },
    slack: { server, token, channel: 'C012' },
    slack_webhook: { url: `${server}/slack/${token}` },
    matrix: { server, token, room: '!room:test' },
    mastodon: { server, token },
    bluesky: { server, handle: 'deals.test', password: token },
    ntfy: { server: `${server}/ntfy/`, topic: 'deals', token },
    gotify: { server: `${server}/gotify`, token },
    pushover: { server, token, user: 'a-user' },
    apprise: { url: `${server}/notify/${token}`, tag: '' },
    webhook: { url: `${server}/hook`, token },
  } as const;
}
