import { asSystem } from './person.ts';

/**
 * Joins the look-ups of one turn of the event loop into one statement: under load a hundred requests cost one round
 * trip, and a lone request waits for nothing. It asks as the platform, since it asks for many people at once.
 * @param read answers for the keys it is given, in their order
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
