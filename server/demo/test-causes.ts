import type { TestDatabase } from '../db/test-database.ts';

const ofBorrower = (kind: string) => `
  select e.by_id from loan_events e join loans l on l.id = e.loan_id
  where e.kind = '${kind}' and e.at = m.created_at and l.borrower_id = m.user_id`;
const ofGuarantor = (kind: string) => `
  select e.by_id from loan_events e join loan_guarantees g on g.id = e.guarantee_id
  where e.kind = '${kind}' and e.at = m.created_at and g.guarantor_id = m.user_id`;
const ofRecovery = `
  select s.by_id from loan_notices n join loan_recovery_steps s on s.loan_id = n.loan_id
  where n.sms_id = m.id and s.at = m.created_at`;
const ofPoolCall = `select by_id from loan_recovery_steps where step = 'pool' and at = m.created_at`;
const ofComplaint = (kind: string) => `
  select s.by_id from complaint_steps s join complaints c on c.id = s.complaint_id
  where s.kind = '${kind}' and s.at = m.created_at and c.complainer_id = m.user_id`;
const themself = `select m.user_id`;
/** The clock, M-Pesa and a dividend send these. */
const nobody = `select null::uuid`;

/** In SQL, of each kind of message `m` that the demonstration sends: the account whose act it tells of. */
const ACTORS: Readonly<Record<string, string>> = {
  check_off_waits: `select checked_by from check_offs where payer_id = m.user_id and checked_at = m.created_at`,
  complaint_answered: ofComplaint('answered'),
  complaint_resolved: ofComplaint('resolved'),
  deposit_paid: nobody,
  dividend_paid: nobody,
  exit_completed: nobody,
  exit_refunded: nobody,
  loan_approved: ofBorrower('approved'),
  loan_defaulted: ofRecovery,
  loan_disbursed: ofBorrower('disbursed'),
  loan_final: ofRecovery,
  loan_first: nobody,
  loan_formal: nobody,
  loan_guarantee_code: themself,
  loan_guarantor_asked: ofGuarantor('guarantor_asked'),
  loan_guarantor_refunded: ofGuarantor('guarantor_refunded'),
  loan_missed: nobody,
  loan_reminder: nobody,
  loan_restructure: `
    select r.confirmed_by from loan_notices n join loan_restructures r on r.loan_id = n.loan_id
    where n.sms_id = m.id and r.confirmed_at = m.created_at`,
  loan_second: nobody,
  loan_taken: ofRecovery,
  office_code: `
    select i.invited_by from office_invitations i join users u on u.id_number = i.id_number where u.id = m.user_id`,
  phone_code: themself,
  pool_called_backer: ofPoolCall,
  pool_called_borrower: ofPoolCall,
  pool_contract_code: themself,
  pool_demand_backer: nobody,
  pool_demand_borrower: nobody,
  pool_late_borrower: nobody,
  referral_rewarded: nobody,
};

/** The kinds of messages that name another account as their cause than the one whose act they tell of, and those of which there is none. */
export async function wronglyCaused({ owner }: TestDatabase): Promise<string[]> {
  const sent = await owner<{ template: string }[]>`select distinct template from sms_messages`;
  const kinds = new Set([...Object.keys(ACTORS), ...sent.map(({ template }) => template)]);
  const wrong: string[] = [];
  for (const template of kinds) {
    const [found] = await owner.unsafe<{ messages: number; right: number }[]>(
      `select count(*)::int as messages,
         count(*) filter (where exists (
           select from (${ACTORS[template] ?? themself}) as actor (id) where actor.id is not distinct from m.caused_by))::int as right
       from sms_messages m where template = $1`,
      [template],
    );
    if (!found?.messages || found.right < found.messages || !(template in ACTORS)) wrong.push(template);
  }
  return wrong.sort();
}
