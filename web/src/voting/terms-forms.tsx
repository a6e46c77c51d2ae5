import type { ChangeKind } from '@ushirika/contract/change-kinds';
import { MAJORITY_PARTS, QUORUM_PARTS } from '@ushirika/contract/voting-rules';
import { type ComponentProps, type ComponentType, useState } from 'react';
import { useComplaintTerms } from '../complaints/complaints.queries.ts';
import { type Found, MemberSearch } from '../loans/member-search.tsx';
import { useReferralTerms } from '../referrals/referrals.queries.ts';
import { officeWords } from '../saccos/office-words.ts';
import { useSaccoDetail } from '../saccos/saccos.queries.ts';
import { Button } from '../ui/button.tsx';
import { MoneyField, SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { formatCount } from '../ui/figures.tsx';
import type { Form } from '../ui/form.tsx';
import { say } from '../words/say.ts';
import { checkProduct, LoanProductFields, PRODUCT_REQUIRED, productChange } from './loan-product-fields.tsx';
import { checkMarket, MARKET_REQUIRED, MarketTermsFields, marketChange } from './market-terms-fields.tsx';
import {
  POOL_LIMITS_REQUIRED,
  POOL_TERMS_REQUIRED,
  PoolLimitsFields,
  PoolStewardEndFields,
  PoolStewardFields,
  PoolTermsFields,
  PoolWriteOffFields,
  poolLimitsChange,
  poolTermsChange,
} from './pool-forms.tsx';
import { type ChangeBody, type FieldsProps, type FormValues, TermsFrame, Two } from './terms-frame.tsx';
import { useAuthority, useBylaws, useVoteRules } from './voting.queries.ts';

/** What members vote on, in the order of the choice. */
export const TERMS_KINDS = [
  'sacco_terms',
  'market_terms',
  'loan_product',
  'lending_authority',
  'complaint_terms',
  'referral_terms',
  'vote_rules',
  'bylaws',
  'official_removal',
  'expulsion',
  'admission',
  'pool_terms',
  'pool_limits',
  'pool_steward',
  'pool_steward_end',
  'pool_write_off',
] as const satisfies readonly ChangeKind[];
export type TermsKind = (typeof TERMS_KINDS)[number];
/** What members alone decide, however few can vote yet. */
export const isByMembersAlone = (kind: TermsKind): boolean =>
  kind === 'sacco_terms' || kind === 'vote_rules' || kind === 'bylaws' || isAboutPool(kind) || isAboutPerson(kind);
/** Of a guarantor pool: its members vote. */
export const isAboutPool = (kind: string): boolean => kind.startsWith('pool_');
/** About a person: members vote in secret. */
export const isAboutPerson = (kind: TermsKind): boolean =>
  kind === 'official_removal' ||
  kind === 'expulsion' ||
  kind === 'admission' ||
  kind === 'pool_steward' ||
  kind === 'pool_steward_end';

/** The form of one kind: it cannot say what cannot be carried out. */
interface TermsForm {
  readonly required: readonly string[];
  readonly Fields: ComponentType<FieldsProps>;
  readonly change: (values: FormValues, product: string | null) => ChangeBody;
  readonly check?: ComponentProps<typeof Form<string>>['check'];
}

const of = (values: FormValues, name: string) => values[name] ?? '';

type VoteRulesBody = Extract<ChangeBody, { kind: 'vote_rules' }>['values'];
const COUNTS = [
  'ordinary_notice_days',
  'ordinary_voting_days',
  'ordinary_quorum_most',
  'special_notice_days',
  'special_voting_days',
] as const;
const PARTS = ['ordinary_quorum', 'special_quorum', 'special_majority'] as const;

export const termsForms: Readonly<Record<TermsKind, TermsForm>> = {
  sacco_terms: {
    required: ['reg_fee', 'min_shares', 'share_value'],
    Fields: SaccoTermsFields,
    change: (values) => ({
      kind: 'sacco_terms',
      values: {
        ...{ reg_fee: of(values, 'reg_fee'), min_shares: of(values, 'min_shares') },
        share_value: of(values, 'share_value'),
      },
    }),
  },
  market_terms: { required: MARKET_REQUIRED, Fields: MarketTermsFields, change: marketChange, check: checkMarket },
  loan_product: {
    required: PRODUCT_REQUIRED,
    Fields: LoanProductFields,
    change: productChange,
    check: checkProduct,
  },
  lending_authority: {
    required: ['committee_alone', 'manager_alone'],
    Fields: AuthorityFields,
    change: (values) => ({
      kind: 'lending_authority',
      values: { committee_alone: of(values, 'committee_alone'), manager_alone: of(values, 'manager_alone') },
    }),
  },
  complaint_terms: {
    required: ['answer_days', 'resolve_days'],
    Fields: ComplaintTermsFields,
    change: (values) => ({
      kind: 'complaint_terms',
      values: { answer_days: of(values, 'answer_days'), resolve_days: of(values, 'resolve_days') },
    }),
  },
  referral_terms: {
    required: ['reward', 'monthly_rewards_max'],
    Fields: ReferralTermsFields,
    change: (values) => ({
      kind: 'referral_terms',
      values: { reward: of(values, 'reward'), monthly_rewards_max: of(values, 'monthly_rewards_max') },
    }),
  },
  vote_rules: {
    required: [...COUNTS, ...PARTS],
    Fields: VoteRulesFields,
    change: (values) => ({
      kind: 'vote_rules',
      values: Object.fromEntries([...COUNTS, ...PARTS].map((name) => [name, of(values, name)])) as VoteRulesBody,
    }),
  },
  bylaws: {
    required: ['bylaws'],
    Fields: BylawsFields,
    change: (values) => ({ kind: 'bylaws', values: { text: of(values, 'bylaws') } }),
  },
  official_removal: {
    required: ['official'],
    Fields: OfficialFields,
    change: (values) => ({ kind: 'official_removal', values: { official: of(values, 'official') } }),
  },
  expulsion: {
    required: ['member'],
    Fields: ExpulsionFields,
    change: (values) => ({ kind: 'expulsion', values: { member: of(values, 'member') } }),
  },
  admission: {
    required: [],
    Fields: AdmissionFields,
    change: (_, product) => ({ kind: 'admission', values: { member: product ?? '' } }),
  },
  pool_terms: { required: ['pool', ...POOL_TERMS_REQUIRED], Fields: PoolTermsFields, change: poolTermsChange },
  pool_limits: { required: ['pool', ...POOL_LIMITS_REQUIRED], Fields: PoolLimitsFields, change: poolLimitsChange },
  pool_steward: {
    required: ['pool'],
    Fields: PoolStewardFields,
    change: (values) => ({ kind: 'pool_steward', values: { pool: of(values, 'pool') } }),
  },
  pool_steward_end: {
    required: ['pool', 'steward'],
    Fields: PoolStewardEndFields,
    change: (values) => ({
      kind: 'pool_steward_end',
      values: { pool: of(values, 'pool'), steward: of(values, 'steward') },
    }),
  },
  pool_write_off: {
    required: ['pool', 'contract'],
    Fields: PoolWriteOffFields,
    change: (values) => ({
      kind: 'pool_write_off',
      values: { pool: of(values, 'pool'), contract: of(values, 'contract') },
    }),
  },
};

function VoteRulesFields({ sacco }: FieldsProps) {
  const { data } = useVoteRules(sacco);
  const rules = data?.now;
  return (
    <TermsFrame isLoaded={rules !== undefined}>
      {rules && (
        <>
          <h3 className="text-body">{say('Ordinary votes: more for than against')}</h3>
          <Two>
            <NumberNow
              label={say('Days of notice (7 to 30)')}
              name="ordinary_notice_days"
              now={rules.ordinary_notice_days}
            />
            <NumberNow
              label={say('Days to vote (3 to 14)')}
              name="ordinary_voting_days"
              now={rules.ordinary_voting_days}
            />
            <PartNow
              label={say('Who must vote')}
              name="ordinary_quorum"
              now={rules.ordinary_quorum}
              parts={QUORUM_PARTS}
            />
            <NumberNow
              label={say('So many votes are enough (50 or more)')}
              name="ordinary_quorum_most"
              now={rules.ordinary_quorum_most}
            />
          </Two>
          <h3 className="text-body">{say('Special votes: terms of the sacco, persons, these rules')}</h3>
          <Two>
            <NumberNow
              label={say('Days of notice (15 to 45)')}
              name="special_notice_days"
              now={rules.special_notice_days}
            />
            <NumberNow
              label={say('Days to vote (5 to 14)')}
              name="special_voting_days"
              now={rules.special_voting_days}
            />
            <PartNow
              label={say('Who must vote')}
              name="special_quorum"
              now={rules.special_quorum}
              parts={QUORUM_PARTS}
            />
            <PartNow
              label={say('Who must be in favour')}
              name="special_majority"
              now={rules.special_majority}
              parts={MAJORITY_PARTS}
            />
          </Two>
        </>
      )}
    </TermsFrame>
  );
}

/** The last version stands in the field: whoever drafts changes what they want. */
function BylawsFields({ sacco }: FieldsProps) {
  const all = useBylaws(sacco).data?.versions;
  const last = useBylaws(sacco, { version: all?.[0]?.number ?? 1 });
  return (
    <TermsFrame isLoaded={all !== undefined && last.data !== undefined}>
      {last.data && (
        <TextArea
          label={say('The whole by-laws, as they shall be')}
          name="bylaws"
          required
          rows={16}
          maxLength={40_000}
          defaultValue={last.data.bylaws?.text ?? ''}
          hint={say('200 to 40,000 characters. Members read all of it before they vote, and two thirds decide.')}
        />
      )}
    </TermsFrame>
  );
}

/** `1/3` in words. */
function partWords(fraction: string): string {
  const [part = '', of = ''] = fraction.split('/');
  return say('{part} in {of}', { part, of });
}

function PartNow({ label, name, now, parts }: { label: string; name: string; now: string; parts: readonly string[] }) {
  return (
    <SelectField label={label} name={name} defaultValue={now} hint={say('Now: {value}', { value: partWords(now) })}>
      {parts.map((each) => (
        <option key={each} value={each}>
          {partWords(each)}
        </option>
      ))}
    </SelectField>
  );
}

function OfficialFields({ sacco }: FieldsProps) {
  const { data } = useSaccoDetail(sacco);
  return (
    <TermsFrame isLoaded={data !== undefined}>
      {data && (
        <SelectField
          label={say('Which office ends?')}
          name="official"
          hint={say(
            'Members vote in secret, and two thirds decide. Whoever holds the office may answer before voting begins.',
          )}
        >
          {data.officials.map(({ id, name, office }) => (
            <option key={id} value={id}>
              {`${name} (${officeWords(office)})`}
            </option>
          ))}
        </SelectField>
      )}
    </TermsFrame>
  );
}

function ExpulsionFields() {
  const [member, setMember] = useState<Found | null>(null);
  if (!member) return <MemberSearch taken={[]} act={say('Choose')} whyNot={() => null} onChoose={setMember} />;
  return (
    <div>
      <input type="hidden" name="member" value={member.id} />
      <p className="flex flex-wrap items-center justify-between gap-3">
        <b className="break-words">{member.name}</b>
        <Button look="line" onClick={() => setMember(null)}>
          {say('Choose somebody else')}
        </Button>
      </p>
      <p className="mt-2 text-small text-ink-2">
        {say('Members vote in secret, and two thirds decide. Whoever it is about may answer before voting begins.')}
      </p>
    </div>
  );
}

/** The address tells who it is about: it comes from the vote that expelled them. */
function AdmissionFields({ product }: FieldsProps) {
  return (
    <p className="text-small text-ink-2">
      {product
        ? say('Members vote in secret on whether somebody whom they have expelled may join again.')
        : say('Open the vote that expelled somebody, and draft it there.')}
    </p>
  );
}

/** A number, beside the one that holds. */
function NumberNow({ now, ...field }: Omit<ComponentProps<typeof TextField>, 'defaultValue'> & { now: number }) {
  return (
    <TextField
      required
      inputMode="numeric"
      autoComplete="off"
      {...field}
      defaultValue={now}
      hint={say('Now: {value}', { value: formatCount(now) })}
    />
  );
}

function MoneyNow({ now, hint, ...field }: Omit<ComponentProps<typeof MoneyField>, 'defaultValue'> & { now: number }) {
  const value = say('Now: {value}', { value: formatCount(now) });
  return <MoneyField required {...field} defaultValue={now} hint={hint ? `${value}. ${hint}` : value} />;
}

function SaccoTermsFields({ sacco }: FieldsProps) {
  const { data } = useSaccoDetail(sacco);
  return (
    <TermsFrame isLoaded={data !== undefined}>
      {data && (
        <Two>
          <MoneyNow label={say('Registration fee')} name="reg_fee" now={data.parameters.reg_fee} />
          <NumberNow label={say('Minimum shares')} name="min_shares" now={data.parameters.min_shares} />
          <input type="hidden" name="share_value" value={data.parameters.share_value} />
        </Two>
      )}
    </TermsFrame>
  );
}

function AuthorityFields({ sacco, isOfficial }: FieldsProps) {
  const { data: authority } = useAuthority(sacco, isOfficial);
  return (
    <TermsFrame isLoaded={authority !== undefined}>
      {authority && (
        <>
          <MoneyNow
            label={say('The credit committee decides alone up to')}
            name="committee_alone"
            now={authority.committee_alone}
            hint={say('50,000 to 1,000,000. Above it treasurer or chair must agree too.')}
          />
          <MoneyNow
            label={say('The manager decides alone up to')}
            name="manager_alone"
            now={authority.manager_alone}
            hint={say('50,000 at most; 0 for nothing. Two of the committee can decide these loans too.')}
          />
        </>
      )}
    </TermsFrame>
  );
}

function ComplaintTermsFields({ sacco }: FieldsProps) {
  const { data: terms } = useComplaintTerms(sacco);
  return (
    <TermsFrame isLoaded={terms !== undefined}>
      {terms && (
        <Two>
          <NumberNow label={say('Days to a first answer')} name="answer_days" now={terms.answer_days} />
          <NumberNow label={say('Days to the final answer')} name="resolve_days" now={terms.resolve_days} />
        </Two>
      )}
    </TermsFrame>
  );
}

function ReferralTermsFields() {
  const { data: terms } = useReferralTerms();
  return (
    <TermsFrame isLoaded={terms !== undefined}>
      {terms && (
        <Two>
          <MoneyNow label={say('Reward')} name="reward" now={terms.reward} />
          <NumberNow
            label={say('Maximum a month for one referrer')}
            name="monthly_rewards_max"
            now={terms.monthly_rewards_max}
          />
        </Two>
      )}
    </TermsFrame>
  );
}
