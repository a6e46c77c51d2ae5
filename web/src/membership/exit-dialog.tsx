import type { cancelExit, ExitBlock, ExitStatus, readExit, requestExit } from '@ushirika/contract/membership';
import type { ReplyOf } from '@ushirika/contract/route';
import { useState } from 'react';
import { Link } from 'react-router';
import { ApiForm } from '../api/api-form.tsx';
import { call } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { officeWords } from '../saccos/office-words.ts';
import { Button } from '../ui/button.tsx';
import { Facts, FailureState } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/fields.tsx';
import { formatCount, LongDate, Money, Progress } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Loading } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { useExit } from './membership.queries.ts';
import { noticeEnds } from './notice-ends.ts';

const EXIT_DAYS = 60;

interface Props {
  readonly sacco: { readonly id: string; readonly name: string };
  /** Where a block is settled: loans and pools stand after membership. */
  readonly pathOf: PathOf;
  readonly onClose: () => void;
}
type PathOf = (at: ExitBlock['at']) => string;

/** Leaving the sacco: the notice, its 60 days, and taking it back. */
export function ExitDialog({ sacco, pathOf, onClose }: Props) {
  const { data, isPending, error, refetch } = useExit();
  const exit = data?.exit;
  const isOpen = exit?.state === 'requested' || exit?.state === 'shares_to_sell';
  return (
    <Dialog title={say('Leave this sacco')} onClose={onClose}>
      {error && data === undefined ? (
        <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
      ) : isPending ? (
        <Loading label={say('Loading...')} />
      ) : exit && isOpen ? (
        <OpenExit exit={exit} sacco={sacco} pathOf={pathOf} onTakenBack={onClose} />
      ) : (
        <Notice sacco={sacco} notice={data?.notice ?? null} pathOf={pathOf} />
      )}
    </Dialog>
  );
}

type NoticeNow = ReplyOf<typeof readExit>['notice'];

function Notice({ sacco, notice, pathOf }: Omit<Props, 'onClose'> & { readonly notice: NoticeNow }) {
  const submit = async ({ reason }: Record<'reason', string>) => {
    const body = { sacco: sacco.id, reason: reason.trim() || undefined };
    const answer = await withProof(() => call<typeof requestExit>('POST', '/sacco/members/exit', { body }));
    toast.success(answer.message);
    await refresh(['Client', 'Sacco']);
  };
  return (
    <ApiForm<'reason'> keptAs={`exit ${sacco.id}`} required={[]} emptyMessage="" submit={submit}>
      <p className="font-semibold">{say('What happens when you give notice to {sacco}', { sacco: sacco.name })}</p>
      <ul className="grid list-disc gap-2 pl-5 text-ink-2">
        <li>{say('After 60 days your savings are paid back into your wallet.')}</li>
        <li>{say('Your shares stay yours until another member buys them.')}</li>
        <li>{say('Until then you cannot buy shares or save here.')}</li>
        {notice && notice.offices.length > 0 && (
          <li className="font-semibold text-clay">
            {say('Your offices here end at once: {offices}. They do not come back if you take the notice back.', {
              offices: notice.offices.map(officeWords).join(', '),
            })}
          </li>
        )}
        {notice && notice.left_empty.length > 0 && (
          <li className="font-semibold text-clay">
            {say(
              'Nobody else holds these offices: {offices}. What they decide waits until the sacco has filled them.',
              {
                offices: notice.left_empty.map(officeWords).join(', '),
              },
            )}
          </li>
        )}
        {notice?.effects.map((text) => (
          <li key={text} className="font-semibold text-clay">
            {text}
          </li>
        ))}
        <li>{say('You can take the notice back as long as nothing has been paid back.')}</li>
        <li>{say('You can give notice twice within 90 days.')}</li>
      </ul>
      {notice && (
        <Blocks
          title={say('Your savings are paid back only once these are settled')}
          blocks={notice.blocked_by}
          pathOf={pathOf}
        />
      )}
      <TextArea label={say('Reason (optional)')} name="reason" maxLength={500} />
      <SubmitButton look="clay" busyLabel={say('processing...')}>
        {say('Give notice')}
      </SubmitButton>
    </ApiForm>
  );
}

function OpenExit({
  exit,
  sacco,
  pathOf,
  onTakenBack,
}: {
  exit: ExitStatus;
  sacco: { id: string };
  pathOf: PathOf;
  /** Closes the dialog: the form to give notice would come to stand here, its button under the same thumb. */
  onTakenBack: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const takeBack = async () => {
    setBusy(true);
    try {
      const answer = await call<typeof cancelExit>('DELETE', '/sacco/members/exit', { query: { sacco: sacco.id } });
      toast.success(answer.message);
      onTakenBack();
      await refresh(['Client', 'Sacco']);
    } catch (error) {
      toast.error(wordsFor(error));
    } finally {
      setBusy(false);
    }
  };
  const refunded = exit.refunded_at !== null;
  return (
    <div className="grid gap-4">
      {!refunded && (
        <div>
          <p className="mb-2 flex items-baseline justify-between gap-4">
            <span className="text-title font-bold">
              {exit.overdue ? say('The 60 days are over') : noticeEnds(exit)}
            </span>
          </p>
          <Progress
            value={EXIT_DAYS - exit.days_left}
            max={EXIT_DAYS}
            label={say('Days of the notice that are over')}
          />
        </div>
      )}
      <Facts
        facts={[
          [
            exit.by_vote ? say('Members have voted that you leave') : say('Notice given'),
            <LongDate key="from" iso={exit.requested_at} />,
          ],
          refunded
            ? [say('Savings paid back'), <Money key="refund" shillings={exit.refund ?? 0} />]
            : [say('Savings due'), <LongDate key="due" iso={exit.due_at} />],
          ...(refunded
            ? []
            : [[say('Savings to be paid back'), <Money key="sum" shillings={exit.deposits} />] as const]),
          [say('Shares'), formatCount(exit.shares)],
        ]}
      />
      {exit.shares_note && <p className="text-small text-ink-2">{exit.shares_note}</p>}
      <Blocks title={say('What still blocks the refund')} blocks={exit.blocked_by} pathOf={pathOf} />
      {!exit.by_vote && (
        <Button
          look="line"
          busy={busy}
          disabledReason={refunded ? say('Your savings have been paid back: the notice stands.') : null}
          onClick={() => void takeBack()}
        >
          {busy ? say('processing...') : say('Take the notice back')}
        </Button>
      )}
    </div>
  );
}

/** What holds the refund back, each with the way to where it is settled. */
function Blocks({ title, blocks, pathOf }: { title: string; blocks: readonly ExitBlock[]; pathOf: PathOf }) {
  if (blocks.length === 0) return null;
  return (
    <div className="rounded-box bg-clay-tint px-4 py-3 text-clay">
      <p className="font-semibold">{title}</p>
      <ul className="mt-1 list-disc pl-5">
        {blocks.map(({ text, at }) => (
          <li key={text}>
            {text}{' '}
            <Link to={pathOf(at)} className="link whitespace-nowrap">
              {say('Settle it')}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
