import { formatShillings } from '@ushirika/contract/format';
import type {
  disputePoolCall,
  giveGuaranteeBack,
  PoolContractDetail,
  writeOffPoolClaim,
} from '@ushirika/contract/pools';
import { useState } from 'react';
import { ApiForm, explainFailure } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { withProof } from '../api/with-proof.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { LongDate } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { PayBackDialog } from './pool-money-dialogs.tsx';
import { refreshPools } from './pools.queries.ts';

/** What a steward may do with a guarantee: object to a demand, or give a claim up; members propose a vote on that. Its borrower may give it back unused, or pay back what the pool paid. */
export function ContractActs({ contract }: { contract: PoolContractDetail }) {
  const { may } = contract;
  const [asked, setAsked] = useState<PoolContractDetail['may'][number] | null>(null);
  if (may.length === 0) return null;
  return (
    <div className="grid gap-2.5 sm:flex">
      {may.includes('dispute') && <Button onClick={() => setAsked('dispute')}>{say('Object to the demand')}</Button>}
      {may.includes('write_off') && (
        <Button look="line" onClick={() => setAsked('write_off')}>
          {say('Give the claim up')}
        </Button>
      )}
      {may.includes('propose_write_off') && (
        <LinkButton look="line" to={paths.clientDraftTerms('pool_write_off', contract.pool.id)}>
          {say('Propose to give the claim up')}
        </LinkButton>
      )}
      {may.includes('give_back') && (
        <Button look="line" onClick={() => setAsked('give_back')}>
          {say('Give the guarantee back')}
        </Button>
      )}
      {may.includes('pay_back') && <Button onClick={() => setAsked('pay_back')}>{say('Pay it back')}</Button>}
      {asked === 'give_back' && may.includes('give_back') && (
        <GiveBackDialog contract={contract} onClose={() => setAsked(null)} />
      )}
      {asked === 'pay_back' && <PayBackDialog contract={contract} onClose={() => setAsked(null)} />}
      {(asked === 'dispute' || asked === 'write_off') && (
        <ReasonDialog contract={contract} act={asked} onClose={() => setAsked(null)} />
      )}
    </div>
  );
}

/** Says what giving it back does before it is done: what comes free, and how long the next one has to wait. */
function GiveBackDialog({ contract, onClose }: { contract: PoolContractDetail; onClose: () => void }) {
  const { id, outstanding, my_lock, loan, ask_again_at } = contract;
  const [busy, setBusy] = useState(false);
  const give = async () => {
    setBusy(true);
    try {
      const path = '/guarantors/pools/contracts/{id}/return';
      const answer = await call<typeof giveGuaranteeBack>('POST', path, { params: { id } });
      toast.success(answer.message);
      onClose();
    } catch (error) {
      toast.error(wordsFor(error));
    }
    await refreshPools();
    setBusy(false);
  };
  return (
    <Dialog title={say('Give the guarantee back?')} onClose={onClose}>
      <ul className="num grid list-disc gap-2 pl-5">
        <li>
          {say('{amount} of the pool’s money is free again at once, {own} of it your own. No fee is taken.', {
            amount: formatShillings(outstanding),
            own: formatShillings(my_lock),
          })}
        </li>
        {loan && <li>{say('Your application that names it is not covered by it any more. The application stays.')}</li>}
        {ask_again_at && (
          <li>
            {say('You can ask this pool for another guarantee from')} <LongDate iso={ask_again_at} time />.{' '}
            {say('You wait as long as its money was locked, one day at least.')}
          </li>
        )}
      </ul>
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button busy={busy} onClick={() => void give()}>
          {busy ? say('processing...') : say('Give it back to the pool')}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Where the members of a pool can vote they give a claim up, and not its stewards: the way there. */
function ReasonDialog({
  contract: { id, pool },
  act,
  onClose,
}: {
  contract: PoolContractDetail;
  act: 'dispute' | 'write_off';
  onClose: () => void;
}) {
  const [isByVote, setByVote] = useState(false);
  const isDispute = act === 'dispute';
  const explain = (error: unknown) => {
    setByVote(error instanceof CallFailure && error.code === 'change_conflict');
    return explainFailure(error);
  };
  const submit = async ({ reason }: Record<'reason', string>) => {
    const asked = { params: { id }, body: { reason } };
    const answer = isDispute
      ? await call<typeof disputePoolCall>('POST', '/guarantors/pools/contracts/{id}/dispute', asked)
      : await withProof(
          () => call<typeof writeOffPoolClaim>('POST', '/guarantors/pools/contracts/{id}/write-off', asked),
          say('You act as a steward of the pool. Enter your password once more.'),
        );
    toast.success(answer.message);
    onClose();
    await refreshPools();
  };
  return (
    <Dialog title={isDispute ? say('Object to the demand') : say('Give the claim up')} onClose={onClose}>
      <ApiForm<'reason'>
        keptAs={`${act} of contract ${id}`}
        required={['reason']}
        emptyMessage={say('Write the reason.')}
        submit={submit}
        explain={explain}
      >
        <p className="text-ink-2">
          {isDispute
            ? say('Nothing is paid until the supervisory committee of the sacco has decided.')
            : say('The claim leaves the pool’s books. What the borrower pays later is still shared out.')}
        </p>
        <TextArea label={say('Reason')} name="reason" required maxLength={isDispute ? 500 : 300} />
        {isByVote ? (
          <LinkButton to={paths.clientDraftTerms('pool_write_off', pool.id)}>{say('Draft a vote')}</LinkButton>
        ) : (
          <SubmitButton look="clay" busyLabel={say('processing...')}>
            {isDispute ? say('Object to the demand') : say('Give the claim up')}
          </SubmitButton>
        )}
      </ApiForm>
    </Dialog>
  );
}
