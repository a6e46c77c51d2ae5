import { logIdOf } from '@ushirika/verifier/chain';
import { nodeCrypto } from '@ushirika/verifier/node-crypto';
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  http,
  InsufficientFundsError,
  keccak256,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  toHex,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { anchorAbi as abi } from './anchor-abi.ts';
import {
  type AnchorCall,
  type AnchorState,
  type Chain,
  ChainRefusal,
  type ChainSettings,
  type SignedAnchor,
} from './chain.types.ts';
import { compileAnchor } from './compile-anchor.ts';

const TIMEOUT_MS = 15_000;
const MINED_MS_MAX = 60_000;
/** The chain of anvil: its newest block is final. */
const LOCAL_CHAIN = 31_337;
const CONFIRMATIONS = 5;
const ANCHOR_GAS = 80_000n;
const ANCHORS_IN_RESERVE = 20n;
/** Blocks in which the transaction of an anchor is looked for that another process sent. */
const BLOCKS_SEARCHED = 2_000n;

/** SaccoAnchor by JSON-RPC. Nothing is asked before the first call. */
export function createChain(settings: ChainSettings): Chain {
  const { contract: address, chainId } = settings;
  const clients = clientsOf(settings);
  const { reader, account } = clients;
  const contract = { address, abi } as const;
  return {
    chainId,
    contract: address.toLowerCase(),
    publicRpcUrl: settings.publicRpcUrl,
    head: async (logId) => {
      const [size, root] = await reader.readContract({ ...contract, functionName: 'head', args: [toHex(logId)] });
      return { size: Number(size), root: Buffer.from(root.slice(2), 'hex') };
    },
    register: async (logId) => {
      const id = toHex(logId);
      if ((await reader.readContract({ ...contract, functionName: 'publisherOf', args: [id] })) !== zeroAddress) return;
      const owner = await reader.readContract({ ...contract, functionName: 'owner' });
      if (owner !== account.address) throw new ChainRefusal('NotRegistered');
      const call = { ...contract, account, functionName: 'register', args: [id, account.address] } as const;
      try {
        const { request } = await refusing(() => reader.simulateContract(call));
        const hash = await refusing(() => clients.writer.writeContract(request));
        await reader.waitForTransactionReceipt({ hash, timeout: MINED_MS_MAX });
      } catch (error) {
        // Another publisher was first.
        if (!(error instanceof ChainRefusal) || error.reason !== 'AlreadyRegistered') throw error;
      }
    },
    sign: (call) => refusing(() => signAnchor(clients, address, call)),
    stateOf: (anchor) => stateOf(clients, address, anchor),
    isShortOfFunds: async () => {
      const [balance, price] = await Promise.all([
        reader.getBalance({ address: account.address }),
        reader.getGasPrice(),
      ]);
      return balance < ANCHORS_IN_RESERVE * ANCHOR_GAS * price;
    },
  };
}

/** Deploys SaccoAnchor; its owner is the key's account. @returns its address, and the gas that it took */
export async function deployAnchor(
  settings: Omit<ChainSettings, 'contract' | 'publicRpcUrl'>,
): Promise<{ contract: Hex; gas: bigint }> {
  const { reader, writer, account } = clientsOf(settings);
  const answeredId = await reader.getChainId();
  if (answeredId !== settings.chainId) throw new ChainRefusal(`the endpoint is of chain ${answeredId}`);
  const hash = await refusing(async () => writer.deployContract({ abi, bytecode: await compileAnchor(), account }));
  const { contractAddress, gasUsed } = await reader.waitForTransactionReceipt({ hash, timeout: 300_000 });
  if (!contractAddress) throw new ChainRefusal('refused');
  return { contract: contractAddress, gas: gasUsed };
}

/**
 * Gives the logs that the contract knows, and the contract itself where the old key owns it, to another key. What was given before stays so.
 * @throws ChainRefusal where the old key is not the owner's, or the new account has no coins
 */
export async function rotateKeys(
  settings: ChainSettings,
  nextKey: `0x${string}`,
  origins: readonly string[],
): Promise<{ account: Hex; logs: number; isOwner: boolean }> {
  const { reader, writer, account } = clientsOf(settings);
  const next = clientsOf({ ...settings, privateKey: nextKey });
  const contract = { address: settings.contract, abi } as const;
  if ((await reader.getBalance({ address: next.account.address })) === 0n) throw new ChainRefusal('no_funds');
  const mined = async (hash: Hex) => void (await reader.waitForTransactionReceipt({ hash, timeout: MINED_MS_MAX }));
  let logs = 0;
  for (const origin of origins) {
    const id = toHex(logIdOf(nodeCrypto.sha256, origin));
    const publisher = await reader.readContract({ ...contract, functionName: 'publisherOf', args: [id] });
    if (publisher === zeroAddress || publisher === next.account.address) continue;
    const call = { ...contract, account, functionName: 'rotate', args: [id, next.account.address] } as const;
    const { request } = await refusing(() => reader.simulateContract(call));
    await mined(await refusing(() => writer.writeContract(request)));
    logs += 1;
  }
  const owner = () => reader.readContract({ ...contract, functionName: 'owner' });
  if ((await owner()) === account.address) {
    const pending = await reader.readContract({ ...contract, functionName: 'pendingOwner' });
    if (pending !== next.account.address) {
      const args = [next.account.address] as const;
      const call = { ...contract, account, functionName: 'transferOwnership', args } as const;
      await mined(await refusing(() => writer.writeContract(call)));
    }
    const accepted = { ...contract, account: next.account, functionName: 'acceptOwnership' } as const;
    await mined(await refusing(() => next.writer.writeContract(accepted)));
  }
  return { account: next.account.address, logs, isOwner: (await owner()) === next.account.address };
}

