import { inject } from 'vitest';
import { type Product, productOn } from './product.ts';

export { type Answer, atOnce, CALLBACK_SECRET, PASSWORD, type Person, type Sent, statuses } from './product.ts';

export type AttackApp = Product;

/** The whole product on a database of its own, for a test file. */
export function attackApp(env: Readonly<Record<string, string>> = {}): Promise<Product> {
  return productOn(inject('testServerUrl'), env);
}
