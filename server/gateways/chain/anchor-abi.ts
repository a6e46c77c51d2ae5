import { parseAbi } from 'viem';

/** SaccoAnchor.sol, as its callers see it; chain.test.ts compiles the contract and calls each of these. */
export const anchorAbi = parseAbi([
  'function owner() view returns (address)',
  'function pendingOwner() view returns (address)',
  'function transferOwnership(address next)',
  'function acceptOwnership()',
  'function register(bytes32 logId, address publisher)',
  'function rotate(bytes32 logId, address publisher)',
  'function anchor(bytes32 logId, uint64 size, bytes32 root, bytes32[] proof)',
  'function rootAt(bytes32 logId, uint64 size) view returns (bytes32)',
  'function head(bytes32 logId) view returns (uint64 size, bytes32 root)',
  'function publisherOf(bytes32 logId) view returns (address)',
  'function verify(bytes32 logId, uint64 size, bytes32 leafHash, uint64 index, bytes32[] proof) view returns (bool)',
  'event Registered(bytes32 indexed logId, address publisher)',
  'event Rotated(bytes32 indexed logId, address publisher)',
  'event Anchored(bytes32 indexed logId, uint64 indexed size, bytes32 root, uint64 prevSize, uint32 seq)',
  'event OwnershipTransferred(address owner)',
  'error NotOwner()',
  'error NotPublisher()',
  'error AlreadyRegistered()',
  'error NotRegistered()',
  'error NoAddress()',
  'error NoRoot()',
  'error NotGrowing()',
  'error Inconsistent()',
]);
