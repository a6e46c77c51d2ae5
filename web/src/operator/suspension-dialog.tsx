import type { decideSuspension, SuspensionAction } from '@ushirika/contract/operator';
import { call } from '../api/call.ts';
import { nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { ReasonDialog } from './reason-dialog.tsx';

export function suspensionLabel(action: SuspensionAction): string {
  if (action === 'suspend') return say('Suspend');
  return action === 'uphold' ? say('Uphold') : say('Lift');
}

/** An operator suspends an account, upholds that, or lifts it, with a reason. */
export function SuspensionDialog({
  person,
  action,
  onClose,
}: {
  person: { id: string; first_name: string; last_name: string };
  action: SuspensionAction;
  onClose: () => void;
}) {
  const name = nameOf(person);
  const titles = {
    suspend: say('Suspend the account of {name}', { name }),
    uphold: say('Uphold the suspension of {name}', { name }),
    lift: say('Open the account of {name} again', { name }),
  };
  const leads = {
    suspend: say(
      'It is signed out everywhere. Its owner may sign in again to read, vote, complain and pay what they owe. Open orders are closed, standing orders wait, and a withdrawal that was not sent yet comes back. It ends after 14 days unless a second operator upholds it.',
    ),
    uphold: say('It then stands until two operators lift it. Uphold only what you have looked at yourself.'),
    lift: say(
      'What you suspended alone ends at once, and the person is told by SMS. Any other suspension ends once another operator lifts it too.',
    ),
  };
  return (
    <ReasonDialog
      about={person.id}
      title={titles[action]}
      lead={leads[action]}
      submitLabel={suspensionLabel(action)}
      look={action === 'lift' ? 'main' : 'clay'}
      reasonHint={say('Other operators read it. It is kept in the log with your name.')}
      send={({ reason }, idempotencyKey) =>
        call<typeof decideSuspension>('POST', '/operator/people/{id}/suspension', {
          params: { id: person.id },
          body: { action, reason },
          idempotencyKey,
        })
      }
      onClose={onClose}
    />
  );
}
