import type { BodyIn, Office } from '@ushirika/contract/route';
import type { inviteToOffice, OfficeNaming } from '@ushirika/contract/saccos';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { Button } from '../ui/button.tsx';
import { Card, Tag, type TagTone } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { LongDate } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { decideNaming, refreshNamings, refuseNaming, useOfficeNamings } from './namings.queries.ts';
import { firstNoWords, officeWords } from './office-words.ts';

type Invited = BodyIn<typeof inviteToOffice>['office'];

/** As the contract has them for `inviteToOffice`. */
const INVITED: readonly Invited[] = [
  'vice_chair',
  'secretary',
  'treasurer',
  'credit_committee',
  'supervisory_committee',
  'manager',
];
/** Those that one person holds; a committee always has room. */
const OF_ONE: ReadonlySet<Office> = new Set(['vice_chair', 'secretary', 'treasurer', 'manager']);

/** For officials: the chair invites somebody to an office, and another official confirms. `held`: the offices that somebody has. */
export function OfficeNamings({ sacco, held, isChair }: { sacco: string; held: readonly Office[]; isChair: boolean }) {
  const { data } = useOfficeNamings(sacco);
  const [isInviting, setInviting] = useState(false);
  const namings = data?.results ?? [];
  if (!isChair && namings.length === 0) return null;
  return (
    <Card className="mt-5 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 max-w-[62ch]">
          <h2 className="text-lead">{say('Offices')}</h2>
          <p className="mt-1 text-small text-ink-2">
            {say(
              'The chair invites by ID number and another official confirms. Then the person accepts with a code sent by SMS.',
            )}
          </p>
        </div>
        {isChair && (
          <Button look="soft" onClick={() => setInviting(true)} className="max-sm:w-full">
            {say('Invite to an office')}
          </Button>
        )}
      </div>
      {namings.length > 0 && (
        <ul className="mt-3">
          {namings.map((naming) => (
            <NamingRow key={naming.id} sacco={sacco} naming={naming} />
          ))}
        </ul>
      )}
      {isInviting && <InviteDialog sacco={sacco} held={held} onClose={() => setInviting(false)} />}
    </Card>
  );
}

/** A person asked to take up an office, and what may be done about it now. */
export function NamingRow({ sacco, naming }: { sacco: string; naming: OfficeNaming }) {
  const [asked, setAsked] = useState<OfficeNaming['may'][number] | null>(null);
  const [tone, words] = stateWords(naming.state);
  return (
    <li className="rule flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 grow basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          {officeWords(naming.office)}: {whoWords(naming)} <Tag tone={tone}>{words}</Tag>
        </p>
        <p className="text-small text-ink-2">
          {naming.invited_by
            ? say('Invited by {name}.', { name: naming.invited_by.name })
            : say('Named by an operator of Ushirika. An official may refuse it.')}{' '}
          {naming.confirmed_by && say('Confirmed by {name}.', { name: naming.confirmed_by.name })}{' '}
          {naming.expires_at && (
            <>
              {say('Open until')} <LongDate iso={naming.expires_at} />.
            </>
          )}
        </p>
        {naming.first_no && (
          <p className="text-small break-words">{firstNoWords(naming.first_no, naming.expires_at !== null)}</p>
        )}
        {naming.refused && <p className="text-small break-words">{firstNoWords(naming.refused, false)}</p>}
        {naming.second_account && <p className="text-small">{naming.second_account}</p>}
      </div>
      {naming.may.length > 0 && (
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
          {naming.may.map((may) => (
            <Button key={may} look={may === 'confirm' ? 'main' : 'line'} onClick={() => setAsked(may)}>
              {mayWords(may)}
            </Button>
          ))}
        </div>
      )}
      {asked === 'refuse' && <RefuseDialog sacco={sacco} naming={naming} onClose={() => setAsked(null)} />}
      {asked && asked !== 'refuse' && (
        <DecideDialog sacco={sacco} naming={naming} what={asked} onClose={() => setAsked(null)} />
      )}
    </li>
  );
}

function whoWords({ member, id_number }: OfficeNaming): string {
  return member === null
    ? say('ID number {number}, no member of this sacco', { number: id_number })
    : say('{name} (ID number {number})', { name: member, number: id_number });
}

