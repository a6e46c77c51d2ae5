import type {
  activateSaccoRoute,
  OperatorSacco,
  reinstateSaccoRoute,
  rejectSaccoRoute,
  suspendSaccoRoute,
  upholdSaccoSuspensionRoute,
} from '@ushirika/contract/operator';
import type { SaccoState } from '@ushirika/contract/saccos';
import { call } from '../api/call.ts';
import type { ButtonLook } from '../ui/button.tsx';
import { say } from '../words/say.ts';
import { ReasonDialog } from './reason-dialog.tsx';

type Sent = { params: { id: string }; body: { reason: string }; idempotencyKey: string };

export interface SaccoDecision {
  readonly name: 'activate' | 'reject' | 'suspend' | 'uphold' | 'reinstate';
  readonly look: ButtonLook;
  /** From which state. */
  readonly from: SaccoState;
  readonly words: () => string;
  readonly title: (sacco: string) => string;
  readonly lead: () => string;
  /** The hint below the reason: who reads it. Without one it says that it is kept in the log. */
  readonly reasonHint?: () => string;
  readonly send: (input: Sent) => Promise<{ message: string }>;
}

const DECISIONS: readonly SaccoDecision[] = [
  {
    name: 'activate',
    look: 'main',
    from: 'pending',
    words: () => say('Activate'),
    title: (sacco) => say('Activate {sacco}', { sacco }),
    lead: () => say('People can join it and buy its shares from then on.'),
    send: (input) => call<typeof activateSaccoRoute>('POST', '/operator/saccos/{id}/activation', input),
  },
  {
    name: 'reject',
    look: 'line',
    from: 'pending',
    words: () => say('Reject'),
    title: (sacco) => say('Reject {sacco}', { sacco }),
    lead: () => say('The founder and the officials may mend the application and send it again.'),
    reasonHint: () => say('The founder and the officials read it. It is kept in the log with your name.'),
    send: (input) => call<typeof rejectSaccoRoute>('POST', '/operator/saccos/{id}/rejection', input),
  },
  {
    name: 'suspend',
    look: 'clay',
    from: 'active',
    words: () => say('Suspend'),
    title: (sacco) => say('Suspend {sacco}', { sacco }),
    lead: () =>
      say(
        'Joining, buying, selling, saving and new loans stop at once. Members can still repay, withdraw and vote. It ends after 14 days unless another operator upholds it. A second operator must agree first if the sacco was suspended in the last 90 days, or if you alone keep three saccos suspended.',
      ),
    reasonHint: () => say('Kept in the log with your name. All members read it without your name.'),
    send: (input) => call<typeof suspendSaccoRoute>('POST', '/operator/saccos/{id}/suspension', input),
  },
  {
    name: 'uphold',
    look: 'clay',
    from: 'suspended',
    words: () => say('Uphold'),
    title: (sacco) => say('Uphold the suspension of {sacco}', { sacco }),
    lead: () =>
      say('It then stands until two operators reinstate the sacco. Uphold only what you have looked at yourself.'),
    reasonHint: () => say('The officials read it. It is kept in the log with your name.'),
    send: (input) =>
      call<typeof upholdSaccoSuspensionRoute>('POST', '/operator/saccos/{id}/suspension-upholding', input),
  },
  {
    name: 'reinstate',
    look: 'main',
    from: 'suspended',
    words: () => say('Reinstate'),
    title: (sacco) => say('Reinstate {sacco}', { sacco }),
    lead: () =>
      say('You propose it; another operator confirms it. Then the sacco is active again, with all that it had.'),
    send: (input) => call<typeof reinstateSaccoRoute>('POST', '/operator/saccos/{id}/reinstatement', input),
  },
];

/** What the operator who looks may decide about a sacco. */
export function decisionsFor({ state, suspension }: OperatorSacco): readonly SaccoDecision[] {
  return DECISIONS.filter(({ name, from }) => from === state && (name !== 'uphold' || suspension?.may_uphold === true));
}

/** One decision about a sacco, with its reason. */
export function SaccoDecisionDialog({
  sacco,
  decision,
  onClose,
}: {
  sacco: OperatorSacco;
  decision: SaccoDecision;
  onClose: () => void;
}) {
  const open = sacco.checklist.filter((point) => !point.met);
  return (
    <ReasonDialog
      about={sacco.id}
      title={decision.title(sacco.name)}
      lead={
        <>
          <p>{decision.lead()}</p>
          {decision.name === 'activate' && open.length > 0 && (
            <div className="mt-3 rounded-box bg-ochre-tint px-4 py-3 text-ochre-ink">
              <p className="font-semibold">{say('Open on the checklist:')}</p>
              <ul className="mt-1 list-disc pl-5 text-small">
                {open.map(({ point, label }) => (
                  <li key={point}>{label}</li>
                ))}
              </ul>
            </div>
          )}
        </>
      }
      submitLabel={decision.words()}
      look={decision.look === 'line' ? 'clay' : decision.look}
      reasonHint={decision.reasonHint?.()}
      send={({ reason }, idempotencyKey) =>
        decision.send({ params: { id: sacco.id }, body: { reason }, idempotencyKey })
      }
      onClose={onClose}
    />
  );
}
