import { formatShillings } from '@ushirika/contract/format';
import {
  POOL_FIELD_RANGES,
  POOL_LIMIT_RANGES,
  POOL_STEWARDS_MAX,
  type PoolCall,
  type PoolDetails,
  WRITE_OFF_AFTER_DAYS,
} from '@ushirika/contract/pools';
import { type ReactNode, useState } from 'react';
import { now } from '../clock.ts';
import { usePoolDetails, usePoolsOfSacco } from '../pools/pools.queries.ts';
import { MoneyField, SelectField, TextField } from '../ui/fields.tsx';
import { nameOf } from '../ui/when.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { type ChangeBody, type FieldsProps, type FormValues, TermsFrame, Two } from './terms-frame.tsx';

/*
 * The forms of votes about a guarantor pool. The address tells which pool; each begins with what holds now.
 */

const DAY_MS = 86_400_000;
export const POOL_TERMS_REQUIRED = Object.keys(POOL_FIELD_RANGES) as readonly (keyof typeof POOL_FIELD_RANGES)[];
export const POOL_LIMITS_REQUIRED = Object.keys(POOL_LIMIT_RANGES) as readonly (keyof typeof POOL_LIMIT_RANGES)[];

type TermsBody = Extract<ChangeBody, { kind: 'pool_terms' }>['values'];
type LimitsBody = Extract<ChangeBody, { kind: 'pool_limits' }>['values'];

export const poolTermsChange = (values: FormValues): ChangeBody => ({
  kind: 'pool_terms',
  values: typed(values, POOL_TERMS_REQUIRED) as TermsBody,
});
export const poolLimitsChange = (values: FormValues): ChangeBody => ({
  kind: 'pool_limits',
  values: typed(values, POOL_LIMITS_REQUIRED) as LimitsBody,
});
const typed = (values: FormValues, names: readonly string[]) =>
  Object.fromEntries(['pool', ...names].map((name) => [name, values[name] ?? '']));

/** The terms of a pool that hold now, by the names of the fields. */
export const termsNow = (pool: PoolDetails): Record<keyof typeof POOL_FIELD_RANGES, number> => ({
  min_contribution: pool.min_contribution,
  min_contribution_perc: pool.min_contribution_perc,
  min_member_period: pool.min_member_period,
  base_risk_percentage: pool.base_risk_percentage,
  risk_weight_factor: pool.risk_weight_factor,
  min_trust_score: pool.min_trust_score,
});

/** The same of its settings. */
export function limitsNow({ settings }: PoolDetails): Record<keyof typeof POOL_LIMIT_RANGES, number> {
  const { members, reserve, sacco } = settings.fee_split;
  return {
    exposure_multiple: settings.exposure_multiple,
    kink: settings.kink,
    max_borrower_share: settings.max_borrower_share,
    max_cover: settings.max_cover,
    max_active_per_borrower: settings.max_active_per_borrower,
    fee_members: members,
    fee_reserve: reserve,
    fee_sacco: sacco,
    reserve_draw: settings.reserve_draw,
    notice_days: settings.notice_days,
    auto_limit: settings.auto_limit,
    auto_limit_share: settings.auto_limit_share,
    rate_cap: settings.rate_cap,
  };
}

