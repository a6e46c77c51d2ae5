import type { joinSacco } from '@ushirika/contract/membership';
import type { Sacco } from '@ushirika/contract/saccos';
import { type ReactNode, useState } from 'react';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure, wordsOrQuoted } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { withProof } from '../api/with-proof.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { SignInLinks } from '../identity/sign-in-links.tsx';
import { useSaccoDetail } from '../saccos/saccos.queries.ts';
import { chooseSacco, currentSacco, useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';

type Terms = Pick<Sacco, 'reg_fee' | 'min_shares' | 'share_value'>;

/** Join sacco: the fee breakdown, and the registration fee from the wallet. Buying shares follows. */
export function JoinDialog({
  sacco,
  before,
  onTopUp,
  onClose,
  onJoined,
}: {
  sacco: Sacco;
  /** Facts to know before the fee is paid. */
  before: ReactNode;
  onTopUp: () => void;
  onClose: () => void;
  onJoined: () => void;
}) {
  const session = useSession();
  const wallet = useProfile().data?.wallet;
  const next = useSaccoDetail(sacco.id).data?.terms_next;
  const { keyFor, settle } = useIdempotencyKey();
  const [busy, setBusy] = useState(false);
  const [terms, setTerms] = useState<Terms>(sacco);

  const join = async () => {
    setBusy(true);
    const { reg_fee, min_shares, share_value } = terms;
    const body = { sacco: sacco.id, reg_fee, min_shares, share_value, total: reg_fee };
    try {
      const input = { body, idempotencyKey: keyFor(body) };
      const answer = await withProof(() => call<typeof joinSacco>('POST', '/sacco/members/join', input));
      settle();
      toast.success(answer.message);
      // The first sacco of somebody is the one to go on in.
      if (!currentSacco()) chooseSacco(sacco);
      onJoined();
      await refresh(['Sacco', 'Client', 'User']);
    } catch (error) {
      if (!(error instanceof CallFailure && error.kind === 'aborted')) toast.error(wordsOrQuoted(error));
      if (error instanceof CallFailure && error.code === 'terms_changed') setTerms(newTerms(error, terms));
      settle(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog title={say('Join sacco')} onClose={onClose}>
      <p className="mb-3 text-lead font-semibold">{sacco.name}</p>
      <Facts
        facts={[
          [say('Registration fee'), <Money key="fee" shillings={terms.reg_fee} />],
          [say('Share value'), <Money key="value" shillings={terms.share_value} />],
          [say('Minimum shares'), formatCount(terms.min_shares)],
          [
            <b key="total">{say('Total to pay now')}</b>,
            <Money key="sum" shillings={terms.reg_fee} className="text-lead" />,
          ],
          ...(wallet ? [[say('In your wallet'), <Money key="wallet" shillings={wallet.available} />] as const] : []),
        ]}
      />
      {before}
      {next && <p className="mt-3 rounded-box bg-ochre-tint px-4 py-3 text-small">{next}</p>}
      <p className="mt-3 text-small text-ink-2">
        {say('The total is the registration fee only. You buy your first shares in the next step.')}
      </p>
      {session ? (
        <div className="mt-5 grid gap-1">
          <Button busy={busy} onClick={join}>
            {busy ? say('processing...') : say('Proceed And Join')}
          </Button>
          <button
            type="button"
            className="link min-h-11 cursor-pointer justify-self-center text-small"
            onClick={onTopUp}
          >
            {say('Deposit to your wallet')}
          </button>
        </div>
      ) : (
        <SignInLinks />
      )}
    </Dialog>
  );
}

/** The refusal `terms_changed` carries the sacco's terms of now; what it does not name stays. */
function newTerms(failure: CallFailure, old: Terms): Terms {
  const found = { ...old, ...failure.body, ...(failure.body.terms as object | undefined) };
  const { reg_fee, min_shares, share_value } = found;
  return { reg_fee: Number(reg_fee), min_shares: Number(min_shares), share_value: Number(share_value) };
}
