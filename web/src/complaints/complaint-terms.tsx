import type { changeComplaintTerms } from '@ushirika/contract/complaints';
import type { ClientProfile } from '@ushirika/contract/identity';
import type { Office } from '@ushirika/contract/route';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { refresh } from '../api/queries.ts';
import { ChangeCard } from '../saccos/change-card.tsx';
import { openOf, useSaccoChanges } from '../saccos/changes.queries.ts';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/fields.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { useComplaintTerms } from './complaints.queries.ts';

/** As the contract has it for `changeComplaintTerms`. */
const PROPOSERS: ReadonlySet<Office> = new Set(['chair', 'secretary', 'treasurer']);

type Limits = 'answer_days' | 'resolve_days';

/** How long the officials may take, changed by two of chair, secretary and treasurer. */
export function ComplaintTerms({ profile, sacco }: { profile: ClientProfile; sacco: string }) {
  const { data: terms } = useComplaintTerms(sacco);
  const { data: changes } = useSaccoChanges(sacco);
  const waiting = openOf(changes?.results, 'complaint_terms');
  const mayPropose = profile.roles.some((role) => role.sacco === sacco && role.office && PROPOSERS.has(role.office));
  const submit = async (body: Record<Limits, string>) => {
    const answer = await call<typeof changeComplaintTerms>('PUT', '/sacco/complaint-terms', { body });
    toast.success(answer.message);
    await refresh(['Sacco']);
  };
  return (
    <>
      {waiting && <ChangeCard change={waiting} sacco={sacco} />}
      {mayPropose && terms && (
        <Card className="p-5">
          <h2 className="text-lead">{say('Time limits')}</h2>
          <p className="mt-1 mb-4 max-w-[70ch] text-small text-ink-2">
            {say(
              'A first answer within 14 days at most, the final one within 30. Shorter limits stand on your public page. Two officials change them together, for complaints that come later.',
            )}
          </p>
          <ApiForm<Limits>
            key={`${terms.answer_days}/${terms.resolve_days}`}
            label={say('Time limits')}
            className="grid items-start gap-4 sm:grid-cols-[1fr_1fr_auto]"
            required={['answer_days', 'resolve_days']}
            emptyMessage={say('Enter both limits.')}
            submit={submit}
          >
            <TextField
              label={say('Days to a first answer')}
              name="answer_days"
              inputMode="numeric"
              defaultValue={terms.answer_days}
            />
            <TextField
              label={say('Days to the final answer')}
              name="resolve_days"
              inputMode="numeric"
              defaultValue={terms.resolve_days}
            />
            <SubmitButton
              look="line"
              className="w-full sm:mt-6.5"
              busyLabel={say('processing...')}
              disabledReason={waiting ? say('Another change is already waiting. Decide on that first.') : null}
            >
              {say('Propose')}
            </SubmitButton>
          </ApiForm>
        </Card>
      )}
    </>
  );
}