/** Whether there is a contract at the address. */
export async function isDeployed({ rpcUrl, contract }: { rpcUrl: string; contract: Hex }): Promise<boolean> {
  const code = await createPublicClient({ transport: http(rpcUrl, { timeout: TIMEOUT_MS }) }).getCode({
    address: contract,
  });
  return code !== undefined && code !== '0x';
}

type Clients = ReturnType<typeof clientsOf>;

function clientsOf({ rpcUrl, chainId, privateKey }: Omit<ChainSettings, 'contract' | 'publicRpcUrl'>) {
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: 'coin', symbol: 'coin', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const transport = http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 1 });
  const account = privateKeyToAccount(privateKey);
  const isLocal = chainId === LOCAL_CHAIN;
  return {
    account,
    confirmations: isLocal ? 1 : CONFIRMATIONS,
    reader: createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: isLocal ? 100 : 2_000 }),
    writer: createWalletClient({ chain, transport, account }),
  };
}

/** Signed before it is sent: the caller stores its hash first, and finds it again whatever happens in between. */
async function signAnchor(
  { reader, writer, account }: Clients,
  address: Hex,
  { logId, size, root, proof }: AnchorCall,
): Promise<SignedAnchor> {
  const args = [toHex(logId), BigInt(size), toHex(root), proof.map((hash) => toHex(hash))] as const;
  const { request } = await reader.simulateContract({ address, abi, account, functionName: 'anchor', args });
  const gas = await reader.estimateContractGas({ address, abi, account, functionName: 'anchor', args });
  const [mined, sent] = await Promise.all([
    reader.getTransactionCount({ address: account.address, blockTag: 'latest' }),
    reader.getTransactionCount({ address: account.address, blockTag: 'pending' }),
  ]);
  const fees = await reader.estimateFeesPerGas();
  // A transaction that is still waiting is replaced: it has the next number, and this one pays twice as much.
  const factor = sent > mined ? 2n : 1n;
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: writer.chain.id,
    to: address,
    data: encodeFunctionData({ abi, functionName: 'anchor', args: request.args }),
    nonce: mined,
    gas: (gas * 12n) / 10n,
    maxFeePerGas: fees.maxFeePerGas * factor,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas * factor,
  });
  return {
    transaction: keccak256(raw),
    send: async () => {
      const hash = await refusing(() => writer.sendRawTransaction({ serializedTransaction: raw }));
      const mined = reader.waitForTransactionReceipt({ hash, timeout: MINED_MS_MAX });
      return mined.then(
        () => true,
        () => false,
      );
    },
  };
}

async function stateOf(
  { reader, account, confirmations }: Clients,
  address: Hex,
  { logId, size, root, transaction }: Parameters<Chain['stateOf']>[0],
): Promise<AnchorState> {
  const id = toHex(logId);
  const args = [id, BigInt(size)] as const;
  const there = await reader.readContract({ address, abi, functionName: 'rootAt', args });
  if (there !== toHex(root)) {
    const own = transaction && (await unlessUnknown(reader.getTransaction({ hash: transaction as Hex })));
    // Its number is used by another, or it was mined and reverted: it never comes.
    const mined = await reader.getTransactionCount({ address: account.address, blockTag: 'latest' });
    return own && own.blockNumber === null && own.nonce >= mined ? { state: 'waiting' } : { state: 'absent' };
  }
  const latest = await reader.getBlockNumber();
  const receipt = transaction && (await unlessUnknown(reader.getTransactionReceipt({ hash: transaction as Hex })));
  let [hash, blockNumber] = [transaction, receipt && receipt.status === 'success' ? receipt.blockNumber : null];
  if (blockNumber === null) {
    const [event] = await reader.getContractEvents({
      address,
      abi,
      eventName: 'Anchored',
      args: { logId: id, size: BigInt(size) },
      fromBlock: latest > BLOCKS_SEARCHED ? latest - BLOCKS_SEARCHED : 0n,
    });
    if (!event) return { state: 'untraced' };
    [hash, blockNumber] = [event.transactionHash, event.blockNumber];
  }
  if (!hash || latest - blockNumber + 1n < BigInt(confirmations)) return { state: 'waiting' };
  const { timestamp } = await reader.getBlock({ blockNumber });
  return { state: 'confirmed', transaction: hash, block: Number(blockNumber), at: new Date(Number(timestamp) * 1000) };
}

/** Null for a transaction that the chain does not know; where it does not answer, the error is thrown on. */
const unlessUnknown = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof TransactionNotFoundError || error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  });

/** Turns the chain's decision into a refusal; a missing answer stays the error that it is. */
async function refusing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const reverted = error.walk((each) => each instanceof ContractFunctionRevertedError);
    if (reverted instanceof ContractFunctionRevertedError) {
      throw new ChainRefusal(reverted.data?.errorName ?? 'refused');
    }
    const isPoor = error.walk((each) => each instanceof InsufficientFundsError) !== null;
    if (isPoor || /insufficient funds|gas required exceeds allowance/i.test(error.message)) {
      throw new ChainRefusal('no_funds');
    }
    // The number was used meanwhile, or the very transaction is there already: whichever it is, the chain is looked at again.
    if (/nonce too low|already known|already imported|underpriced/i.test(error.message))
      throw new ChainRefusal('overtaken');
    throw error;
  }
}
