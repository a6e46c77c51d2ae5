import type { Office } from '@ushirika/contract/route';
import type { Database } from './tx.ts';

/**
 * Inserts people, saccos and memberships as the owner, for tests of domains that have no verb for it. It never makes
 * money.
 */
export function testPeople(database: Database) {
  let made = 0;
  return {
    async person(firstName: string, lastName = 'Mwangi'): Promise<string> {
      made += 1;
      const id = database.newId();
      const phone = `2547${String(made).padStart(8, '0')}`;
      const now = database.now();
      await database.sql`
        insert into users (id, id_number, first_name, last_name, phone, recovery_phone, email, password_hash,
                           password_changed_at, created_at, updated_at)
        values (${id}, ${`T${String(made).padStart(7, '0')}`}, ${firstName}, ${lastName}, ${phone}, ${phone},
                ${`t${made}@example.com`}, '$argon2id$none', ${now}, ${now}, ${now})`;
      return id;
    },
    /** As if both had confirmed one phone, one after the other, and given it up. */
    async onePhone(one: string, other: string): Promise<void> {
      await database.sql`
        insert into referral_traces (user_id, kind, value, created_at)
        select unnest(array[${one}, ${other}]::uuid[]), 'confirmed_phone', '254799000001', ${database.now()}
        on conflict do nothing`;
    },
    /** As an operator alone does it, for a week. */
    async suspend(user: string, operator: string): Promise<void> {
      const now = database.now();
      await database.sql`
        insert into account_suspensions (id, user_id, suspended_by, suspended_at, reason, lapses_at)
        values (${database.newId()}, ${user}, ${operator}, ${now}, 'Looked at.', ${new Date(now.getTime() + 7 * 86_400_000)})`;
    },
    /** The ID card was seen by somebody. */
    async seen(user: string, by: string): Promise<void> {
      await database.sql`
        insert into identity_checks (id, user_id, seen_by, document, seen_at)
        values (${database.newId()}, ${user}, ${by}, 'national_id', ${database.now()})`;
    },
    async sacco(name: string, founder: string, state: 'pending' | 'active' | 'suspended' = 'active'): Promise<string> {
      made += 1;
      const id = database.newId();
      const now = database.now();
      await database.sql`
        insert into saccos (id, name, description, reg_no, type, reg_fee_cents, min_shares, share_value_cents, state,
                            state_at, state_by, created_by, created_at)
        values (${id}, ${name}, 'A sacco', ${`CS/${made}`}, 'sacco', 50000, 10, 10000, ${state}, ${now}, ${founder},
                ${founder}, ${now})`;
      await database.sql`insert into sacco_figures (sacco_id) values (${id})`;
      return id;
    },
    /** Paid up at once unless `provisional`. */
    async member(saccoId: string, userId: string, state: 'provisional' | 'active' = 'active'): Promise<void> {
      const now = database.now();
      await database.sql`
        insert into memberships (id, sacco_id, user_id, state, state_at, joined_at, paid_up_at)
        values (${database.newId()}, ${saccoId}, ${userId}, ${state}, ${now}, ${now}, ${state === 'active' ? now : null})`;
    },
    async official(saccoId: string, userId: string, office: Office = 'chair'): Promise<void> {
      const now = database.now();
      const until = new Date(now.getTime() + 3 * 365 * 86_400_000);
      await database.sql`
        insert into offices (id, sacco_id, user_id, office, since, until, recorded_by)
        values (${database.newId()}, ${saccoId}, ${userId}, ${office}, ${now}, ${until}, ${userId})`;
    },
  };
}
