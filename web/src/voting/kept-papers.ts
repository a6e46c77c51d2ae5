import type { SecretReceipt } from '@ushirika/contract/voting';

/** The ballot paper of a secret vote. It is on this device alone: nobody else could say whose it is. Bytes are in base64url. */
export interface Paper {
  readonly serial: string;
  readonly prefix: string;
  readonly salt: string;
  /** What the server signs, and what takes the blinding off again. */
  readonly blinded: string;
  readonly inverse: string;
  readonly signature: string | null;
  /** Once it was sent: it may have been counted, so that it is sent again as it is. */
  readonly choice: string | null;
  readonly receipt: SecretReceipt | null;
}

/** What came back for a paper is not the signature of its round. Nothing was sent, and the paper is of no use. */
export class UnfitSignature extends Error {}

const STORE = 'papers';

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('ushirika-ballots', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** Whose paper it is, of which vote, in which round. */
export const paperKey = (userId: string, voteId: string, round: number) => `${userId} ${voteId} ${round}`;

/** The paper that this device keeps; null where there is none, or where the browser keeps nothing. */
export async function keptPaper(key: string): Promise<Paper | null> {
  const found = await run('readonly', (store) => store.get(key)).catch(() => undefined);
  return (found as Paper | undefined) ?? null;
}

/** Keeps a paper. @throws where the browser keeps nothing: then no paper may be asked for, since it could be lost */
export async function keepPaper(key: string, paper: Paper): Promise<void> {
  await run('readwrite', (store) => store.put(paper, key));
}

export async function forgetPaper(key: string): Promise<void> {
  await run('readwrite', (store) => store.delete(key));
}
