import type { IdentityCheck } from '@ushirika/contract/identity';
import { useState } from 'react';
import { documentWords } from '../identity/identity-words.ts';
import { officeWords } from '../saccos/office-words.ts';
import { Button } from '../ui/button.tsx';
import { Tag } from '../ui/card.tsx';
import { LongDate } from '../ui/figures.tsx';
import { nameOf } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** Records of ID cards, each with the way to take it back. */
export function IdentityCheckList({
  rows,
  send,
}: {
  rows: readonly IdentityCheck[];
  send: (id: string, reason: string) => Promise<{ message: string }>;
}) {
  const [withdrawing, setWithdrawing] = useState<IdentityCheck | null>(null);
  return (
    <>
      <ul>
        {rows.map((check) => (
          <li key={check.id} className="rule flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
            <div className="min-w-0 grow basis-60">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
                {nameOf(check.person)}
                {check.looks_related && !check.ended && <Tag tone="clay">{say('Related accounts')}</Tag>}
                {check.ended && <Tag tone="plain">{endWords(check.ended)}</Tag>}
              </p>
              <p className="text-small text-ink-2">
                {documentWords(check.document)} · {byWords(check)} · <LongDate iso={check.seen_at} time />
              </p>
              {check.ended?.reason && (
                <p className="text-small text-ink-2">
                  {check.ended.by?.name}: {check.ended.reason}
                </p>
              )}
            </div>
            {check.may_withdraw && (
              <Button look="line" onClick={() => setWithdrawing(check)} className="max-sm:w-full">
                {say('Take the record back')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {withdrawing && (
        <ReasonDialog
          about={withdrawing.id}
          title={say('Take the record of {name} back', { name: nameOf(withdrawing.person) })}
          lead={say('It counts no more, and the person is asked to show the card again. It stays in the list.')}
          submitLabel={say('Take the record back')}
          look="clay"
          reasonHint={say('Kept in the list with your name.')}
          send={({ reason }) => send(withdrawing.id, reason)}
          onClose={() => setWithdrawing(null)}
        />
      )}
    </>
  );
}

function byWords({ seen_by, office, sacco }: IdentityCheck): string {
  if (!office) return say('{name}, Ushirika', { name: seen_by.name });
  return say('{name}, {office} of {sacco}', {
    name: seen_by.name,
    office: officeWords(office),
    sacco: sacco?.name ?? '',
  });
}

function endWords({ kind }: NonNullable<IdentityCheck['ended']>): string {
  return kind === 'withdrawn' ? say('No longer counts') : say('The name has changed');
}
