import type { ClientProfile, Session } from '@ushirika/contract/identity';
import { shillingsFromCents } from '@ushirika/contract/money';
import { Refusal } from '@ushirika/contract/refusal';
import type { Unsaid } from '@ushirika/contract/said';
import { asSystem } from '../../db/person.ts';
import type { Database } from '../../db/tx.ts';
import { balances } from '../../ledger/balances.ts';
import { PLATFORM_BOOK } from '../../ledger/ledger.types.ts';
import { deviceSaid } from './device.rules.ts';
import type { IdentityDependencies } from './identity.types.ts';
import { ownIdentity } from './identity-checks.ts';
import { SESSION_IDLE_MS, userOnWire } from './open-session.ts';
import { suspensionTold } from './suspension-told.ts';

interface ProfileRow {
  id: string;
  id_number: string;
  first_name: string;
  last_name: string;
  phone: string;
  email: string;
  phone_confirmed_at: Date | null;
  email_confirmed_at: Date | null;
  payout_held_until: Date | null;
  is_operator: boolean;
  has_second_factor: boolean;
  recovery_codes_left: number;
  code_refused_at: Date | null;
}

/** The profile of the person who asks. */
export async function profileOf(
  deps: Omit<IdentityDependencies, 'passwords' | 'keyring' | 'afterRegistration'>,
  userId: string,
): Promise<ClientProfile> {
  const { sql } = deps.database;
  const key = (kind: 'wallet' | 'wallet_hold') => ({ book: PLATFORM_BOOK, kind, owner: userId });
  const [[row], [available = 0, held = 0], offices, saccos, referrals, proceeds, waiting, identity, suspended] =
    await Promise.all([
      readProfile(deps.database, userId),
      balances(sql, [key('wallet'), key('wallet_hold')]),
      deps.officesOf(userId),
      deps.countSaccosOf(userId),
      deps.referralFiguresOf(userId),
      deps.proceedsHeldOf(userId),
      deps.officialNames.waitingOf(userId),
      ownIdentity(deps.database, userId),
      ownSuspension(deps, userId),
    ]);
  const keptCents = Math.min(available, proceeds?.cents ?? 0);
  if (!row) throw new Refusal('session_ended');
  const isHeld = row.payout_held_until !== null && row.payout_held_until > deps.database.now();
  return {
    user: userOnWire(row),
    phone_number: row.phone,
    email: row.email,
    wallet: {
      amount: shillingsFromCents(available + held),
      held: shillingsFromCents(held),
      available: shillingsFromCents(available),
    },
    referal_code: referrals.code,
    referal_link: referrals.link,
    referal_count: referrals.points,
    referal_amount: shillingsFromCents(referrals.rewardCents),
    registered_saccos: saccos,
    roles: rolesOf(row.is_operator, offices),
    verified: {
      id: identity.card !== null,
      ...identity,
      phone: row.phone_confirmed_at !== null,
      email: row.email_confirmed_at !== null,
    },
    second_factor: {
      state: row.has_second_factor ? 'on' : 'off',
      required: deps.requireSecondFactor && (row.is_operator || offices.length > 0),
      recovery_codes_left: row.recovery_codes_left,
    },
    proceeds_held:
      proceeds && keptCents > 0 ? { amount: shillingsFromCents(keptCents), until: proceeds.until.toISOString() } : null,
    suspended,
    code_refused_at: row.code_refused_at?.toISOString() ?? null,
    payout_held_until: isHeld ? (row.payout_held_until?.toISOString() ?? null) : null,
    waiting_name: waiting && {
      change: waiting.changeId,
      first_name: waiting.firstName,
      last_name: waiting.lastName,
      lapses_at: waiting.lapsesAt.toISOString(),
    },
  };
}

/** As the platform: who suspended an account is nobody's row but the operators'. */
const ownSuspension = (
  { database, supportPhone }: Pick<IdentityDependencies, 'database' | 'supportPhone'>,
  userId: string,
) => asSystem(() => suspensionTold(database.sql, { userId, now: database.now(), supportPhone }));

/** A code is good for no longer; so long it is said that it did not go. */
const CODE_WAITED_FOR_MS = 15 * 60_000;

function readProfile(database: Database, userId: string) {
  const since = new Date(database.now().getTime() - CODE_WAITED_FOR_MS);
  return database.sql<ProfileRow[]>`
    select u.id, u.id_number, u.first_name, u.last_name, u.phone, u.email, u.phone_confirmed_at, u.email_confirmed_at,
      u.payout_held_until, own_code_refused_at(u.id, ${since}) as code_refused_at,
      exists (select 1 from operators o where o.user_id = u.id and o.revoked_at is null) as is_operator,
      exists (select 1 from second_factors f where f.user_id = u.id and f.state = 'on') as has_second_factor,
      (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null) as recovery_codes_left
    from users u where u.id = ${userId}`;
}

function rolesOf(
  isOperator: boolean,
  offices: Awaited<ReturnType<IdentityDependencies['officesOf']>>,
): ClientProfile['roles'] {
  return [
    { role: 'client', sacco: null, office: null },
    ...offices.map(({ saccoId, office }) => ({ role: 'official' as const, sacco: saccoId, office })),
    ...(isOperator ? [{ role: 'operator' as const, sacco: null, office: null }] : []),
  ];
}

interface SessionRow {
  id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  device: string;
  address: string;
}

const SESSIONS_SHOWN = 100;

/** A person's live sessions, newest first; no more than a hundred. */
export async function sessionsOf(
  database: Pick<Database, 'sql' | 'now'>,
  actor: { readonly userId: string; readonly sessionId: string },
): Promise<Unsaid<Session>[]> {
  const now = database.now();
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const rows = await database.sql<SessionRow[]>`
    select id, created_at, last_seen_at, expires_at, device, address from sessions
    where user_id = ${actor.userId} and ended_at is null and expires_at > ${now} and last_seen_at > ${idleSince}
    order by created_at desc, id desc limit ${SESSIONS_SHOWN}`;
  return rows.map((row) => ({
    id: row.id,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    device: deviceSaid(row.device),
    address: row.address,
    current: row.id === actor.sessionId,
  }));
}
