import { formatShillings } from '@ushirika/contract/format';
import type { acceptGuarantee, GuaranteeToSign } from '@ushirika/contract/loans';
import { call } from '../api/call.ts';
import { Facts } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Money } from '../ui/figures.tsx';
import { say } from '../words/say.ts';
import { trustedName } from '../words/trusted-name.ts';
import { monthsInWords } from './loan-words.ts';
import { SmsSignature } from './sms-signature.tsx';

/** Signing a guarantee: a code goes by SMS to the guarantor's own phone, and signs exactly these terms. */
export function SignDialog({ request, onClose }: { request: GuaranteeToSign; onClose: () => void }) {
  const { id, terms_hash } = request;
  const sign = (code: string) =>
    call<typeof acceptGuarantee>('POST', '/loans/guarantees/{id}/acceptance', {
      params: { id },
      body: { terms_hash, code },
    });
  return (
    <Dialog title={say('Sign as a guarantor')} onClose={onClose}>
      <Facts
        facts={[
          [say('For'), trustedName(request.borrower, request.former_name)],
          [say('The borrower’s account'), request.borrower_number],
          [
            say('Loan'),
            <span key="loan">
              <Money shillings={request.amount} /> · {monthsInWords(request.months)}
            </span>,
          ],
          [say('You can lose at most'), <Money key="worst" shillings={request.worst_case} className="text-clay" />],
        ]}
      />
      <SmsSignature
        guarantee={id}
        termsHash={terms_hash}
        act={say('Sign')}
        sign={sign}
        onClose={onClose}
        before={request.signing && <Effect signing={request.signing} />}
      />
    </Dialog>
  );
}

/** What signing does to the guarantor's own money, before the code is asked for. */
function Effect({ signing }: { signing: NonNullable<GuaranteeToSign['signing']> }) {
  const { free, free_after, limit, limit_after, applications } = signing;
  return (
    <section className="num mt-4 rounded-box bg-sunken px-4 py-3 text-small">
      <h3 className="text-body font-semibold">{say('What it does to your own money')}</h3>
      <ul className="mt-1 grid list-disc gap-1 pl-4.5">
        <li>
          {say('{from} of your savings are free now, and {to} once you sign.', {
            from: formatShillings(free),
            to: formatShillings(free_after),
          })}
        </li>
        <li>{limitEffect(limit, limit_after)}</li>
        {applications.map((application) => (
          <li key={application.id} className="font-medium text-clay">
            {applicationEffect(application)}
          </li>
        ))}
      </ul>
      <p className="mt-1.5 text-ink-2">
        {say(
          'Pledged savings still count for what you can borrow, but they cannot cover a loan of your own meanwhile.',
        )}
      </p>
    </section>
  );
}

type Application = NonNullable<GuaranteeToSign['signing']>['applications'][number];

function applicationEffect({ number, own, own_after, to_cover, to_cover_after }: Application): string {
  const values = {
    number,
    own: formatShillings(own),
    after: formatShillings(own_after),
    now: formatShillings(to_cover),
    missing: formatShillings(to_cover_after),
  };
  return to_cover === to_cover_after
    ? say('Your own application {number}: your savings cover {own} of it now, and {after} once you sign.', values)
    : say(
        'Your own application {number}: your savings cover {own} of it now, and {after} once you sign. {now} is not covered now, and {missing} once you sign: others would have to guarantee it.',
        values,
      );
}

function limitEffect(now: number, after: number): string {
  if (now === after) return say('You can borrow {amount} here at most, as before.', { amount: formatShillings(now) });
  return say('You can borrow {from} here at most now, and {to} once you sign.', {
    from: formatShillings(now),
    to: formatShillings(after),
  });
}
