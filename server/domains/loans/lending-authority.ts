import type { ChangedValues } from '@ushirika/contract/change-kinds';
import {
  COMMITTEE_ALONE_CENTS,
  type LendingAuthority,
  changeLendingAuthority as route,
} from '@ushirika/contract/loans';
import { type Cents, shillingsFromCents } from '@ushirika/contract/money';
import { sentence } from '@ushirika/contract/sentence';
import type { Tx } from '../../db/tx.ts';
import type { About, ChangeExecutor } from '../saccos/changes.types.ts';
import type { Reader } from './loan-rows.ts';

/* Up to which amounts committee and manager of a sacco decide alone (docs/decisions/184). */

/** What holds at a moment; `validFrom` is null where the sacco has changed nothing. */
export interface Authority {
  readonly committeeCents: Cents;
  readonly managerCents: Cents;
  readonly validFrom: Date | null;
}

export async function authorityOf(reader: Reader, saccoId: string): Promise<Authority> {
  const [row] = await (reader.sql as Tx['sql'])<{ committee: number; manager: number; valid_from: Date }[]>`
    select committee_cents as committee, manager_cents as manager, valid_from from lending_authority
    where sacco_id = ${saccoId} and valid_from <= ${reader.now} order by valid_from desc limit 1`;
  return {
    committeeCents: row?.committee ?? COMMITTEE_ALONE_CENTS.most,
    managerCents: row?.manager ?? 0,
    validFrom: row?.valid_from ?? null,
  };
}

export const shownAuthority = ({ committeeCents, managerCents, validFrom }: Authority): LendingAuthority => ({
  committee_alone: shillingsFromCents(committeeCents),
  manager_alone: shillingsFromCents(managerCents),
  valid_from: validFrom?.toISOString() ?? null,
});

/** How other amounts come into force: for applications that are submitted later. Each submitted one keeps its own. */
export const lendingAuthorityChange: ChangeExecutor = {
  offices: route.offices ?? [],
  isDelayed: true,
  words: sentence('who decides about loans'),
  current: async (tx, about) => valuesOf(await authorityOf(tx, saccoOf(about))),
  refusalOf: async () => null,
  announce: async () => {},
  recall: async () => {},
  async apply(tx, about, payload) {
    const { committee_alone: committeeCents, manager_alone: managerCents } = route.body.parse(payload);
    await setLendingAuthority(
      tx,
      { userId: about.proposedBy },
      { saccoId: saccoOf(about), committeeCents, managerCents },
    );
  },
};

/** As a change keeps it: in shillings. */
export function authorityToKeep(body: ReturnType<typeof route.body.parse>): ChangedValues {
  return valuesOf({ committeeCents: body.committee_alone, managerCents: body.manager_alone });
}

const valuesOf = ({ committeeCents, managerCents }: Pick<Authority, 'committeeCents' | 'managerCents'>) => ({
  committee_alone: shillingsFromCents(committeeCents),
  manager_alone: shillingsFromCents(managerCents),
});

/** The sacco's lock is held: of two changes at once the second holds from a millisecond later. */
export async function setLendingAuthority(
  tx: Tx,
  actor: { readonly userId: string },
  input: { readonly saccoId: string; readonly committeeCents: Cents; readonly managerCents: Cents },
): Promise<void> {
  await tx.sql`
    insert into lending_authority (sacco_id, valid_from, committee_cents, manager_cents, changed_by)
    select ${input.saccoId}, greatest(${tx.now}::timestamptz, max(valid_from) + interval '1 millisecond'),
      ${input.committeeCents}, ${input.managerCents}, ${actor.userId}
    from lending_authority where sacco_id = ${input.saccoId}`;
}

function saccoOf({ saccoId }: About): string {
  if (saccoId === null) throw new Error('Who decides about loans is of a sacco.');
  return saccoId;
}
