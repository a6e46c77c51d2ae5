import { centsOf, formatShillings } from '@ushirika/contract/format';
import type { DeskLoanDetail, Guarantee } from '@ushirika/contract/loans';
import type { Office } from '@ushirika/contract/route';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { say } from '../words/say.ts';
import { Barred } from './barred.tsx';
import { sendSubstitution } from './loans-desk.queries.ts';
import { useAct } from './use-act.ts';

/** A guarantor who has signed to stand in for another one: the committee confirms the exchange, or refuses it. */
export function SubstitutionCard({
  loan,
  standIn,
  offices,
}: {
  loan: DeskLoanDetail;
  standIn: Guarantee;
  offices: readonly Office[];
}) {
  const { busy, run } = useAct();
  const leaving = loan.guarantees.find(({ id }) => id === standIn.replaces);
  const barred =
    loan.barred ?? (offices.includes('credit_committee') ? null : say('The credit committee decides about it.'));
  const decide = (decision: 'confirm' | 'refuse') => run(() => sendSubstitution(standIn.id, decision));
  return (
    <Card className="border-ochre p-5">
      <h2 className="text-lead">{say('A new guarantor')}</h2>
      <p className="num mt-1">
        {leaving
          ? say('{name} has signed for {amount}, in place of {other}, who still pledges {pledged}.', {
              name: standIn.name,
              amount: formatShillings(standIn.amount),
              other: leaving.name,
              pledged: formatShillings(leaving.pledged),
            })
          : say('{name} has signed for {amount}.', { name: standIn.name, amount: formatShillings(standIn.amount) })}
      </p>
      <p className="mt-1 text-small text-ink-2">
        {say('Both change at the same moment. Until then the present guarantor stays bound.')}
        {leaving &&
          standIn.amount > leaving.pledged &&
          ` ${say('The loan was repaid in part meanwhile: {surplus} of it is then free again.', { surplus: formatShillings((centsOf(standIn.amount) - centsOf(leaving.pledged)) / 100) })}`}
      </p>
      <Barred words={barred} />
      <div className="mt-4 grid gap-2.5">
        <Button busy={busy} disabledReason={barred} onClick={() => void decide('confirm')}>
          {busy ? say('processing...') : say('Confirm the exchange')}
        </Button>
        <Button look="line" busy={busy} disabledReason={barred} onClick={() => void decide('refuse')}>
          {say('Refuse')}
        </Button>
      </div>
    </Card>
  );
}
