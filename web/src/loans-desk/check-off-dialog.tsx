import type { previewCheckOff, WrongLine } from '@ushirika/contract/check-offs';
import type { ReplyOf } from '@ushirika/contract/route';
import { useState } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { CallFailure, wordsFor } from '../api/failure.ts';
import { membersInWords } from '../loans/check-off-words.ts';
import { useSacco } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FileField, TextArea, TextField } from '../ui/fields.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { fileOf, SubmitButton } from '../ui/form.tsx';
import { PhoneField } from '../ui/phone-field.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { sendList, sendPreview, type TypedList } from './check-offs-desk.queries.ts';
import { refreshDesk } from './loans-desk.queries.ts';

type Fields = 'employer' | 'payer_phone' | 'list_text';
type Preview = ReplyOf<typeof previewCheckOff>;

/** A list as it was looked up: what is sent is the very same. */
interface Checked {
  readonly typed: TypedList;
  readonly preview: Preview;
}

/** A new list: typed, pasted or from a file; looked up first, and only then made. */
export function CheckOffDialog({ onMade, onClose }: { onMade: (id: string) => void; onClose: () => void }) {
  const sacco = useSacco();
  const [checked, setChecked] = useState<Checked | null>(null);
  const submit = async ({ employer, payer_phone, list_text }: Record<Fields, string>, form: HTMLFormElement) => {
    const list = fileOf(form, 'list') ?? new File([list_text], 'list.csv', { type: 'text/csv' });
    const typed = { employer, payer_phone, list };
    setChecked({ typed, preview: await sendPreview(typed) });
    return 'unsent' as const;
  };
  return (
    <Dialog title={say('New check-off')} onClose={onClose} wide>
      {/* What is looked up is what stands in the form: a change there takes it away. */}
      <div onInput={() => setChecked(null)}>
        <ApiForm<Fields>
          keptAs={`check-off ${sacco?.id}`}
          label={say('New check-off')}
          required={['employer', 'payer_phone']}
          emptyMessage={say('Write the employer’s name and the payer’s phone.')}
          submit={submit}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={say('Employer')}
              name="employer"
              required
              maxLength={60}
              hint={say('As members know it: they read it in their messages.')}
            />
            <PhoneField label={say('Phone of the payer')} name="payer_phone" required />
          </div>
          <TextArea
            label={say('The list')}
            name="list_text"
            rows={6}
            placeholder={'0712345678, 2500\n0733000111, 1800.50'}
            hint={say(
              'One line for each member: the phone number, a comma, the amount in shillings. You can paste it.',
            )}
          />
          <FileField
            label={say('Or a file (Excel or CSV)')}
            name="list"
            accept=".xlsx,.csv,.txt,.tsv,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            hint={say(
              'If you choose a file, the list above is not used. It may have other columns: head two of them Phone and Amount.',
            )}
          />
          <SubmitButton look={checked ? 'line' : 'main'} busyLabel={say('processing...')}>
            {say('Look the list up')}
          </SubmitButton>
        </ApiForm>
      </div>
      {checked && <Found checked={checked} onMade={onMade} />}
    </Dialog>
  );
}

/** What the list comes to, or what is wrong with it. */
function Found({ checked: { typed, preview }, onMade }: { checked: Checked; onMade: (id: string) => void }) {
  const [busy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    try {
      const answer = await sendList(typed);
      toast.success(answer.message);
      await refreshDesk();
      onMade(answer.check_off.id);
    } catch (error) {
      if (!(error instanceof CallFailure && error.kind === 'aborted')) toast.error(wordsFor(error));
      setBusy(false);
    }
  };
  const { payer, lines, amount, wrong, wrong_count } = preview;
  return (
    <section aria-label={say('What the list comes to')} className="mt-5 rounded-box bg-paper px-4 py-3" role="status">
      <Facts
        facts={[
          [
            say('Payer'),
            payer ?? (
              <span key="payer" className="text-clay">
                {say('Nobody has confirmed this phone')}
              </span>
            ),
          ],
          [say('Found'), membersInWords(lines)],
          [say('The sum'), <Money key="sum" shillings={amount} />],
        ]}
      />
      {wrong_count > 0 && <WrongLines lines={wrong} count={wrong_count} />}
      {wrong_count === 0 && payer !== null && (
        <Button className="mt-4 w-full" busy={busy} onClick={() => void make()}>
          {busy ? say('processing...') : say('Send it to a second official')}
        </Button>
      )}
    </section>
  );
}

function WrongLines({ lines, count }: { lines: readonly WrongLine[]; count: number }) {
  return (
    <div className="mt-3">
      <p className="font-semibold text-clay">
        {say('{n} {n, plural, one {line is} other {lines are}} wrong. Mend the list and look it up again.', {
          n: formatCount(count),
        })}
      </p>
      <ul className="mt-1">
        {lines.map(({ line, text, cell, why }) => (
          <li key={line} className="rule py-2">
            <p className="num break-words">
              <span className="font-semibold">
                {say('Line {n}', { n: formatCount(line) })}
                {cell && ` (${cell})`}:
              </span>{' '}
              <span>{text}</span>
            </p>
            <p className="text-small text-ink-2">{why}</p>
          </li>
        ))}
      </ul>
      {count > lines.length && (
        <p className="mt-2 text-small text-ink-2">
          {say('These are the first {n}.', { n: formatCount(lines.length) })}
        </p>
      )}
    </div>
  );
}
