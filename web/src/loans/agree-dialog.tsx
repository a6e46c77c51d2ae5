import { formatShillings } from '@ushirika/contract/format';
import type { answerRestructure, Restructure } from '@ushirika/contract/loan-recovery';
import { call } from '../api/call.ts';
import { withProof } from '../api/with-proof.ts';
import { Dialog } from '../ui/dialog.tsx';
import { longDate } from '../words/dates.ts';
import { say } from '../words/say.ts';
import { monthsInWords, noonOf } from './loan-words.ts';
import { SmsSignature } from './sms-signature.tsx';
import { SureDialog } from './sure-dialog.tsx';

interface Asked {
  readonly loan: string;
  readonly offer: Restructure;
  readonly onClose: () => void;
}

/** Asks once more before somebody is bound to a new schedule: a guarantor signs it with a code, the borrower confirms it. */
export function AgreeDialog({ pledged, ...asked }: Asked & { pledged: number | undefined }) {
  const { guarantee, terms_hash: termsHash } = asked.offer;
  if (pledged === undefined || !guarantee || !termsHash) return <BorrowerAgrees {...asked} />;
  const sign = (code: string) => sendAnswer(asked.loan, { agree: true, code, terms_hash: termsHash });
  return (
    <Dialog title={say('Agree to the new schedule?')} onClose={asked.onClose}>
      <Binds offer={asked.offer} pledged={pledged} />
      <SmsSignature
        guarantee={guarantee}
        termsHash={termsHash}
        act={say('I agree')}
        sign={sign}
        onClose={asked.onClose}
      />
    </Dialog>
  );
}

function BorrowerAgrees({ loan, offer, onClose }: Asked) {
  return (
    <SureDialog
      title={say('Agree to the new schedule?')}
      act={say('I agree')}
      send={() => sendAnswer(loan, { agree: true })}
      onClose={onClose}
    >
      <Binds offer={offer} pledged={undefined} />
    </SureDialog>
  );
}

/** What a yes binds to. */
function Binds({ offer, pledged }: { offer: Restructure; pledged: number | undefined }) {
  const { cost } = offer;
  const values = {
    amount: formatShillings(offer.principal),
    months: monthsInWords(offer.months),
    instalment: formatShillings(offer.instalment),
    first: longDate(noonOf(offer.first_due_on)),
    last: longDate(noonOf(offer.last_due_on)),
  };
  return (
    <ul className="num grid list-disc gap-2 pl-5">
      <li>{say('{amount} is repaid in {months}, at most {instalment} each month.', values)}</li>
      <li>{say('The first new instalment is due on {first}, the last one on {last}.', values)}</li>
      {cost?.running && (
        <li>
          {say('Before that, on {day}, the interest of the month under way is due: {amount}.', {
            day: longDate(noonOf(cost.running.due_on)),
            amount: formatShillings(cost.running.interest),
          })}
        </li>
      )}
      {cost && (
        <li>
          {say('Still to be paid in all: {to}. By the schedule that holds it is {from}.', {
            to: formatShillings(cost.to_pay_new),
            from: formatShillings(cost.to_pay_old),
          })}
        </li>
      )}
      <li>
        {pledged === undefined
          ? say('You cannot take your yes back. The new schedule holds from that moment.')
          : say(
              'You stand for the loan with at most {pledge} until it is repaid, by this schedule on {last}. You cannot take your yes back.',
              {
                ...values,
                pledge: formatShillings(pledged),
              },
            )}
      </li>
    </ul>
  );
}

export const sendAnswer = (
  id: string,
  body: { readonly agree: boolean; readonly code?: string; readonly terms_hash?: string },
) => withProof(() => call<typeof answerRestructure>('POST', '/loans/{id}/restructure', { params: { id }, body }));
