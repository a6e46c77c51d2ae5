import type { ChangeKind } from '@ushirika/contract/change-kinds';
import type { ComponentProps, ComponentType } from 'react';
import { useComplaintTerms } from '../complaints/complaints.queries.ts';
import { useReferralTerms } from '../referrals/referrals.queries.ts';
import { officeWords } from '../saccos/office-words.ts';
import { useSaccoDetail } from '../saccos/saccos.queries.ts';
import { MoneyField, SelectField, TextField } from '../ui/fields.tsx';
import { formatCount } from '../ui/figures.tsx';
import type { Form } from '../ui/form.tsx';
import { say } from '../words/say.ts';
import { checkProduct, LoanProductFields, PRODUCT_REQUIRED, productChange } from './loan-product-fields.tsx';
import { checkMarket, MARKET_REQUIRED, MarketTermsFields, marketChange } from './market-terms-fields.tsx';
import { type ChangeBody, type FieldsProps, type FormValues, TermsFrame, Two } from './terms-frame.tsx';
import { useAuthority } from './voting.queries.ts';

/** What members vote on, in the order of the choice. */
export const TERMS_KINDS = [
  'sacco_terms',
  'market_terms',
  'loan_product',
  'lending_authority',
  'complaint_terms',
  'referral_terms',
  'official_removal',
] as const satisfies readonly ChangeKind[];
export type TermsKind = (typeof TERMS_KINDS)[number];
/** What members alone decide, however few can vote yet. */
export const isByMembersAlone = (kind: TermsKind): boolean => kind === 'sacco_terms' || isAboutPerson(kind);
/** About a person: members vote in secret. */
export const isAboutPerson = (kind: TermsKind): boolean => kind === 'official_removal';

/** The form of one kind: it cannot say what cannot be carried out. */
interface TermsForm {
  readonly required: readonly string[];
  readonly Fields: ComponentType<FieldsProps>;
  readonly change: (values: FormValues, product: string | null) => ChangeBody;
  readonly check?: ComponentProps<typeof Form<string>>['check'];
}

const of = (values: FormValues, name: string) => values[name] ?? '';

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
  official_removal: {
    required: ['official'],
    Fields: OfficialFields,
    change: (values) => ({ kind: 'official_removal', values: { official: of(values, 'official') } }),
  },
};

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
          <MoneyNow label={say('Share value')} name="share_value" now={data.parameters.share_value} />
          <NumberNow label={say('Minimum shares')} name="min_shares" now={data.parameters.min_shares} />
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
