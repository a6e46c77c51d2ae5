import type { changePoolState, PoolDetails } from '@ushirika/contract/pools';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { withProof } from '../api/with-proof.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { type StewardAct, stewardWords } from './pool-words.ts';
import { refreshPools } from './pools.queries.ts';

/** A steward suspends a pool, opens it again or begins to close it, with a reason. */
export function PoolStateDialog({ pool, act, onClose }: { pool: PoolDetails; act: StewardAct; onClose: () => void }) {
  const because = say('You act as a steward of the pool. Enter your password once more.');
  const submit = async ({ reason }: Record<'reason', string>) => {
    const asked = { params: { id: pool.id }, body: { act, reason } };
    const answer = await withProof(
      () => call<typeof changePoolState>('POST', '/guarantors/pools/{id}/state', asked),
      because,
    );
    toast.success(answer.message);
    onClose();
    await refreshPools();
  };
  const leads: Record<StewardAct, string> = {
    suspend: say(
      'For 30 days it gives no new guarantees, or until two stewards open it again. Those that are out go on, and members can give notice. You can suspend it again 90 days later.',
    ),
    reopen: say('It gives guarantees again.'),
    close: say(
      'It gives no new guarantees, and its votes and the requests that wait end. Everybody is paid out once no guarantee is left.',
    ),
  };
  return (
    <Dialog title={stewardWords(act)} onClose={onClose}>
      <ApiForm<'reason'>
        keptAs={`${act} pool ${pool.id}`}
        required={['reason']}
        emptyMessage={say('Write the reason.')}
        submit={submit}
      >
        <p className="text-ink-2">{leads[act]}</p>
        {act === 'suspend' ? null : (
          <p className="text-ink-2">
            {pool.deciders_count > 1
              ? say('Two stewards must say so: you are one of them.')
              : say('You are the only steward: it takes effect at once.')}
          </p>
        )}
        <TextArea
          label={say('Reason')}
          name="reason"
          required
          maxLength={300}
          hint={say('The members of the pool read it.')}
        />
        <SubmitButton look={act === 'reopen' ? 'main' : 'clay'} busyLabel={say('processing...')}>
          {stewardWords(act)}
        </SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
