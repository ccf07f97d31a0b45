#!/usr/bin/env node
// Verifies one deal's prices against a site's signed days, without using any code of that site:
// node verify-evidence.mjs https://site.example 123 Needs Node 20 or later. The exit code is 1 if
// anything was changed.
const [site, deal] = process.argv.slice(2);
if (!site || !deal) {
  console.error('Usage: node verify-evidence.mjs https://site.example DEAL');
  process.exit(2);
}
const problems = [];
const utf8 = (text) => new TextEncoder().encode(text);
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (array) => Buffer.from(array).toString('hex');
const sha256 = async (...parts) =>
  new Uint8Array(
    await crypto.subtle.digest('SHA-256', Uint8Array.from(parts.flatMap((part) => [...part]))),
  );

async function get(path) {
  const response = await fetch(new URL(path, site));
  if (!response.ok) throw new Error(`${path} returned status ${response.status}.`);
  return response.json();
}

async function isSigned(text, signature, key) {
  try {
    const use = ['verify'];
    const imported = await crypto.subtle.importKey('raw', bytes(key), 'Ed25519', false, use);
    return await crypto.subtle.verify('Ed25519', imported, bytes(signature), utf8(text));
  } catch {
    return false;
  }
}

// Returns whether key changes, each signed with the old and the new key, connect one key with the
// other.
async function leadsTo(from, to, changes) {
  for (const { text, old_signature, new_signature } of changes) {
    const [, old, next] =
      /^Price log key change 1\nold ([0-9a-f]{64})\nnew ([0-9a-f]{64})\nchanged \S+\n$/.exec(
        text,
      ) ?? [];
    if (old !== from || !(await isSigned(text, old_signature, old))) continue;
    if (!(await isSigned(text, new_signature, next))) continue;
    const others = changes.filter((change) => change.text !== text);
    return next === to || leadsTo(next, to, others);
  }
  return false;
}

// 1. Each day must be signed and contain the hash of the day before.
const days = new Map();
const witnesses = new Map();
let newest = null;
let pages = 0;
for (let from = '2000-01-01', previous = '0'.repeat(64); from;) {
  const page = await get(`/api/v1/evidence?from=${from}`);
  for (const { day, text, signature, cosignatures = [] } of page.data) {
    const of = (name) => new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? '';
    if (!(await isSigned(text, signature, of('key'))))
      problems.push(`${day}: the signature is wrong.`);
    if (of('previous') !== previous) problems.push(`${day}: the chain is broken.`);
    if (of('day') !== day) problems.push(`${day}: the text names another day.`);
    if (newest && newest.key !== of('key')) {
      if (await leadsTo(newest.key, of('key'), page.key_changes ?? []))
        console.log(`${day}: signed with a new key.`);
      else problems.push(`${day}: signed with a new key, and the old key did not sign the change.`);
    }
    // A witness signs as in https://c2sp.org/tlog-cosignature.
    for (const { witness, time, key, signature: cosignature } of cosignatures) {
      if (await isSigned(`cosignature/v1\ntime ${time}\n${text}`, cosignature, key))
        witnesses.set(witness, `${witness} countersigned through ${day}. Its key: ${key}`);
      else problems.push(`${day}: ${witness} countersigned another version.`);
    }
    const [prices, price] = of('prices').split(' through ').map(Number);
    const [voids, last] = of('voids').split(' through ').map(Number);
    newest = { day, key: of('key'), root: of('root'), size: prices + voids, price, void: last };
    days.set(day, newest);
    previous = hex(await sha256(utf8(text)));
  }
  if (page.next_from && (page.next_from <= from || ++pages > 200))
    throw new Error('The pages of signed days do not end.');
  from = page.next_from;
}
for (const line of witnesses.values()) console.log(line);

// 2. Each entry must be a leaf of its day's Merkle tree (RFC 9162, section 2.1.3.2).
async function rootOf({ leaf, place, path }, size) {
  let node = await sha256([0], utf8(leaf));
  let [at, last] = [place, size - 1];
  for (const sibling of path.map(bytes)) {
    if (at % 2 === 1 || at === last) {
      node = await sha256([1], sibling, node);
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else node = await sha256([1], node, sibling);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && place < size ? hex(node) : '';
}

const evidence = await get(`/api/v1/deals/${deal}/evidence`);
const listed = new Map();
let waiting = 0;
for (const entry of evidence.entries) {
  const [kind, id, , of] = entry.leaf.split(' ');
  const name = `${kind} ${id}`;
  if (Number(of) !== evidence.deal_id) problems.push(`${name} belongs to another deal.`);
  if (entry.day === null && Number(id) > (newest?.[kind] ?? 0)) {
    waiting++;
    continue;
  }
  const day = days.get(entry.day);
  if (!day || entry.place === null || (await rootOf(entry, day.size)) !== day.root)
    problems.push(`${name} was changed or inserted after its day was sealed.`);
  const at = entry.leaf.split(' ')[5];
  const isDemo = entry.leaf.includes(' demo after ');
  const isLate = Date.parse(at) < Date.parse(entry.day) - 3 * 86_400_000;
  // The first day contains all prices logged until then.
  if (kind === 'price' && !isDemo && isLate && entry.day !== [...days.keys()][0])
    problems.push(`${name} is dated ${at}, but first appeared on ${entry.day}.`);
  if (kind === 'price') listed.set(id, entry.leaf.split(' after ')[1]);
}

// 3. Each price names the previous one, so that a missing price is noticed.
const ids = [...listed];
for (const [index, [id, before]] of ids.entries()) {
  const mayLack = !evidence.is_complete && index === ids.length - 1;
  const isKnown =
    listed.has(before) || evidence.entries.some(({ leaf }) => leaf.startsWith(`price ${before} `));
  if (before !== '0' && !isKnown && !mayLack)
    problems.push(`price ${before} was removed: price ${id} came after it.`);
}
const newestAt = evidence.newest_price_at;
if (
  newestAt &&
  !evidence.entries.some(({ leaf }) => leaf.split(' ')[5]?.slice(0, 23) === newestAt.slice(0, 23))
)
  problems.push(`The newest price, of ${newestAt}, was removed.`);

for (const problem of problems) console.log(problem);
console.log(
  `${days.size} signed days, ${evidence.entries.length - waiting} sealed entries of deal ${evidence.deal_id}, ${waiting} not sealed yet. ` +
    (problems.length > 0 ? 'The evidence is broken.' : 'Nothing was changed.'),
);
process.exit(problems.length > 0 ? 1 : 0);
