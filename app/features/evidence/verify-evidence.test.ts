import { expect, test } from 'vitest';
import { buildTree, hashBytes, hashLeaf, rootOf } from './merkle-tree.server.ts';
import { rootFromProof } from './verify-evidence.ts';

// The leaves and roots of the reference implementation of RFC 6962, whose hashing RFC 9162 retains.
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const treeOf = (hashes: Buffer[]) => buildTree(Buffer.concat(hashes));

test('builds the trees of the reference implementation', async () => {
  for (const [size, root] of roots.entries()) {
    const hashes = leaves.slice(0, size).map((hex) => hashLeaf(Buffer.from(hex, 'hex')));
    expect(rootOf(await treeOf(hashes)).toString('hex')).toBe(root);
  }
});

/** Returns the inclusion proof as section 2.1.3.1 of the RFC defines it. */
async function pathOf(place: number, hashes: Buffer[]): Promise<string[]> {
  if (hashes.length < 2) return [];
  let half = 1;
  while (2 * half < hashes.length) half *= 2;
  const [left, right] = [hashes.slice(0, half), hashes.slice(half)];
  const [own, other, at] = place < half ? [left, right, place] : [right, left, place - half];
  return [...(await pathOf(at, own)), rootOf(await treeOf(other)).toString('hex')];
}

test('verifies every proof in trees of up to 33 leaves, but not for another leaf', async () => {
  for (let size = 1; size <= 33; size++) {
    const texts = Array.from({ length: size }, (_, index) => `leaf ${index}`);
    const hashes = texts.map((text) => hashLeaf(text));
    const tree = await treeOf(hashes);
    expect(tree.length % hashBytes).toBe(0);
    const root = rootOf(tree).toString('hex');
    for (const [place, text] of texts.entries()) {
      const path = await pathOf(place, hashes);
      expect(await rootFromProof(text, place, size, path)).toBe(root);
      expect(await rootFromProof(`${text}0`, place, size, path)).not.toBe(root);
      expect(await rootFromProof(text, place + 1, size, path)).not.toBe(root);
    }
  }
});
