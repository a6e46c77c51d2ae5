import type { TestDatabase } from '../../db/test-database.ts';
import { testPeople } from '../../db/test-people.ts';
import type { Database } from '../../db/tx.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/post.ts';
import { allow } from '../../ledger/postings.ts';
import { createPool, type PoolFields } from './create-pool.ts';
import { joinPool } from './deposit-to-pool.ts';
import { readPoolRows } from './pool-rows.ts';
import { type PoolNeeds, requestGuarantee } from './request-guarantee.ts';
import { acceptGuaranteeContract, askContractCode } from './sign-guarantee.ts';
import { termsHashOf } from './signed-terms.ts';

const KIND = allow('test_money', [
  ['P', 'mpesa_float', 'wallet:U'],
  ['S', 'loan_principal:O', 'cash'],
  ['P', 'settlement:S', 'wallet:U'],
  ['P', 'mpesa_float', 'settlement:S'],
  ['S', 'cash', 'share_capital'],
  ['S', 'cash', 'deposits:U'],
  ['P', 'mpesa_float', 'pool_reserve:O'],
]);

/** The fields of A6: 20 % of one's own, 3.00 % a year, k 1.50. */
export const FIELDS: PoolFields = {
  name: 'Umoja pool',
  min_contribution: 1_000_00,
  min_contribution_perc: 2_000,
  min_member_period: 0,
  base_risk_percentage: 300,
  risk_weight_factor: 150,
  min_trust_score: 60,
};

