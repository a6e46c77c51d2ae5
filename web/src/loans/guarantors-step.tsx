import type { LoanQuote } from '@ushirika/contract/loans';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { MoneyField } from '../ui/fields.tsx';
import { Money, Progress } from '../ui/figures.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';
import { centsForGuarantors, centsTyped, inEqualParts, typedCents } from './loan.rules.ts';
import { type Found, MemberSearch, mayNotGuarantee } from './member-search.tsx';
import { needsNoGuarantor } from './quote-figures.tsx';

/** A member who is to be asked, with the amount as it is typed. */
export interface Asked extends Found {
  readonly amount: string;
}

/** As the contract has it. */
export const GUARANTORS_MAX = 10;

/** Cents that those who are to be asked would cover. */
export const coveredBy = (asked: readonly Asked[]) =>
  asked.reduce((sum, { amount }) => sum + (centsTyped(amount) ?? 0), 0);

/** How many more members have to be asked: none where savings, alone or with a pool, cover the loan. */
export const guarantorsMissing = ({
  quote,
  neededCents,
  asked,
}: {
  quote: LoanQuote;
  neededCents: number;
  asked: readonly Asked[];
}) => (neededCents === 0 ? 0 : Math.max(0, quote.guarantors_needed - asked.length));

/** Who is asked to guarantee, and how much: the amounts add up to what savings do not cover. */
export function GuarantorsStep({
  quote,
  poolCents,
  asked,
  onChange,
  children,
}: {
  quote: LoanQuote;
  /** What a pool stands for. */
  poolCents: number;
  asked: readonly Asked[];
  onChange: (asked: readonly Asked[]) => void;
  /** The choice of a pool. */
  children: ReactNode;
}) {
  const neededCents = centsForGuarantors(quote, poolCents);
  const needsNone = neededCents === 0 && asked.length === 0;
  const add = (member: Found) => onChange(shared([...asked, { ...member, amount: '' }], neededCents));
  const drop = (id: string) => onChange(asked.filter((each) => each.id !== id));
  const type = (id: string, amount: string) =>
    onChange(asked.map((each) => (each.id === id ? { ...each, amount } : each)));
  return (
    <div className="grid gap-4">
      {needsNone ? (
        <p className="font-medium text-up">{needsNoGuarantor(poolCents)}</p>
      ) : (
        <p className="text-ink-2">
          {say(
            'Each of them reads the whole request, and signs with a code from an SMS or says no. Talk to them first.',
          )}
        </p>
      )}
      {children}
      {!needsNone && <CoverBar quote={quote} neededCents={neededCents} asked={asked} />}
      {asked.length > 0 && (
        <ul>
          {asked.map((each) => (
            <li key={each.id} className="rule grid grid-cols-[1fr_auto] items-end gap-x-3 gap-y-1 py-3">
              <MoneyField
                label={each.name}
                name={`amount-${each.id}`}
                value={each.amount}
                onChange={({ currentTarget }) => type(each.id, currentTarget.value)}
              />
              <Button
                look="quiet"
                aria-label={say('Take out {name}', { name: each.name })}
                onClick={() => drop(each.id)}
              >
                <Icon name="close" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asked.length > 1 && neededCents > 0 && (
        <Button look="line" onClick={() => onChange(shared(asked, neededCents))}>
          {say('Share it equally')}
        </Button>
      )}
      {neededCents > 0 && asked.length < GUARANTORS_MAX && (
        <MemberSearch
          taken={asked.map(({ id }) => id)}
          act={say('Ask to guarantee')}
          whyNot={mayNotGuarantee}
          onChoose={add}
        />
      )}
      {asked.length === GUARANTORS_MAX && (
        <p className="text-small text-ink-2">{say('A loan has at most 10 guarantors.')}</p>
      )}
    </div>
  );
}

/** Everybody for an equal part of what is to be covered. */
function shared(asked: readonly Asked[], cents: number): Asked[] {
  const parts = inEqualParts(cents, asked.length);
  return asked.map((each, index) => ({ ...each, amount: parts[index] ? typedCents(parts[index]) : each.amount }));
}

function CoverBar({ quote, neededCents, asked }: { quote: LoanQuote; neededCents: number; asked: readonly Asked[] }) {
  const covered = coveredBy(asked) / 100;
  const missing = Math.max(0, neededCents - coveredBy(asked)) / 100;
  const people = guarantorsMissing({ quote, neededCents, asked });
  return (
    <div className="rounded-box bg-sunken px-4 py-3">
      <p className="num mb-1.5 flex flex-wrap justify-between gap-x-4 text-small">
        <span className="text-ink-2">
          {say('Your savings stand for')} <Money shillings={quote.own_cover} />
        </span>
        <span className="font-semibold">
          <Money shillings={covered} /> {say('of')} <Money shillings={neededCents / 100} />
        </span>
      </p>
      <Progress
        value={Math.min(coveredBy(asked), neededCents)}
        max={neededCents || 1}
        label={say('Covered by guarantors')}
      />
      <p role="status" className="num mt-2 text-small font-medium">
        {missing > 0 ? (
          <span className="text-ochre-ink">
            {say('Still to be covered:')} <Money shillings={missing} />
          </span>
        ) : people > 0 ? null : (
          <span className="text-up">{say('The amounts cover the loan.')}</span>
        )}{' '}
        {people > 0 && (
          <span className="text-ochre-ink">
            {say('{n, plural, one {One more guarantor is needed.} other {# more guarantors are needed.}}', {
              n: people,
            })}
          </span>
        )}
      </p>
    </div>
  );
}