/** Which pool of those in which one has money, and the fields for it. */
function ChosenPool({
  sacco,
  product,
  choose,
  children,
}: FieldsProps & { children: (pool: PoolDetails) => ReactNode }) {
  const { data: all } = usePoolsOfSacco(sacco);
  const pools = all?.filter(({ is_member }) => is_member);
  const chosen = pools?.find(({ id }) => id === product) ?? pools?.[0];
  const { data: details } = usePoolDetails(chosen?.id ?? '');
  if (pools?.length === 0) {
    return <p className="text-small text-ink-2">{say('You have no money in a guarantor pool of this sacco.')}</p>;
  }
  return (
    <TermsFrame isLoaded={pools !== undefined && details !== undefined}>
      <SelectField
        label={say('Which pool?')}
        name="pool"
        value={chosen?.id ?? ''}
        onChange={({ target }) => choose(target.value)}
      >
        {pools?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {details && (
        <div key={details.id} className="grid gap-4">
          {children(details)}
        </div>
      )}
    </TermsFrame>
  );
}

export function PoolTermsFields(props: FieldsProps) {
  return (
    <ChosenPool {...props}>
      {(pool) => (
        <FieldsNow
          now={termsNow(pool)}
          ranges={POOL_FIELD_RANGES}
          labels={{
            min_contribution: [say('Minimum contribution'), say('What a member puts in at least.')],
            min_contribution_perc: [
              say('Minimum contribution percentage (%)'),
              say('The part of a guarantee that the borrower’s own position must cover.'),
            ],
            min_member_period: [
              say('Minimum member period (days)'),
              say('Days in the pool before asking for a guarantee.'),
            ],
            base_risk_percentage: [
              say('Base risk percentage (%)'),
              say('The price a year for somebody of full trust.'),
            ],
            risk_weight_factor: [say('Risk weight factor'), say('How much less trust raises the price.')],
            min_trust_score: [say('Minimum trust score'), say('Below it nobody is guaranteed.')],
          }}
        />
      )}
    </ChosenPool>
  );
}

export function PoolLimitsFields(props: FieldsProps) {
  return (
    <ChosenPool {...props}>
      {(pool) => (
        <>
          <p className="text-small text-ink-2">{say('On these settings members of the pool decide by two thirds.')}</p>
          <FieldsNow now={limitsNow(pool)} ranges={POOL_LIMIT_RANGES} labels={limitLabels()} />
        </>
      )}
    </ChosenPool>
  );
}

const limitLabels = (): Labels<keyof typeof POOL_LIMIT_RANGES> => ({
  exposure_multiple: [
    say('Guarantees for each shilling in the pool'),
    say('1 means that all of its money may stand behind guarantees.'),
  ],
  kink: [say('Part of the capacity above which it is dearer'), say('0.6 means six tenths.')],
  max_borrower_share: [say('One borrower gets at most (%)'), say('Of the money in the pool.')],
  max_cover: [say('One loan is covered to (%)'), say('Of what was borrowed.')],
  max_active_per_borrower: [say('Guarantees of one borrower at a time'), ''],
  fee_members: [say('Fees: to members (%)'), say('The three parts are 100 together.')],
  fee_reserve: [say('Fees: to the reserve (%)'), ''],
  fee_sacco: [say('Fees: to the sacco (%)'), ''],
  reserve_draw: [say('One call may draw of the reserve (%)'), ''],
  notice_days: [say('Notice of withdrawal (days)'), say('Notices that were given keep their day.')],
  auto_limit: [say('Approved without the stewards up to'), ''],
  auto_limit_share: [say('And up to this part of the pool (%)'), say('The smaller of both holds.')],
  rate_cap: [say('No price above (% a year)'), ''],
});

type Labels<Name extends string> = Readonly<Record<Name, readonly [label: string, hint: string]>>;

/** Numbers, each beside what holds now and what may be entered. */
function FieldsNow<Name extends string>({
  now,
  ranges,
  labels,
}: {
  now: Readonly<Record<Name, number>>;
  ranges: Readonly<Record<Name, { readonly least: string; readonly most: string }>>;
  labels: Labels<Name>;
}) {
  return (
    <Two>
      {(Object.keys(ranges) as Name[]).map((name) => {
        const [label, meaning] = labels[name];
        const { least, most } = ranges[name];
        const isMoney = name === 'min_contribution' || name === 'auto_limit';
        const shown = isMoney ? formatShillings(now[name]) : String(now[name]);
        const hint = [
          say('Now: {value}. From {least} to {most}.', { value: shown, least: short(least), most: short(most) }),
          meaning,
        ];
        const Control = isMoney ? MoneyField : TextField;
        return (
          <Control
            key={name}
            label={label}
            name={name}
            required
            inputMode="decimal"
            autoComplete="off"
            className="num"
            defaultValue={now[name]}
            hint={hint.join(' ').trim()}
          />
        );
      })}
    </Two>
  );
}

/** A bound without the decimals that say nothing. */
const short = (bound: string) => Number(bound).toLocaleString('en-KE');

/** Whoever drafts it offers to be a steward. */
export function PoolStewardFields(props: FieldsProps) {
  return (
    <ChosenPool {...props}>
      {(pool) => (
        <>
          <Stewards pool={pool} />
          <p className="text-small text-ink-2">
            {say(
              'You offer to be a steward yourself. Members of the pool sign it, and then vote in secret on whether you are one.',
            )}
          </p>
        </>
      )}
    </ChosenPool>
  );
}

export function PoolStewardEndFields(props: FieldsProps) {
  return (
    <ChosenPool {...props}>
      {(pool) => {
        const others = pool.stewards?.filter(({ is_me }) => !is_me) ?? [];
        return (
          <>
            <Stewards pool={pool} />
            {pool.stewards_count < 2 ? (
              <p className="text-small text-ink-2">
                {say('A pool is never without a steward. Members elect another one first.')}
              </p>
            ) : (
              <SelectField
                label={say('Who shall be a steward no more?')}
                name="steward"
                hint={say('Members of the pool vote in secret. Whoever it is about may answer before voting begins.')}
              >
                {others.map((steward) => (
                  <option key={steward.id} value={steward.id}>
                    {nameOf(steward)}
                  </option>
                ))}
              </SelectField>
            )}
          </>
        );
      }}
    </ChosenPool>
  );
}

/** Who decides about guarantees now. */
function Stewards({ pool }: { pool: PoolDetails }) {
  const names = pool.stewards?.map((steward) =>
    steward.is_elected ? nameOf(steward) : say('{name} (created the pool)', { name: nameOf(steward) }),
  );
  if (!names) return null;
  return (
    <p className="rounded-box bg-sunken px-4 py-3 text-small">
      {say('Stewards now: {names}.', { names: names.join(', ') })}{' '}
      <span className="text-ink-2">{say('Members elect {n} at most.', { n: POOL_STEWARDS_MAX })}</span>
    </p>
  );
}

/** From when on members may give a claim up, in milliseconds. */
const givenUpFrom = ({ at }: Pick<PoolCall, 'at'>): number => Date.parse(at) + WRITE_OFF_AFTER_DAYS * DAY_MS;

/** Why no claim is offered: nothing is owed, or all of it is too young. */
function whyNoClaim(owed: readonly PoolCall[]): string {
  if (owed.length === 0) return say('No borrower owes this pool anything.');
  const first = Math.min(...owed.map(givenUpFrom));
  return say('No claim is two years old yet. The first may be given up from {day} on.', {
    day: longDate(new Date(first).toISOString()),
  });
}

export function PoolWriteOffFields(props: FieldsProps) {
  return (
    <ChosenPool {...props}>
      {(pool) => {
        const owed = pool.calls?.filter(({ still_out, is_given_up }) => still_out > 0 && !is_given_up) ?? [];
        const claims = owed.filter((call) => givenUpFrom(call) <= now());
        return claims.length === 0 ? (
          <p className="text-small text-ink-2">{whyNoClaim(owed)}</p>
        ) : (
          <ClaimField claims={claims} />
        );
      }}
    </ChosenPool>
  );
}

const paidOf = ({ members, reserve }: PoolCall): string => formatShillings(members + reserve);

/** Claims by the day and what the pool paid, as the vote shows them; of the chosen one also what is still out. */
function ClaimField({ claims }: { claims: readonly PoolCall[] }) {
  const [contract, setContract] = useState(claims[0]?.contract);
  const chosen = claims.find((claim) => claim.contract === contract);
  const figures =
    chosen &&
    say('The pool paid {paid} on {day}. Still out: {out}.', {
      paid: paidOf(chosen),
      day: longDate(chosen.at),
      out: formatShillings(chosen.still_out),
    });
  const rule = say(
    'Two years after the pool paid, its members may give a claim up. What the borrower pays later is still shared out.',
  );
  return (
    <SelectField
      label={say('Which claim?')}
      name="contract"
      value={contract}
      onChange={({ target }) => setContract(target.value)}
      hint={[figures, rule].join(' ').trim()}
    >
      {claims.map((claim) => (
        <option key={claim.contract} value={claim.contract}>
          {`${longDate(claim.at)} · ${paidOf(claim)}`}
        </option>
      ))}
    </SelectField>
  );
}
