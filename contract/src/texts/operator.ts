/** Sentences of the operator’s desk: the English ICU text, and its Swahili. */
export const operatorTexts = {
  'Nothing has changed yet: a second operator must confirm it, since the sacco was suspended in the last 90 days, or since you have suspended {n} that nobody upheld.':
    'Hakuna kilichobadilika bado: mwendeshaji wa pili lazima athibitishe, kwa kuwa sacco ilisimamishwa ndani ya siku 90 zilizopita, au umesimamisha {n} ambazo hakuna aliyeziidhinisha.',
  'Only who proposed it takes it back. Leave it: without a second operator it lapses after seven days.':
    'Aliyependekeza pekee ndiye anayeliondoa. Liache: bila mwendeshaji wa pili muda wake huisha baada ya siku saba.',
  'What it is about was settled otherwise.': 'Jambo lenyewe limeshaamuliwa vingine.',
  'Your word is kept. A second operator must confirm it.':
    'Uamuzi wako umehifadhiwa. Mwendeshaji wa pili lazima athibitishe.',
  'The sacco is active.': 'Sacco inatumika.',
  'The sacco is rejected.': 'Sacco imekataliwa.',
  'The sacco is suspended for 14 days. It stays so only if another operator upholds it.':
    'Sacco imesimamishwa kwa siku 14. Itabaki hivyo tu mwendeshaji mwingine akiidhinisha.',
  'Upheld. The sacco stays suspended until two operators reinstate it.':
    'Imeidhinishwa. Sacco itabaki imesimamishwa hadi waendeshaji wawili wairejeshe.',
  'Looked at the money exceptions.': 'Aliangalia pesa zenye utata.',
  'Dismissed.': 'Imefungwa.',
  'Looked at the held referrals.': 'Aliangalia mialiko iliyozuiwa.',
  'Released: the reward will be paid.': 'Imeachiliwa: zawadi italipwa.',
  'Denied: there is no reward.': 'Imekataliwa: hakuna zawadi.',
  'The account is suspended, and its owner told.': 'Akaunti imesimamishwa, na mwenyewe ameambiwa.',
  'You have asked to lift it. Another operator must lift it too.':
    'Umeomba iondolewe. Mwendeshaji mwingine lazima aiondoe pia.',
  'The suspension stands until it is lifted.': 'Kusimamishwa kunabaki hadi kuondolewe.',
  'The account is open again, and its owner told.': 'Akaunti imefunguliwa tena, na mwenyewe ameambiwa.',
  'Looked at the suspended accounts.': 'Aliangalia akaunti zilizosimamishwa.',
  'Looked at the guarantor pools.': 'Aliangalia vikundi vya udhamini.',
  'Approved: everybody can see the pool.': 'Kimeidhinishwa: kila mtu anaweza kukiona.',
  'Refused: strangers do not see the pool.': 'Kimekataliwa: wengine hawakioni.',
  '{amount} paid from your phone (M-Pesa {receipt}) will be given to another member in 48 hours. Not right? Object in your wallet.':
    '{amount} zilizolipwa kwa simu yako (M-Pesa {receipt}) zitapewa mwanachama mwingine baada ya saa 48. Si sawa? Pinga kwenye pochi yako.',
  'It is too late: the money was given to the other member. Write to us, and we look into it.':
    'Umechelewa: pesa zimepewa mwanachama mwingine. Tuandikie, nasi tutachunguza.',
  'There is nothing to object to any more: the money is not given to anybody.':
    'Hakuna cha kupinga tena: pesa hazipewi mtu yeyote.',
  'The payer objected.': 'Mlipaji amepinga.',
  'That code is not right. Copy it from our SMS.': 'Msimbo huo si sahihi. Unakili kutoka SMS yetu.',
  'The sacco is {state}: only one that is suspended can become active.':
    'Sacco hii {state}: ni iliyosimamishwa pekee inayoweza kurejeshwa.',
  'Confirmed. M-Pesa is asked to pay it now.': 'Imethibitishwa. M-Pesa inaombwa kulipa sasa.',
  'Confirmed. The payer has 48 hours to object; then it is done.':
    'Imethibitishwa. Mlipaji ana saa 48 za kupinga; kisha itafanyika.',
  'Thank you. The money stays where it is, and our team looks at it.':
    'Asante. Pesa zinabaki zilipo, na timu yetu inaziangalia.',
  'Looked at what operators proposed.': 'Aliangalia mapendekezo ya waendeshaji.',
  'Confirmed, and done.': 'Imethibitishwa, na imefanyika.',
  'You took your proposal back.': 'Umeondoa pendekezo lako.',
  'Refused: nothing moves.': 'Limekataliwa: hakuna pesa inayosogea.',
  'You have rejected this sacco once. Another operator must decide about it now.':
    'Umeikataa sacco hii mara moja. Sasa mwendeshaji mwingine lazima aamue kuihusu.',
  'An operator has proposed the same already. Another operator must confirm it.':
    'Mwendeshaji amependekeza jambo hilo hilo tayari. Mwendeshaji mwingine lazima alithibitishe.',
  'Another operator must decide about money of yours.': 'Mwendeshaji mwingine lazima aamue kuhusu pesa zako.',
  'Who proposed it is no operator any more. Propose it anew.': 'Aliyependekeza si mwendeshaji tena. Pendekeza upya.',
  'One of the two operators is no operator any more. Propose it anew.':
    'Mmoja wa waendeshaji wawili si mwendeshaji tena. Pendekeza upya.',
  'Nobody has that ID number.': 'Hakuna mwenye nambari hiyo ya kitambulisho.',
  'Recorded that an ID card was seen.': 'Aliandika kwamba kitambulisho kilionwa.',
  'Looked at the records of ID cards.': 'Aliangalia kumbukumbu za vitambulisho.',
  'Ushirika recorded that your ID card was seen. If that is not true, call us.':
    'Ushirika imeandika kwamba kitambulisho chako kilionwa. Kama si kweli, tupigie simu.',
  'Recorded. The person is told.': 'Imeandikwa. Mhusika ameambiwa.',
  'Looked a person up.': 'Alitafuta mtu.',
  'Looked somebody up who is not here.': 'Alitafuta mtu ambaye hayupo hapa.',
  'Nobody confirmed it in time.': 'Hakuna aliyelithibitisha kwa wakati.',
} as const;
