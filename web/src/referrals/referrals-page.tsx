import type { sendInvitation } from '@ushirika/contract/referrals';
import { Suspense } from 'react';
import { ApiForm } from '../api/api-form.tsx';
import { call, useIdempotencyKey } from '../api/call.ts';
import { wordsFor } from '../api/failure.ts';
import { refresh } from '../api/queries.ts';
import { later } from '../layouts/later.tsx';
import { Title } from '../layouts/title.tsx';
import { Button } from '../ui/button.tsx';
import { Card, FailureState, PageHead } from '../ui/card.tsx';
import { TextField } from '../ui/fields.tsx';
import { formatCount, Money } from '../ui/figures.tsx';
import { SubmitButton } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { ToCopy } from '../ui/to-copy.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { ReferralList } from './referral-list.tsx';
import { useReferralSummary, useReferralTerms } from './referrals.queries.ts';

const QrCode = later(() => import('../ui/qr-code.tsx'), 'QrCode');

/** /client/referrals: the link in every form in which it can be handed on, and what has come of it. */
export function ReferralsPage() {
  const { data, error, refetch } = useReferralSummary();
  return (
    <>
      <Title>{say('Referrals')}</Title>
      <PageHead title={say('Referrals')} lead={<Terms />} />
      {error && !data && (
        <div className="mt-5">
          <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
        </div>
      )}
      <div className="mt-5 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {data ? (
          <>
            <Figure name={say('Points')}>{formatCount(data.referal_count)}</Figure>
            <Figure name={say('Earned')}>
              <Money shillings={data.referal_amount} />
            </Figure>
            <Figure name={say('Registered only')}>{formatCount(data.statuses.lead)}</Figure>
            <Figure name={say('Joined a sacco')}>{formatCount(data.statuses.joined)}</Figure>
          </>
        ) : (
          !error && <Skeletons count={4} label={say('Loading...')} className="h-24 rounded-card" />
        )}
      </div>
      {data && (
        <div className="mt-4 grid items-stretch gap-4 lg:grid-cols-2">
          <ShareLink code={data.referal_code} link={data.referal_link} />
          <Invite left={data.invitations_left_today} />
        </div>
      )}
      {!data && !error && <div aria-hidden="true" className="skeleton mt-4 h-80 rounded-card" />}
      <div className="mt-4">
        <ReferralList />
      </div>
    </>
  );
}

/** What a referral earns here, from the sacco's own terms. */
function Terms() {
  const { data } = useReferralTerms();
  if (!data) return say('Bring people you trust: you earn a point when they own their first shares.');
  if (data.reward === 0)
    return say('You earn a point for everybody who owns their first shares. This sacco pays no reward.');
  return (
    <>
      {say('You earn a point for everybody who owns their first shares, and this sacco pays you')}{' '}
      <Money shillings={data.reward} className="font-semibold text-ink" />{' '}
      {say('for each, at most {n} in a month.', { n: formatCount(data.monthly_rewards_max) })}
    </>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Card className="flex items-baseline justify-between gap-3 px-5 py-4 sm:block">
      <p className="text-small text-ink-2">{name}</p>
      <p className="num text-title font-bold tracking-tight whitespace-nowrap">{children}</p>
    </Card>
  );
}

function ShareLink({ code, link }: { code: string; link: string }) {
  const share = () => {
    void navigator.share({ title: 'Ushirika', text: say('Join me on Ushirika.'), url: link }).catch(() => {});
  };
  return (
    <Card className="flex flex-col gap-4 p-5 sm:flex-row">
      <div className="mx-auto w-48 shrink-0 sm:mx-0">
        <Suspense fallback={<div className="skeleton aspect-square w-full rounded-box" />}>
          <QrCode text={link} label={say('QR code of your referral link')} />
        </Suspense>
      </div>
      <div className="flex min-w-0 grow flex-col gap-3">
        <h2 className="text-lead">{say('Your link')}</h2>
        <ToCopy name={say('Referral code')} text={code} what={say('Copy referral code')} />
        <ToCopy name={say('Referral link')} text={link} what={say('Copy referral link')} />
        {'share' in navigator && (
          <Button className="mt-auto" onClick={share}>
            <Icon name="share" />
            {say('Share')}
          </Button>
        )}
      </div>
    </Card>
  );
}

function Invite({ left }: { left: number }) {
  const { keyFor, settle } = useIdempotencyKey();
  const submit = async ({ phone_number }: Record<'phone_number', string>, form: HTMLFormElement) => {
    const body = { phone_number };
    const answer = await call<typeof sendInvitation>('POST', '/client/send_custom_referral', {
      body,
      idempotencyKey: keyFor(body),
    });
    toast.success(answer.message);
    form.reset();
    settle();
    await refresh(['Client']);
  };
  return (
    <Card className="p-5">
      <h2 className="mb-3 text-lead">{say('Invite by SMS')}</h2>
      <ApiForm<'phone_number'>
        label={say('Invite by SMS')}
        required={['phone_number']}
        emptyMessage={say('Enter the phone number of the person you invite.')}
        submit={submit}
        settle={settle}
      >
        <TextField
          label={say('Phone Number')}
          name="phone_number"
          type="tel"
          autoComplete="off"
          placeholder="254712345678"
          className="num"
          hint={say(
            'As 254712345678 or 0712345678. We send your name, a short greeting and your link. You pay nothing for the SMS.',
          )}
        />
        <SubmitButton
          busyLabel={say('processing...')}
          disabledReason={
            left > 0 ? null : say('You can send 5 invitations a day. Continue tomorrow, or share your link.')
          }
        >
          {say('Send the invitation')}
        </SubmitButton>
        <p className="text-center text-small text-ink-2">{say('{n} of 5 left today', { n: left })}</p>
      </ApiForm>
    </Card>
  );
}
