import type { DeskLoanDetail } from '@ushirika/contract/loans';
import { ApiForm } from '../api/api-form.tsx';
import { Choice } from '../complaints/choice.tsx';
import { Card } from '../ui/card.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { Barred } from './barred.tsx';
import { Fingerprint } from './fingerprint.tsx';
import { refreshDesk, sendReview } from './loans-desk.queries.ts';

type Decision = DeskLoanDetail['reviews'][number]['decision'];

/** One official's vote about an application, with its reason, over the terms that were on the page. */
export function ReviewForm({ loan }: { loan: DeskLoanDetail }) {
  const { id, key_facts, may } = loan;
  const barred = may.includes('review') ? null : (loan.barred ?? say('This decision is not yours to make.'));
  const submit = async ({ decision, reason }: Record<'decision' | 'reason', string>) => {
    const body = { decision: decision as Decision, reason, terms_hash: key_facts.hash };
    const answer = await sendReview(id, body);
    toast.success(answer.message);
    await refreshDesk();
  };
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Your vote')}</h2>
      <Barred words={barred ?? loan.second_account} />
      {!barred && (
        <ApiForm<'decision' | 'reason'>
          keptAs={`loan review ${id}`}
          label={say('Your vote')}
          className="mt-3 grid gap-4"
          required={['decision', 'reason']}
          emptyMessage={say('Choose what you decide, and say why.')}
          submit={submit}
        >
          <Choice
            legend={say('What do you decide?')}
            name="decision"
            ways={[
              ...(loan.second_account ? [] : [approval()]),
              {
                value: 'return',
                words: say('Send back'),
                more: say('The borrower changes what you name, and submits again.'),
              },
              {
                value: 'reject',
                words: say('Reject'),
                more: say('Once two officials reject it, it is over, and all pledges are free.'),
              },
            ]}
          />
          <TextArea
            label={say('Reason')}
            name="reason"
            required
            rows={4}
            maxLength={500}
            hint={say('Kept with your name. The borrower reads why a loan was sent back or rejected.')}
          />
          <SubmitButton busyLabel={say('processing...')}>{say('Cast your vote')}</SubmitButton>
        </ApiForm>
      )}
      <Fingerprint hash={key_facts.hash} />
    </Card>
  );
}

const approval = () => ({
  value: 'approve',
  words: say('Approve'),
  more: say('Once enough officials approve, the borrower gets the offer.'),
});
