import { API_BASE } from '@ushirika/contract/constants';
import { shillingsFromCents } from '@ushirika/contract/money';
import type { MembershipState, Sacco, SaccoState, SaccoType } from '@ushirika/contract/saccos';
import { isGuarded } from '#faults';
import { ratingScore } from './saccos.rules.ts';

/** Who asks: null is a visitor. */
export interface SaccoReader {
  readonly userId: string;
  readonly isOperator: boolean;
}

/**
 * The columns of `saccos s`, `sacco_figures f` and the caller's `memberships m` that a Sacco on the wire is made of.
 * @param callerId the statement's parameter that is the caller's id
 */
export const saccoColumns = (callerId: string) => `
  exists (select from offices own where own.sacco_id = s.id and own.user_id = ${callerId}::uuid
            and own.ended_at is null) as holds_office,
  s.id, s.name, s.name_folded, s.description, s.reg_no, s.type, s.reg_fee_cents, s.min_shares, s.share_value_cents,
  s.state, s.logo_version, s.created_by, f.members, f.ratings, f.stars, m.state as membership`;

export interface SaccoRow {
  readonly id: string;
  readonly name: string;
  readonly name_folded: string;
  readonly description: string;
  readonly reg_no: string;
  readonly type: SaccoType;
  readonly reg_fee_cents: number;
  readonly min_shares: number;
  readonly share_value_cents: number;
  readonly state: SaccoState;
  readonly logo_version: string | null;
  readonly created_by: string;
  readonly members: number;
  readonly ratings: number;
  readonly stars: number;
  readonly membership: MembershipState | null;
  readonly holds_office: boolean;
}

/**
 * Whether somebody is shown all of a sacco. While it waits for its activation nobody has looked at what its founder
 * wrote: only the founder, its officials and operators see more than its name and terms.
 */
export function isShownWhole(row: SaccoRow, reader: SaccoReader | null): boolean {
  if (row.state !== 'pending' || !isGuarded('saccos_are_reviewed')) return true;
  return reader !== null && (reader.isOperator || row.holds_office || row.created_by === reader.userId);
}

/** @param reader whose membership the row carries; null for a visitor */
export function toSacco(row: SaccoRow, reader: SaccoReader | null): Sacco {
  const callerId = reader?.userId ?? null;
  const isWhole = isShownWhole(row, reader);
  const isMember = callerId !== null && row.membership !== null && row.membership !== 'exited';
  return {
    id: row.id,
    name: row.name,
    description: isWhole ? row.description : '',
    logo: isWhole ? logoPath(row.id, row.logo_version) : null,
    reg_no: isWhole ? row.reg_no : '',
    reg_fee: shillingsFromCents(row.reg_fee_cents),
    min_shares: row.min_shares,
    share_value: shillingsFromCents(row.share_value_cents),
    status: row.state === 'active' ? 'active' : 'inactive',
    members: row.members,
    // Never other people's ids: a public list of who belongs where would be a leak.
    members_list: isMember ? [callerId] : [],
    created_by: row.created_by,
    type: row.type,
    rating: { score: ratingScore(row.stars, row.ratings), count: row.ratings },
    is_member: isMember,
    membership: isMember ? row.membership : null,
  };
}

export function logoPath(saccoId: string, version: string | null): string | null {
  return version === null ? null : `${API_BASE}/sacco/${saccoId}/logo?v=${version}`;
}
