/** Sentences of referrals: the English ICU text, and its Swahili. */
export const referralsTexts = {
  'what your sacco pays for referrals': 'kile ambacho sacco yenu hulipa kwa mwaliko',
  '{name}, whom you referred, is Fully Paid in {sacco}. {amount} is in your wallet. Thank you!':
    '{name}, uliyemwalika, amekamilisha malipo katika {sacco}. {amount} zimeingia kwenye pochi yako. Asante!',
  'Your invitation is on its way.': 'Mwaliko wako uko njiani.',
  'Proposed. It takes effect 24 hours after a second official confirms it.':
    'Imependekezwa. Itatumika saa 24 baada ya afisa wa pili kuithibitisha.',
  'The new account has a phone number that the referrer registered with.':
    'Akaunti mpya ina nambari ya simu ambayo mwalikaji alijisajili nayo.',
  'The new account has an ID number that the referrer registered with.':
    'Akaunti mpya ina nambari ya kitambulisho ambayo mwalikaji alijisajili nayo.',
  'Both accounts were registered from one network address.':
    'Akaunti zote mbili zilisajiliwa kutoka anwani moja ya mtandao.',
  '{n} or more people registered with this code from one network address within {days}.':
    'Watu {n} au zaidi walijisajili kwa msimbo huu kutoka anwani moja ya mtandao ndani ya {days}.',
  'Another operator must review your own referral.': 'Mwendeshaji mwingine lazima akague mwaliko wako.',
  'Invitations go to Kenyan mobile numbers only, such as 254712345678 or 0712345678.':
    'Mialiko hutumwa kwa nambari za simu za mkononi za Kenya pekee, kama 254712345678 au 0712345678.',
  'That number has had enough invitations this month.': 'Nambari hiyo imepata mialiko ya kutosha mwezi huu.',
} as const;
