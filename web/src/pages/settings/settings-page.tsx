import { ChangePassword } from '../../identity/change-password.tsx';
import { Devices } from '../../identity/devices.tsx';
import { PhoneConfirmation } from '../../identity/phone-confirmation.tsx';
import { SecondFactor } from '../../identity/second-factor.tsx';
import { Title } from '../../layouts/title.tsx';
import { NotificationChoices } from '../../notifications/notification-choices.tsx';
import { PageHead } from '../../ui/card.tsx';
import { Section } from '../../ui/section.tsx';
import { Payers } from '../../wallet/payers.tsx';
import { say } from '../../words/say.ts';
import { LanguageAndLook } from './language-and-look.tsx';

/** /client/settings: the account's settings. */
export function SettingsPage() {
  return (
    <>
      <Title>{say('Account Settings')}</Title>
      <PageHead
        title={say('Account Settings')}
        lead={say('How Ushirika looks, tells you things, and keeps you safe.')}
      />
      <Settings />
    </>
  );
}

/** /operator/settings: the same on the operator's desk, for who has no sacco. */
export function OperatorSettingsPage() {
  return (
    <>
      <Title>{say('Account Settings')}</Title>
      <h2 className="text-title">{say('Account Settings')}</h2>
      <Settings />
    </>
  );
}

function Settings() {
  return (
    <div className="mt-6 max-w-5xl">
      <LanguageAndLook />
      <NotificationChoices />
      <Section title={say('Phone number')} lead={say('A confirmed number can receive money and codes.')}>
        <PhoneConfirmation />
      </Section>
      <Payers />
      <ChangePassword />
      <SecondFactor />
      <Devices />
    </div>
  );
}
