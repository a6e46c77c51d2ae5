import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { areEqual, fromHex, toHex, utf8 } from './bytes.ts';
import {
  consistencyRanges,
  Edge,
  hashOfRange,
  inclusionRanges,
  isConsistent,
  leafHash,
  type Node,
  nodeHash,
  nodesOf,
  type Range,
  rootOfInclusion,
} from './tree.ts';

const sha256 = (input: Uint8Array | string) => hash('sha256', input, 'buffer');
const leaves = Array.from({ length: 300 }, (_, at) => leafHash(sha256, utf8(`entry ${at}`)));

/** The definition of RFC 9162 word by word, which shares no code with the product. */
function naiveRoot(part: readonly Uint8Array[]): Uint8Array {
  const [only] = part;
  if (!only) return sha256(new Uint8Array());
  if (part.length === 1) return only;
  const split = 2 ** Math.floor(Math.log2(part.length - 1));
  return sha256(Buffer.concat([Buffer.of(1), naiveRoot(part.slice(0, split)), naiveRoot(part.slice(split))]));
}

const roots = Array.from({ length: leaves.length + 1 }, (_, size) => naiveRoot(leaves.slice(0, size)));
const known = new Map<string, Uint8Array>();

function nodeOf({ level, index }: Node): Uint8Array {
  const name = `${level}/${index}`;
  const found = known.get(name) ?? naiveRoot(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));
  known.set(name, found);
  return found;
}

const hashesOf = (ranges: readonly Range[]) => ranges.map((range) => hashOfRange(sha256, nodesOf(range).map(nodeOf)));
const root = (size: number) => roots[size] as Uint8Array;
const leaf = (at: number) => leaves[at] as Uint8Array;
const hex = (bytes: Uint8Array | null) => (bytes ? toHex(bytes) : null);

test('the eight trees that RFC 6962 logs are compared by have the published roots', () => {
  const entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
  const published = [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];
  const edge = new Edge(sha256);
  const found = entries.map((entry) => {
    edge.append(leafHash(sha256, fromHex(entry)));
    return toHex(edge.root());
  });
  expect(found).toEqual(published);
});

test('a tree that grows by one entry at a time has the root that its definition gives', () => {
  const edge = new Edge(sha256);
  for (const [at, each] of leaves.entries()) {
    expect(hex(edge.root())).toBe(hex(root(at)));
    edge.append(each, (node, found) => expect(hex(found)).toBe(hex(nodeOf(node))));
  }
});

test('every entry of every tree up to 64 is proven, and no proof holds with a byte changed, left out or added', () => {
  const wrong: string[] = [];
  for (let size = 1; size <= 64; size += 1) {
    for (let index = 0; index < size; index += 1) {
      const proof = hashesOf(inclusionRanges(index, size));
      const proves = (changed: readonly Uint8Array[], at = index) => {
        const found = rootOfInclusion(sha256, leaf(index), { index: at, size, proof: changed });
        return found !== null && areEqual(found, root(size));
      };
      const others = [...mutations(proof), [...proof, leaf(0)], ...(proof.length > 0 ? [proof.slice(1)] : [])];
      const isHeld = proves(proof) && !others.some((changed) => proves(changed));
      if (!isHeld || (size > 1 && proves(proof, (index + 1) % size))) wrong.push(`${index} of ${size}`);
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);

test('every tree up to 64 is proven to begin every later one, and no proof holds with a byte changed, left out or added', () => {
  const wrong: string[] = [];
  for (let to = 1; to <= 64; to += 1) {
    for (let from = 1; from <= to; from += 1) {
      const proof = hashesOf(consistencyRanges(from, to));
      const trees = { from, fromRoot: root(from), to, toRoot: root(to) };
      const others = [...mutations(proof), [...proof, leaf(0)], ...(proof.length > 0 ? [proof.slice(1)] : [])];
      const isHeld =
        isConsistent(sha256, trees, proof) &&
        !others.some((changed) => isConsistent(sha256, trees, changed)) &&
        !isConsistent(sha256, { ...trees, toRoot: leaf(299) }, proof) &&
        (from === to || !isConsistent(sha256, { ...trees, fromRoot: root(to) }, proof));
      if (!isHeld) wrong.push(`${from} to ${to}`);
    }
  }
  expect(wrong).toEqual([]);
}, 120_000);

test('a tree without entries proves nothing, and a tree does not begin a shorter one', () => {
  expect(isConsistent(sha256, { from: 0, fromRoot: root(0), to: 5, toRoot: root(5) }, [])).toBe(false);
  expect(isConsistent(sha256, { from: 6, fromRoot: root(6), to: 5, toRoot: root(5) }, [])).toBe(false);
  expect(() => consistencyRanges(0, 5)).toThrow('no such beginning');
  expect(() => inclusionRanges(5, 5)).toThrow('no such leaf');
});

test('trees up to 1,000,000 entries are proven with their full subtrees alone', () => {
  const size = 1_000_000;
  const full = fullSubtrees(size);
  const nodeAt = ({ level, index }: Node) => full[level]?.[index] as Uint8Array;
  const prove = (ranges: readonly Range[]) => ranges.map((range) => hashOfRange(sha256, nodesOf(range).map(nodeAt)));
  const rootAt = (of: number) => hashOfRange(sha256, nodesOf({ start: 0, end: of }).map(nodeAt));
  const sizes = fc.integer({ min: 1, max: size });
  fc.assert(
    fc.property(sizes, sizes, fc.nat(), (one, other, position) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const trees = { from, fromRoot: rootAt(from), to, toRoot: rootAt(to) };
      const consistency = prove(consistencyRanges(from, to));
      const index = position % to;
      const proof = prove(inclusionRanges(index, to));
      return (
        isConsistent(sha256, trees, consistency) &&
        hex(rootOfInclusion(sha256, nodeAt({ level: 0, index }), { index, size: to, proof })) === hex(trees.toRoot)
      );
    }),
    { numRuns: 300 },
  );
});

/** Each proof with one bit of one byte changed: each byte once. */
function mutations(proof: readonly Uint8Array[]): Uint8Array[][] {
  return proof.flatMap((each, at) =>
    Array.from(each, (_, byte) => {
      const changed = Uint8Array.from(each);
      changed[byte] = (changed[byte] as number) ^ (1 << (byte % 8));
      return proof.map((one, index) => (index === at ? changed : one));
    }),
  );
}

function positionLeaf(at: number): Uint8Array {
  const bytes = Buffer.alloc(32);
  bytes.writeUInt32BE(at, 28);
  return bytes;
}

/** The hashes of all full subtrees by level. Each leaf is its position as 32 bytes: no other leaf has it, and none is hashed. */
function fullSubtrees(size: number): Uint8Array[][] {
  const levels: Uint8Array[][] = [];
  for (
    let level = Array.from({ length: size }, (_, at) => positionLeaf(at));
    level.length > 0;
    level = Array.from({ length: Math.floor(level.length / 2) }, (_, at) =>
      nodeHash(sha256, level[at * 2] as Uint8Array, level[at * 2 + 1] as Uint8Array),
    )
  ) {
    levels.push(level);
  }
  return levels;
}
