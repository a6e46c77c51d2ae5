import { formatShillings } from '@ushirika/contract/format';
import type { ShownTerms } from '@ushirika/contract/market';
import type { Receipt } from '@ushirika/contract/receipts';
import type { Sacco } from '@ushirika/contract/saccos';
import type { payShares } from '@ushirika/contract/shares';
import { useState } from 'react';
import { ApiForm, sentencesBesideFields } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { CallFailure, wordsOrQuoted } from '../api/failure.ts';
import { withProof } from '../api/with-proof.ts';
import { useProfile } from '../identity/profile.queries.ts';
import { ReceiptCard } from '../receipts/receipt-card.tsx';
import type { StoredSacco } from '../session/session.ts';
import { purchasePreview, shareCount, sharesAmount } from '../shares/shares-amount.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/fields.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { refreshMarket, sendOrder, sendTake, shownOf, useOrderBook } from './market.queries.ts';
import { type Book, type FromMembers, type Seller, waysToBuy } from './market-sums.ts';
import { whyNotFromMembers } from './no-offers.ts';
import { OrderDone } from './order-done.tsx';
import type { PlacedOrder } from './order-receipt.tsx';
import { MembersTotal, SellerChoice } from './seller-choice.tsx';

type SharesOf = StoredSacco & Pick<Sacco, 'id' | 'name' | 'share_value' | 'min_shares' | 'membership'>;

type Bought = { from: 'sacco'; receipt: Receipt } | { from: 'members'; placed: PlacedOrder };

/** Buy Shares: from the sacco itself at its share value, or from members who offer theirs. Ends in a receipt. */
export function BuySharesDialog({
  sacco,
  onTopUp,
  onClose,
}: {
  sacco: SharesOf;
  onTopUp: () => void;
  onClose: () => void;
}) {
  const [bought, setBought] = useState<Bought | null>(null);
  return (
    <Dialog title={say('Buy Shares')} onClose={onClose}>
      {bought?.from === 'members' && <OrderDone placed={bought.placed} sacco={sacco} onClose={onClose} />}
      {bought?.from === 'sacco' && (
        <>
          <ReceiptCard receipt={bought.receipt} />
          <Button className="mt-4 w-full" onClick={onClose}>
            {say('Done')}
          </Button>
        </>
      )}
      {!bought && <BuyShares sacco={sacco} onTopUp={onTopUp} onBought={setBought} />}
    </Dialog>
  );
}

function BuyShares({
  sacco,
  onTopUp,
  onBought,
}: {
  sacco: SharesOf;
  onTopUp: () => void;
  onBought: (bought: Bought) => void;
}) {
  const wallet = useProfile().data?.wallet;
  const { keyFor, settle } = useIdempotencyKey();
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState<Seller | null>(null);
  const { book, isPending, read, keep } = useKeptBook(sacco.id);
  const shares = shareCount(typed);
  const ways = waysToBuy(shares, book, sacco.share_value);
  const { members } = ways;
  const chosen = picked === 'members' && shares && !members ? 'sacco' : (picked ?? ways.order[0]);
  const total = chosen === 'members' ? (members?.totalCents ?? 0) / 100 : sharesAmount(shares ?? 0, sacco.share_value);

  const type = (text: string) => {
    setTyped(text);
    keep(null);
  };
  const submit = async () => {
    if (!shares) return;
    // Nobody pays the sacco more because the offers were still on their way.
    if (isPending && waysToBuy(shares, await read(), sacco.share_value).order[0] === 'members') throw new Choose();
    const bought =
      chosen === 'members' && members && book
        ? await buyFromMembers(sacco, { shares, ...members, terms: shownOf(book.terms) }, keyFor)
        : await buyFromSacco(sacco, shares, keyFor);
    settle();
    onBought(bought);
    await refreshMarket(true);
  };
  const settleWithBook = (error: unknown) => {
    settle(error);
    const isUnclear = !(error instanceof CallFailure && error.isFinal);
    keep(isUnclear && book ? book : null);
    // An offer that is gone is gone from the choice, too.
    if (!isUnclear) void refreshMarket(false);
  };

  return (
    <>
      <p className="mb-1 text-lead font-semibold">{sacco.name}</p>
      <Facts
        facts={[
          [say('Share value'), <Money key="value" shillings={sacco.share_value} />],
          ...(wallet ? [[say('In your wallet'), <Money key="wallet" shillings={wallet.available} />] as const] : []),
        ]}
      />
      <ApiForm<'shares'>
        className="mt-4 grid gap-4"
        required={['shares']}
        emptyMessage={say('Shares field is required')}
        check={(values) => (shareCount(values.shares) ? null : wholeNumberAsked())}
        submit={submit}
        settle={settleWithBook}
        explain={explain}
      >
        <TextField
          label={say('Shares')}
          name="shares"
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => type(event.target.value)}
          {...(isPaidUp(sacco)
            ? {}
            : {
                hint: say('The first purchase is at least {n} {n, plural, one {share} other {shares}}.', {
                  n: formatCount(sacco.min_shares),
                }),
              })}
        />
        {isPending && <Skeletons count={1} label={say('Loading...')} className="h-5 rounded-small" />}
        {!isPending && !ways.offered && (
          <p className="text-small text-ink-2">{nobodyOffers(book, sacco.share_value)}</p>
        )}
        <SellerChoice
          ways={ways}
          shares={shares}
          shareValue={sacco.share_value}
          chosen={chosen}
          onChoose={setPicked}
          onOther={(number) => {
            type(String(number));
            setPicked('members');
          }}
        />
        {chosen === 'members' && members && book && <MembersTotal members={members} terms={book.terms} />}
        <p role="status" className="num rounded-box bg-forest-tint px-4 py-3 text-forest empty:hidden">
          {shares && purchasePreview(shares, total)}
        </p>
        <SubmitButton busyLabel={say('processing...')}>{say('Buy Shares')}</SubmitButton>
      </ApiForm>
      <p className="mt-1 text-center">
        <button type="button" className="link min-h-11 cursor-pointer text-small" onClick={onTopUp}>
          {say('Deposit to your wallet')}
        </button>
      </p>
    </>
  );
}