function stateWords(state: OfficeNaming['state']): [TagTone, string] {
  const words: Record<OfficeNaming['state'], [TagTone, string]> = {
    waiting: ['ochre', say('Waits for a second official')],
    asked: ['indigo', say('Asked by SMS')],
    accepted: ['forest', say('Taken up')],
    refused: ['plain', say('Refused')],
    withdrawn: ['plain', say('Taken back')],
    lapsed: ['plain', say('Lapsed')],
  };
  return words[state];
}

function mayWords(may: OfficeNaming['may'][number]): string {
  if (may === 'confirm') return say('Read and confirm');
  return may === 'refuse' ? say('Refuse') : say('Take it back');
}

function DecideDialog({
  sacco,
  naming,
  what,
  onClose,
}: {
  sacco: string;
  naming: OfficeNaming;
  what: Exclude<OfficeNaming['may'][number], 'refuse'>;
  onClose: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const decide = async () => {
    setBusy(true);
    try {
      toast.success(await decideNaming({ sacco, id: naming.id }, what));
      onClose();
    } catch (error) {
      toast.error(wordsFor(error));
      setBusy(false);
    }
    await refreshNamings();
  };
  const titles = {
    confirm: say('Confirm this invitation?'),
    withdraw: say('Take this invitation back?'),
  };
  const words = { confirm: say('Confirm'), withdraw: say('Take it back') };
  return (
    <Dialog title={titles[what]} onClose={onClose}>
      <p className="text-lead font-semibold">{officeWords(naming.office)}</p>
      <p className="mt-1">{whoWords(naming)}</p>
      <p className="mt-3 text-small text-ink-2">
        {what === 'confirm'
          ? say(
              'Say yes only if you know who has this number, and your members or your committee want them in this office. They get a code by SMS; once they accept, their name is published and they act for the sacco.',
            )
          : say('Then everything stays as it is. A code that was sent is good for nothing.')}
      </p>
      <div className="mt-5 grid gap-2.5 sm:grid-cols-2">
        <Button look={what === 'confirm' ? 'main' : 'clay'} busy={busy} onClick={() => void decide()}>
          {busy ? say('processing...') : words[what]}
        </Button>
        <Button look="line" onClick={onClose}>
          {say('Not now')}
        </Button>
      </div>
    </Dialog>
  );
}

function RefuseDialog({ sacco, naming, onClose }: { sacco: string; naming: OfficeNaming; onClose: () => void }) {
  const submit = async ({ reason }: Record<'reason', string>) => {
    toast.success(await refuseNaming({ sacco, id: naming.id }, reason));
    onClose();
    await refreshNamings();
  };
  return (
    <Dialog title={say('Refuse this invitation?')} onClose={onClose}>
      <p className="text-lead font-semibold">{officeWords(naming.office)}</p>
      <p className="mt-1 mb-3">{whoWords(naming)}</p>
      <ApiForm<'reason'>
        keptAs={`naming refusal ${naming.id}`}
        required={['reason']}
        emptyMessage={say('Write the reason.')}
        submit={submit}
      >
        <p className="text-small text-ink-2">
          {say(
            'Whoever named them and the other officials read your name and your reason. If you alone refused somebody for this office in the last 90 days, another official must say no too.',
          )}
        </p>
        <TextArea label={say('Reason')} name="reason" required maxLength={500} />
        <SubmitButton busyLabel={say('processing...')}>{say('Refuse')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}

type Fields = 'office' | 'id_number';

function InviteDialog({ sacco, held, onClose }: { sacco: string; held: readonly Office[]; onClose: () => void }) {
  const open = INVITED.filter((office) => !OF_ONE.has(office) || !held.includes(office));
  const submit = async ({ office, id_number }: Record<Fields, string>) => {
    const answer = await call<typeof inviteToOffice>('POST', '/sacco/office-invitations', {
      body: { office: office as Invited, id_number },
      saccoId: sacco,
    });
    toast.success(answer.message);
    onClose();
    await refreshNamings();
  };
  return (
    <Dialog title={say('Invite to an office')} onClose={onClose}>
      <ApiForm<Fields>
        required={['office', 'id_number']}
        emptyMessage={say('Choose the office and enter an ID number.')}
        submit={submit}
      >
        <SelectField label={say('Office')} name="office" required>
          {open.map((office) => (
            <option key={office} value={office}>
              {officeWords(office)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={say('ID Number')}
          name="id_number"
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          hint={say('Of the person who is to take it up. Nobody is asked before another official has confirmed it.')}
          className="num"
        />
        <SubmitButton busyLabel={say('processing...')}>{say('Invite')}</SubmitButton>
      </ApiForm>
    </Dialog>
  );
}
