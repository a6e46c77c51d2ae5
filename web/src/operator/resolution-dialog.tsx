import type { MoneyException, resolveMoneyException } from '@ushirika/contract/operator';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { SelectField, TextField } from '../ui/fields.tsx';
import { Money } from '../ui/figures.tsx';
import { nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { ReasonDialog } from './reason-dialog.tsx';

export type Resolution = MoneyException['actions'][number];

/** Resolves a money exception, once: to a member, out again, or as nothing to do. */
export function ResolutionDialog({
  exception,
  action,
  onClose,
}: {
  exception: MoneyException;
  action: Resolution;
  onClose: () => void;
}) {
  const candidates = candidatesOf(exception);
  // A claim alone proves nothing: who claimed it is never the one proposed.
  const [whom, setWhom] = useState(exception.owner?.id ?? 'other');
  const isOther = whom === 'other';
  const isReserve = isReserved(exception);
  const asksWhom = action === 'credit' && !isReserve;
  const send = ({ user, reason }: Record<'user' | 'reason', string>, idempotencyKey: string) => {
    const named = isOther ? user : whom;
    return call<typeof resolveMoneyException>('POST', '/operator/deposits/{id}/resolution', {
      params: { id: exception.id },
      body: { action, reason, ...(asksWhom && named ? { user: named } : {}) },
      idempotencyKey,
    });
  };
  const words = wordsOf(action, isReserve);
  return (
    <ReasonDialog<'user'>
      about={exception.id}
      title={words.title}
      lead={
        <>
          {exception.amount !== null && (
            <p className="text-title font-semibold text-ink">
              <Money shillings={exception.amount} />
            </p>
          )}
          <p className="mt-1">{exception.text}</p>
          <p className="mt-2 font-medium text-ink">{words.effect}</p>
        </>
      }
      submitLabel={words.submit}
      look={action === 'credit' ? 'main' : 'clay'}
      required={asksWhom && isOther ? ['user'] : []}
      fields={
        asksWhom && (
          <>
            {candidates.length > 0 && (
              <SelectField
                label={say('To whom')}
                name="whom"
                value={whom}
                onChange={(event) => setWhom(event.target.value)}
              >
                {candidates.map(({ id, words }) => (
                  <option key={id} value={id}>
                    {words}
                  </option>
                ))}
                <option value="other">{say('Another member')}</option>
              </SelectField>
            )}
            {isOther && (
              <TextField
                label={say('ID number of the member')}
                name="user"
                required
                maxLength={40}
                autoComplete="off"
                autoCapitalize="characters"
              />
            )}
          </>
        )
      }
      send={send}
      onClose={onClose}
    />
  );
}

/** Who may well be meant: whose phone paid, and who claimed it. An operator decides. */
function candidatesOf({ owner, claimant }: MoneyException): readonly { id: string; words: string }[] {
  const candidates = [];
  if (owner) candidates.push({ id: owner.id, words: say('{name}, whose phone it is', { name: nameOf(owner) }) });
  if (claimant && claimant.id !== owner?.id)
    candidates.push({ id: claimant.id, words: say('{name}, who claimed it', { name: nameOf(claimant) }) });
  return candidates;
}

/** What the button for an action says. */
export function actionLabel(exception: MoneyException, action: Resolution): string {
  return wordsOf(action, isReserved(exception)).submit;
}

/** Money reserved for a withdrawal can only go back to whom it belongs, or count as paid. */
function isReserved(exception: MoneyException): boolean {
  return exception.held_in === 'reserve';
}

/** What was done, from the word that is stored. */
export function resolutionWords(action: string): string {
  if (action === 'credit') return say('Credited');
  if (action === 'return_note') return say('Noted as returned');
  return action === 'dismiss' ? say('Dismissed') : say('Settled by itself');
}

function wordsOf(action: Resolution, isReserve: boolean): { title: string; effect: string; submit: string } {
  if (action === 'dismiss') {
    return {
      title: say('Dismiss this exception'),
      effect: say('Nothing moves in the books. The exception is closed.'),
      submit: say('Dismiss it'),
    };
  }
  if (action === 'credit') {
    return {
      title: isReserve ? say('Give the money back') : say('Credit to a member'),
      effect: isReserve
        ? say('The reserved money goes back to the wallet of the member who withdrew it.')
        : say('The money goes from suspense to the member’s wallet. It cannot be undone here.'),
      submit: isReserve ? say('Give it back') : say('Credit'),
    };
  }
  return {
    title: isReserve ? say('Note as paid out') : say('Note as returned'),
    effect: isReserve
      ? say('The withdrawal counts as paid: M-Pesa’s own statement must show it.')
      : say('The money leaves our books: M-Pesa’s own statement must show that it went back.'),
    submit: isReserve ? say('Note as paid out') : say('Note as returned'),
  };
}
