/** Sentences of identity: the English ICU text, and its Swahili. */
export const identityTexts = {
  'You have changed your phone {n} times in a day. Try again tomorrow.':
    'Umebadilisha simu yako mara {n} kwa siku. Jaribu tena kesho.',
  'You have asked for ten codes in a day. Try again tomorrow.':
    'Umeomba misimbo kumi kwa siku moja. Jaribu tena kesho.',
  'Enter your password to confirm a new phone number.': 'Weka nenosiri lako ili kuthibitisha nambari mpya ya simu.',
  'An account with this ID number already exists.': 'Tayari kuna akaunti yenye nambari hii ya kitambulisho.',
  'An account with this phone number already exists.': 'Tayari kuna akaunti yenye nambari hii ya simu.',
  'An account with this email already exists.': 'Tayari kuna akaunti yenye barua pepe hii.',
  'You signed in on a new device: {device}. If that was not you, change your password.':
    'Umeingia kwa kifaa kipya: {device}. Kama si wewe, badilisha nenosiri lako.',
  'The number {phone} was confirmed by another account. If it is yours too, enter another number under Profile.':
    'Nambari {phone} imethibitishwa na akaunti nyingine. Kama ni yako pia, weka nambari nyingine kwenye Wasifu.',
  'Welcome to Ushirika, {name}. Join a sacco to own its shares.':
    'Karibu Ushirika, {name}. Jiunge na sacco ili umiliki hisa zake.',
  'You been logged out ': 'Umetoka kwenye akaunti ',
  'You have been signed out on every device.': 'Umeondolewa kwenye vifaa vyote.',
  'If those details belong to an account, a reset code is on its way to that phone.':
    'Kama maelezo hayo ni ya akaunti, msimbo wa kuweka nenosiri upya uko njiani kwa simu hiyo.',
  'Your password has been reset. Sign in with the new one.': 'Nenosiri lako limewekwa upya. Ingia kwa nenosiri jipya.',
  'Saved. Your new name waits for another official.': 'Imehifadhiwa. Jina lako jipya linasubiri afisa mwingine.',
  'Update was Successfull': 'Imesasishwa',
  'Your password is changed. Your other devices have been signed out.':
    'Nenosiri lako limebadilishwa. Vifaa vyako vingine vimeondolewa.',
  'Thank you. You can go on.': 'Asante. Unaweza kuendelea.',
  'A code is on its way to your phone.': 'Msimbo uko njiani kwa simu yako.',
  'Your phone number is confirmed.': 'Nambari yako ya simu imethibitishwa.',
  'That device has been signed out.': 'Kifaa hicho kimeondolewa.',
  'Add this to your authenticator app, then enter its code.':
    'Ongeza hii kwenye programu yako ya uthibitishaji, kisha uweke msimbo wake.',
  'Your authenticator app is on. Keep these recovery codes.':
    'Programu yako ya uthibitishaji imewashwa. Hifadhi misimbo hii ya dharura.',
  'These are your new recovery codes.': 'Hii ni misimbo yako mipya ya dharura.',
  'Your authenticator app is off.': 'Programu yako ya uthibitishaji imezimwa.',
  'Welcome back, {name}': 'Karibu tena, {name}',
  'Somebody who works for Ushirika has that name, and officials must not be mistaken for them. Add a further name of yours.':
    'Mtu anayefanya kazi Ushirika ana jina hilo, na maafisa wasichanganywe naye. Ongeza jina lako jingine.',
  'Registration Successfull': 'Umefanikiwa kujisajili',
  'That password is among those that are guessed first. Choose another one.':
    'Nenosiri hilo ni rahisi kukisia. Chagua lingine.',
  'That is the password you have now. Choose another one.': 'Hilo ndilo nenosiri ulilonalo sasa. Chagua lingine.',
  'That name reads like a company’s, an authority’s or our own. Please choose another one.':
    'Jina hilo linasomeka kama la kampuni, la mamlaka au letu. Tafadhali chagua jingine.',
  'That reads like an office, a company or our own name. Enter your own name.':
    'Hilo linasomeka kama wadhifa, kampuni au jina letu. Weka jina lako mwenyewe.',
  'The authenticator app is on already.': 'Programu ya uthibitishaji tayari imewashwa.',
  'Begin again.': 'Anza tena.',
  'The authenticator app is not on.': 'Programu ya uthibitishaji haijawashwa.',
  'This account is suspended already.': 'Akaunti hii imesimamishwa tayari.',
  'This account is not suspended.': 'Akaunti hii haijasimamishwa.',
  'It has been upheld already.': 'Imeidhinishwa tayari.',
  'You suspended this account before. Within 90 days only another operator can do it again.':
    'Uliisimamisha akaunti hii awali. Ndani ya siku 90 ni mwendeshaji mwingine tu anayeweza tena.',
  'Too many attempts. Try again in {wait}.': 'Umejaribu mara nyingi mno. Jaribu tena baada ya {wait}.',
  'For 24 hours after a new password or phone, at most {allowance} a day leaves your wallet.':
    'Kwa saa 24 baada ya nenosiri au simu mpya, pesa zinazotoka kwenye pochi yako hazizidi {allowance} kwa siku.',
  'Enter your password to go on: this moves {value}. Without it at most {allowance} a day can leave your wallet.':
    'Weka nenosiri lako ili uendelee: unatuma {value}. Bila nenosiri, pesa zinazotoka kwenye pochi yako hazizidi {allowance} kwa siku.',
  'Enter your password to go on: this moves {value}. Without it at most {allowance} a day can leave your wallet. Of it {left} is left today.':
    'Weka nenosiri lako ili uendelee: unatuma {value}. Bila nenosiri, pesa zinazotoka kwenye pochi yako hazizidi {allowance} kwa siku. Leo zimebaki {left}.',
  '{browser} on {system}': '{browser} kwenye {system}',
  'Somebody else records that they saw your own ID card.':
    'Mtu mwingine ndiye anayeandika kwamba ameona kitambulisho chako.',
  'You have taken back a record of this card once. Another official takes this one back, if it is wrong.':
    'Umeondoa kumbukumbu ya kitambulisho hiki mara moja. Afisa mwingine ataiondoa hii, ikiwa si sahihi.',
  'You have taken back {n} records of ID cards in a day. Go on tomorrow.':
    'Umeondoa kumbukumbu {n} za vitambulisho kwa siku moja. Endelea kesho.',
  'Their ID card is recorded already.': 'Kitambulisho chake kimeshaandikwa.',
  'Somebody else decides about the record of your own card.':
    'Mtu mwingine ndiye anayeamua kuhusu kumbukumbu ya kitambulisho chako.',
  'That record counts no more already.': 'Kumbukumbu hiyo haihesabiki tena.',
  'Unknown device': 'Kifaa kisichojulikana',
} as const;
