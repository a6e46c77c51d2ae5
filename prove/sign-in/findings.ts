import { createPasswords, type Passwords } from '../../server/domains/identity/passwords.ts';
import { createQuickPasswords } from '../../server/domains/identity/test-passwords.ts';
import type { World } from '../../server/world.ts';
import type { Run } from '../harness.ts';
import type { Product } from '../support/product.ts';

/** In tier C a hash costs nothing where neither its cost nor their number is what is looked at; elsewhere it is the real one. */
export function passwordsOf({ tier }: Run, { world }: { readonly world: World }): Passwords {
  return tier === 'c' ? createQuickPasswords() : createPasswords({ world, atOnceMax: 2, waitingMax: 1_000 });
}

/** What the parts of this harness add to: violations, how often each kind of case happened, and figures. */
export class Findings {
  readonly violations: string[] = [];
  readonly fired: Record<string, number> = {};
  readonly figures: Record<string, string> = {};

  /** Kinds that must be counted before the run is over: one that was passed over fails it as much as one of no times. */
  mustHappen(...kinds: string[]): void {
    for (const kind of kinds) this.count(kind, 0);
  }

  count(kind: string, times = 1): void {
    this.fired[kind] = (this.fired[kind] ?? 0) + times;
  }

  /** Notes a violation unless what was seen is what was promised. */
  expect(isKept: boolean, sentence: () => string): void {
    if (!isKept) this.violations.push(sentence());
  }
}

/** What every part is given. */
export interface Scene {
  readonly run: Run;
  readonly findings: Findings;
}

const LONGEST = 300;

export function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A code of one's own by SMS, as the person types it. */
export async function resetCodeFor(
  product: Product,
  of: { idNumber: string; phone: string },
  from: { address: string; browser?: string } = { address: '10.200.0.1' },
): Promise<string | null> {
  const body = { id_number: of.idNumber, phone_number: of.phone };
  await product.call('POST', '/auth/forgot-password/', { body, ...from });
  const texts = await product.textsTo(of.phone);
  return texts.map((text) => /reset code is ([0-9A-Z]{4}-[0-9A-Z]{4})/.exec(text)?.[1]).find(Boolean) ?? null;
}