/**
 * The order book as the person sees it. After an answer that was lost it stays as it was: asking again then asks for
 * the very same, which cannot act twice, though the offer that was bought is gone from the book meanwhile.
 */
function useKeptBook(sacco: string) {
  const { data, isPending, refetch } = useOrderBook(sacco);
  const [kept, keep] = useState<Book | null>(null);
  /** The book, once the read that is on its way has come back. */
  const read = async () => (await refetch({ cancelRefetch: false })).data;
  return { book: kept ?? data, isPending, read, keep };
}

/** Members turned out to be cheaper after the person had pressed: the choice is theirs. */
class Choose extends Error {}

function explain(error: unknown) {
  if (error instanceof Choose) return { toasts: [say('Members offer them for less. Choose whom to buy from.')] };
  if (error instanceof CallFailure && error.kind === 'aborted') return { toasts: [] };
  return { toasts: [wordsOrQuoted(error)], fields: sentencesBesideFields(error) };
}

function nobodyOffers(book: Book | undefined, shareValue: number): string {
  const price = formatShillings(shareValue);
  if (!book) return say('Members’ offers could not be read now. The sacco sells at {price}.', { price });
  const why = whyNotFromMembers(book);
  return why
    ? `${why} ${say('The sacco sells at {price}.', { price })}`
    : say('No member offers shares now: the sacco sells them at {price}.', { price });
}

type KeyFor = (body: unknown) => string;

/** Who has paid the minimum shares may buy any number. */
const isPaidUp = ({ membership }: SharesOf) => membership === 'active' || membership === 'leaving';

async function buyFromSacco(sacco: SharesOf, shares: number, keyFor: KeyFor): Promise<Bought> {
  const body = { sacco: sacco.id, shares, amount: sharesAmount(shares, sacco.share_value) };
  const input = { body, idempotencyKey: keyFor(body) };
  const answer = await withProof(() => call<typeof payShares>('POST', '/sacco/members/pay_shares_amount', input));
  toast.success(answer.message);
  return { from: 'sacco', receipt: answer.receipt };
}

/** One offer that has them all is taken, wholly or not at all; several are bought by an order at the worst price needed. */
async function buyFromMembers(
  sacco: SharesOf,
  { shares, offer, worst, terms }: FromMembers & { shares: number; terms: ShownTerms },
  keyFor: KeyFor,
): Promise<Bought> {
  if (offer) {
    // What the person saw: whoever has made the offer dearer since sells nothing.
    const body = { order: offer.order, shares, price: offer.price, terms };
    return { from: 'members', placed: await sendTake(sacco.id, body, keyFor(body)) };
  }
  const body = { sacco: sacco.id, side: 'buy' as const, shares, price: worst, terms };
  return { from: 'members', placed: await sendOrder(body, keyFor(body)) };
}

function wholeNumberAsked() {
  const sentence = say('Enter a whole number of shares.');
  return { toasts: [sentence], fields: { shares: sentence } };
}
