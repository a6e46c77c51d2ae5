import { asSystem } from './person.ts';

/**
 * Joins the look-ups of one turn of the event loop into one statement: a hundred concurrent requests cost one round
 * trip, and a single request waits for nothing. It asks as the platform, since one statement serves many people. @param
 * read returns the values of the given keys, in their order
 */
export function joinedLookup<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
  batchMax = 256,
): (key: Key) => Promise<Value> {
  let waiting: { key: Key; resolve: (value: Value) => void; reject: (error: unknown) => void }[] = [];
  const flush = async (batch: typeof waiting) => {
    try {
      const values = await asSystem(() => read(batch.map(({ key }) => key)));
      batch.forEach(({ resolve }, index) => {
        resolve(values[index] as Value);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (key) =>
    new Promise<Value>((resolve, reject) => {
      if (waiting.length === 0) {
        setImmediate(() => {
          const all = waiting;
          waiting = [];
          for (let start = 0; start < all.length; start += batchMax) void flush(all.slice(start, start + batchMax));
        });
      }
      waiting.push({ key, resolve, reject });
    });
}
