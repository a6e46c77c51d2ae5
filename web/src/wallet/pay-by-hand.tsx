import { wordsFor } from '../api/failure.ts';
import { Card, FailureState } from '../ui/card.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { ToCopy } from '../ui/to-copy.tsx';
import { say } from '../words/say.ts';
import { usePaybill } from './wallet.queries.ts';

/** How one pays in without a prompt, from any phone: the paybill, and the number to type as the account. */
export function PayByHandCard() {
  return (
    <Card className="p-5">
      <h2 className="text-lead">{say('Pay in by hand')}</h2>
      <PayByHand />
    </Card>
  );
}

/** The same inside the top-up dialog, folded away until somebody wants it. */
export function PayByHandFold() {
  return (
    <details className="mt-1 rounded-box border border-line px-4">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {say('Or pay in by hand, from any phone')}
      </summary>
      <div className="mb-4">
        <PayByHand />
      </div>
    </details>
  );
}

function PayByHand() {
  const { data, error, refetch } = usePaybill();
  if (error && !data) {
    return <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />;
  }
  return (
    <>
      <p className="mt-1 mb-3 text-small text-ink-2">
        {say('On any phone open Lipa na M-PESA, then Pay Bill. Type these two numbers, the amount and the PIN.')}
      </p>
      {data ? (
        <div className="grid gap-3 rounded-box bg-paper px-4 py-3 text-lead">
          <ToCopy name={say('Business number')} text={data.paybill} what={say('Copy the business number')} />
          <ToCopy
            name={say('Your account number')}
            text={data.account_number}
            shown={inThrees(data.account_number)}
            what={say('Copy your account number')}
          />
        </div>
      ) : (
        <Skeletons count={1} label={say('Loading...')} className="h-36 rounded-box" />
      )}
      <p className="mt-3 text-small text-ink-2">
        {say('The number is yours alone and never changes. An ID number as the account does not reach your wallet.')}
      </p>
    </>
  );
}

/** `804 217 350`: as one reads it out. */
export const inThrees = (digits: string) => digits.replaceAll(/(\d{3})(?=\d)/g, '$1 ');
