import type { Person, Product, Sent } from '../support/product.ts';

/** Whom attacks/row-security.test.ts robs: a member of a sacco, its chair, and an operator. */
export interface Foreign {
  readonly product: Product;
  readonly victim: Person;
  readonly founder: Person;
  readonly operator: Person;
  /** The sacco of the first two. */
  readonly sacco: string;
  /** A word that stands in what is theirs, and in nothing that the attacker may see. */
  readonly canary: string;
}

/** How routes are asked for what is not the asker's, by their names. */
export type Asked = Readonly<Record<string, readonly (readonly [path: string, sent?: Sent])[]>>;