/** People with money, phones and seen cards, saccos and pools, for this domain's tests. */
export function testPools(database: TestDatabase) {
  const people = testPeople(database);
  const inTransaction = database.transaction.bind(database);
  return {
    people,
    async rich(name: string, cents: number): Promise<string> {
      const id = await people.person(name, 'Mwangi');
      await database.sql`update users set phone_confirmed_at = ${database.now()} where id = ${id}`;
      await database.sql`
        insert into sessions (id, user_id, token_hash, device, address, proven_at, created_at, last_seen_at, expires_at)
        values (${id}, ${id}, rpad(${id}::text, 43, '.'), 'a test', '10.0.0.1', 'infinity', ${database.now()}, ${database.now()},
          'infinity')`;
      if (cents > 0) await this.pay(id, cents);
      return id;
    },
    async pay(userId: string, cents: number): Promise<void> {
      const wallet = { book: PLATFORM_BOOK, kind: 'wallet', owner: userId } as const;
      await inTransaction((tx) =>
        post(tx, [
          {
            kind: KIND,
            idempotencyKey: `test_money:${tx.newId()}`,
            causedBy: null,
            about: { type: 'test', id: userId },
            transfers: [
              { debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null }, credit: wallet, amount: cents },
            ],
          },
        ]),
      );
    },
    /** A sacco with money, which has lent some of it. */
    async lent(saccoId: string, loanId: string, userId: string, cents: number): Promise<void> {
      await inTransaction((tx) =>
        post(tx, [
          {
            kind: KIND,
            idempotencyKey: `test_money:${tx.newId()}`,
            causedBy: null,
            about: { type: 'test', id: saccoId },
            transfers: [
              {
                debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null },
                credit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId },
                amount: cents,
              },
              {
                debit: { book: saccoId, kind: 'cash', owner: null },
                credit: { book: saccoId, kind: 'share_capital', owner: null },
                amount: cents,
              },
              {
                debit: { book: saccoId, kind: 'loan_principal', owner: loanId },
                credit: { book: saccoId, kind: 'cash', owner: null },
                amount: cents,
              },
              {
                debit: { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId },
                credit: { book: PLATFORM_BOOK, kind: 'wallet', owner: userId },
                amount: cents,
              },
            ],
          },
        ]),
      );
    },
    /** Savings in a sacco, at this moment. */
    async saved(userId: string, saccoId: string, cents: number): Promise<void> {
      const settlement = { book: PLATFORM_BOOK, kind: 'settlement', owner: saccoId } as const;
      const cash = { book: saccoId, kind: 'cash', owner: null } as const;
      const wallet = { book: PLATFORM_BOOK, kind: 'wallet', owner: userId } as const;
      await inTransaction((tx) =>
        post(tx, [
          {
            kind: 'savings_deposited',
            idempotencyKey: `savings_deposited:${tx.newId()}`,
            causedBy: userId,
            about: { type: 'sacco', id: saccoId },
            transfers: [
              { debit: wallet, credit: settlement, amount: cents },
              { debit: cash, credit: { book: saccoId, kind: 'deposits', owner: userId }, amount: cents },
            ],
          },
        ]),
      );
    },
    /** What earlier fees have brought a pool's reserve. */
    async reserve(poolId: string, cents: number): Promise<void> {
      await inTransaction(async (tx) => {
        await post(tx, [
          {
            kind: KIND,
            idempotencyKey: `test_money:${tx.newId()}`,
            causedBy: null,
            about: { type: 'test', id: poolId },
            transfers: [
              {
                debit: { book: PLATFORM_BOOK, kind: 'mpesa_float', owner: null },
                credit: { book: PLATFORM_BOOK, kind: 'pool_reserve', owner: poolId },
                amount: cents,
              },
            ],
          },
        ]);
        await tx.sql`update pools set reserve_cents = reserve_cents + ${cents} where id = ${poolId}`;
      });
    },
    /** Asks, and signs with the code of the SMS. */
    async sign(
      asked: {
        readonly userId: string;
        readonly poolId: string;
        readonly amount: number;
        readonly months: number;
        readonly loanId?: string;
      },
      needs: PoolNeeds,
    ): Promise<{ requestId: string; contractId: string | null }> {
      const requestId = await inTransaction((tx) =>
        requestGuarantee(tx, { loanId: null, ...asked, purpose: 'School fees' }, needs),
      );
      return { requestId, ...(await this.signAsked(database, { ...asked, requestId }, needs)) };
    },
    /** Signs on `server` what was asked for. */
    async signAsked(
      server: Database,
      { userId, requestId }: { readonly userId: string; readonly requestId: string },
      needs: PoolNeeds,
    ): Promise<{ contractId: string | null }> {
      const [request] = await database.sql<{ quote_hash: string; reasons: string[] }[]>`
        select quote_hash, reasons from pool_requests where id = ${requestId}`;
      if (!request || request.reasons.length > 0) throw new Error(`Declined: ${request?.reasons}`);
      const signing = { requestId, quoteHash: request.quote_hash };
      await server.transaction((tx) => askContractCode(tx, { userId }, signing, needs));
      const [person] = await database.sql<{ name: string }[]>`
        select first_name || ' ' || last_name as name from users where id = ${userId}`;
      const input = { ...signing, signedName: person?.name ?? '', code: await this.code(userId) };
      return acceptGuaranteeContract(server, { userId }, input, needs);
    },
    async code(userId: string): Promise<string> {
      const [sms] = await database.sql<{ text: string }[]>`
        select text from sms_messages where user_id = ${userId} and template = 'pool_contract_code' order by created_at desc, id desc limit 1`;
      return /\d{4} \d{4}/.exec(sms?.text ?? '')?.[0] ?? '';
    },
    /** Other parameters, from this moment on. */
    async parameters(poolId: string, changes: Readonly<Record<string, number>>): Promise<void> {
      const [row] = await database.sql`
        select * from pool_parameters where pool_id = ${poolId} order by valid_from desc limit 1`;
      database.world.advance(1);
      await database.sql`
        insert into pool_parameters ${database.sql({ ...row, ...changes, valid_from: database.now() })}`;
    },
    async seen(userId: string, by: string): Promise<void> {
      await database.sql`
        insert into identity_checks (id, user_id, seen_by, sacco_id, document, seen_at)
        values (${database.newId()}, ${userId}, ${by}, null, 'national_id', ${database.now()})
        on conflict do nothing`;
    },
    pool(creator: string, saccoId: string | null, fields: Partial<PoolFields> = {}): Promise<string> {
      return inTransaction((tx) => createPool(tx, { userId: creator }, { saccoId, fields: { ...FIELDS, ...fields } }));
    },
    /** Makes members of a pool its stewards, as votes would. */
    async stewards(poolId: string, ...userIds: readonly string[]): Promise<void> {
      for (const userId of userIds)
        await database.sql`
          insert into pool_stewards (pool_id, user_id, since) values (${poolId}, ${userId}, ${database.now()}) on conflict do nothing`;
    },
    async join(poolId: string, userId: string, cents: number): Promise<string> {
      await inTransaction(async (tx) => {
        const [row] = await readPoolRows(tx, [poolId]);
        if (!row) throw new Error('There is no such pool.');
        await joinPool(tx, { userId, sessionId: userId, poolId, amount: cents, termsHash: termsHashOf(row) });
      });
      const [member] = await database.sql<{ id: string }[]>`
        select id from pool_members where pool_id = ${poolId} and user_id = ${userId}`;
      return member?.id ?? '';
    },
  };
}
