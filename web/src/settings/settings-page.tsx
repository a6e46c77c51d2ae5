import { Title } from '../layouts/title.tsx';
import { PageHead } from '../ui/card.tsx';
import { say } from '../words/say.ts';
import { ChangePassword } from './change-password.tsx';
import { Devices } from './devices.tsx';
import { LanguageAndLook } from './language-and-look.tsx';
import { NotificationChoices } from './notification-choices.tsx';
import { Payers } from './payers.tsx';
import { PhoneConfirmation } from './phone-confirmation.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Section } from './section.tsx';

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
