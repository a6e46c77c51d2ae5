import { formatShillings } from '@ushirika/contract/format';
import type { LoanRecovery, RecoveryStep, RecoveryTake } from '@ushirika/contract/loan-recovery';
import { Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { stepWords } from './desk-words.ts';

export const takeOf = ({ takes }: LoanRecovery, kind: RecoveryStep): RecoveryTake | undefined =>
  takes.find(({ step }) => step === kind);

/** What a step takes as things are now: from whom, all of it, and what is still owed of the principal then. */
export function Take({ take, borrower }: { take: RecoveryTake; borrower: string }) {
  if (take.from.length === 0) {
    return (
      <p className="num mt-2 rounded-box bg-sunken px-4 py-2.5 text-small">
        {say('As things are now nothing is there to be taken.')}
      </p>
    );
  }
  return (
    <div className="num mt-2 rounded-box bg-sunken px-4 py-3 text-small">
      <p className="font-semibold">{say('What is taken, as things are now')}</p>
      <dl className="mt-1 grid gap-1">
        {take.from.map(({ source, name, amount }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
          <div key={index} className="flex flex-wrap justify-between gap-x-4">
            <dt className="min-w-0 break-words">{sourceWords(source, name ?? borrower)}</dt>
            <dd className="ml-auto">
              <Money shillings={amount} />
            </dd>
          </div>
        ))}
        <div className="mt-1 flex flex-wrap justify-between gap-x-4 border-t border-line-strong pt-1.5 font-semibold">
          <dt>{say('All that is taken')}</dt>
          <dd className="ml-auto">
            <Money shillings={take.amount} />
          </dd>
        </div>
        <div className="flex flex-wrap justify-between gap-x-4">
          <dt>{say('Principal owed after it')}</dt>
          <dd className="ml-auto">
            <Money shillings={take.principal_left} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

/** The same of all steps that the final notice is about, each as one line. */
export function AllTakes({ takes }: { takes: LoanRecovery['takes'] }) {
  if (takes.length === 0) return null;
  return (
    <div className="num mt-2 rounded-box bg-sunken px-4 py-3 text-small">
      <p className="font-semibold">{say('What could be taken after it, as things are now')}</p>
      <dl className="mt-1 grid gap-1">
        {takes.map(({ step, amount }) => (
          <div key={step} className="flex flex-wrap justify-between gap-x-4">
            <dt>{stepWords(step)}</dt>
            <dd className="ml-auto">
              <Money shillings={amount} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** What the button of the confirmation says, with the amount. */
export function takeWords({ step, amount }: RecoveryTake): string {
  const values = { amount: formatShillings(amount) };
  return step === 'pool' ? say('Call {amount}', values) : say('Take {amount}', values);
}

function sourceWords(source: RecoveryTake['from'][number]['source'], name: string): string {
  const words: Record<typeof source, string> = {
    pledged_savings: say('Savings of {name}, held for the loan', { name }),
    savings: say('Other savings of {name}', { name }),
    pool_own: say('The borrower’s own money in {name}', { name }),
    pool_reserve: say('The reserve of {name}', { name }),
    pool_members: say('Other members of {name}', { name }),
    guarantor: say('Pledge of {name}', { name }),
  };
  return words[source];
}
