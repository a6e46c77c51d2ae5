import type { ClientProfile } from '@ushirika/contract/identity';
import { Suspense, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { wordsFor } from '../../api/failure.ts';
import { useProfile } from '../../identity/profile.queries.ts';
import { later } from '../../layouts/later.tsx';
import { Title } from '../../layouts/title.tsx';
import { paths } from '../../paths.ts';
import { ReferralList } from '../../referrals/referral-list.tsx';
import { WaitingName } from '../../saccos/waiting-name.tsx';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Facts, FailureState, PageHead, Tag } from '../../ui/card.tsx';
import { formatCount, Money } from '../../ui/figures.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { ToCopy } from '../../ui/to-copy.tsx';
import { useLiveMoney } from '../../wallet/live.ts';
import { WalletCard } from '../../wallet/wallet-card.tsx';
import { useWalletDialogs } from '../../wallet/wallet-dialogs.tsx';
import { say } from '../../words/say.ts';
import { IdentityCard } from './identity-card.tsx';

const UpdateProfileDialog = later(() => import('../../identity/update-profile-dialog.tsx'), 'UpdateProfileDialog');

/** /profile and /client/profile: who I am here, my wallet, and whom I brought. */
export function ProfilePage() {
  useLiveMoney();
  const session = useSession();
  const { data: profile, error, refetch } = useProfile();
  const { dialogs, topUp, withdraw, confirmDeposit, confirmPhone } = useWalletDialogs();
  const [isUpdating, setUpdating] = useState(false);
  const name = `${session?.user.first_name ?? ''} ${session?.user.last_name ?? ''}`;
  return (
    <>
      <Title>{say('My Profile')}</Title>
      <PageHead title={name} lead={say('My Profile')}>
        <Button look="line" disabledReason={profile ? null : say('Loading...')} onClick={() => setUpdating(true)}>
          {say('Update Profile')}
        </Button>
        <Button onClick={confirmDeposit}>{say('Confirm Transaction')}</Button>
      </PageHead>
      {error && !profile && (
        <div className="mt-5">
          <FailureState words={wordsFor(error)} again={say('Try again')} onAgain={() => void refetch()} />
        </div>
      )}
      <div className="mt-5 grid gap-4 lg:grid-cols-3">
        {profile ? (
          <>
            <div className="grid content-start gap-4">
              <Particulars profile={profile} onConfirmPhone={confirmPhone} />
              <IdentityCard profile={profile} />
            </div>
            <Wallet profile={profile} onTopUp={topUp} onWithdraw={withdraw} />
            <Referrals profile={profile} />
          </>
        ) : (
          !error && <Skeletons count={3} label={say('Loading...')} className="h-80 rounded-card" />
        )}
      </div>
      <div className="mt-4">
        <ReferralList />
      </div>
      {dialogs}
      {isUpdating && profile && (
        <Suspense>
          <UpdateProfileDialog profile={profile} onClose={() => setUpdating(false)} />
        </Suspense>
      )}
    </>
  );
}

function Particulars({ profile, onConfirmPhone }: { profile: ClientProfile; onConfirmPhone: () => void }) {
  const { user, phone_number, email, verified } = profile;
  return (
    <Card className="px-5 py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="mb-1 text-lead">{say('Particulars')}</h2>
        <Link
          to={paths.settings()}
          className="text-small font-semibold text-forest underline decoration-1 underline-offset-3"
        >
          {say('Account Settings')}
        </Link>
      </div>
      {profile.waiting_name && <WaitingName name={profile.waiting_name} />}
      <Facts
        facts={[
          [say('Name'), `${user.first_name} ${user.last_name}`],
          [say('ID Number'), user.id_number],
          [
            say('Phone Number'),
            <span key="phone" className="inline-flex flex-wrap items-center justify-end gap-2">
              {phone_number}
              {verified.phone ? <Tag>{say('Confirmed')}</Tag> : <Tag tone="ochre">{say('Not confirmed')}</Tag>}
            </span>,
          ],
          [say('Email'), email],
          [say('Total registered saccos'), formatCount(profile.registered_saccos)],
        ]}
      />
      {!verified.phone && (
        <Button look="soft" className="mt-2 w-full" onClick={onConfirmPhone}>
          {say('Confirm your phone')}
        </Button>
      )}
    </Card>
  );
}

function Wallet({
  profile: { wallet },
  onTopUp,
  onWithdraw,
}: {
  profile: ClientProfile;
  onTopUp: () => void;
  onWithdraw: () => void;
}) {
  const inClient = useLocation().pathname.startsWith(paths.client());
  return (
    <div className="flex flex-col gap-4">
      <WalletCard wallet={wallet} onTopUp={onTopUp} onWithdraw={onWithdraw} />
      <Card className="grow px-5 py-2">
        <Facts
          facts={[
            [say('Wallet balance'), <Money key="amount" shillings={wallet.amount} />],
            [say('Held'), <Money key="held" shillings={wallet.held} />],
            [say('Available'), <Money key="available" shillings={wallet.available} />],
          ]}
        />
        <Link
          to={inClient ? paths.clientWallet() : paths.wallet()}
          className="rule flex min-h-11 items-center justify-between font-semibold text-forest"
        >
          {say('History and statements')}
          <Icon name="arrow" className="size-4.5" />
        </Link>
      </Card>
    </div>
  );
}

function Referrals({ profile }: { profile: ClientProfile }) {
  return (
    <Card className="flex flex-col gap-2 px-5 py-4">
      <h2 className="text-lead">{say('Referrals')}</h2>
      <ToCopy name={say('Referral code')} text={profile.referal_code} what={say('Copy referral code')} />
      <ToCopy name={say('Referral link')} text={profile.referal_link} what={say('Copy referral link')} />
      <div>
        <Facts
          facts={[
            [say('Referral points'), formatCount(profile.referal_count)],
            [say('Referral amount'), <Money key="amount" shillings={profile.referal_amount} />],
          ]}
        />
      </div>
    </Card>
  );
}
