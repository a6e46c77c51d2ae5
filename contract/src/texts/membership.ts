/** Sentences of membership: the English ICU text, and its Swahili. */
export const membershipTexts = {
  'Members of this sacco have voted that somebody leaves whose account looks like one person’s with yours. You join once they have voted to admit that account again.':
    'Wanachama wa sacco hii wamepiga kura kwamba aondoke mtu ambaye akaunti yake na yako zinaonekana kuwa za mtu mmoja. Utajiunga wakishapiga kura kuipokea tena akaunti hiyo.',
  'There is no exit request that can be cancelled.': 'Hakuna notisi ya kuondoka inayoweza kuondolewa.',
  "You have joined {name}. Buy at least {shares} to have a member's full rights.":
    'Umejiunga na {name}. Nunua angalau {shares} ili uwe mwanachama kamili.',
  'Not enough money in your wallet: joining costs {cost}.':
    'Pesa hazitoshi kwenye pochi yako: kujiunga kunagharimu {cost}.',
  'Registration fee of {name}': 'Ada ya usajili ya {name}',
  "Welcome to {name}. Buy at least {shares} to have a member's full rights.":
    'Karibu {name}. Nunua angalau {shares} ili uwe mwanachama kamili.',
  'Your notice is given: the 60 days have begun.': 'Notisi yako imetolewa: siku 60 zimeanza.',
  'Thank you. Your rating is counted.': 'Asante. Nyota zako zimehesabiwa.',
  '{name} is not active: nobody can join it now.': '{name} haitumiki: hakuna anayeweza kujiunga nayo kwa sasa.',
  'Buy the minimum shares first: only members in full rights rate their sacco.':
    'Nunua kwanza kiwango cha chini cha hisa: ni wanachama kamili pekee wanaoipa sacco yao nyota.',
  'You have given notice: only members in full rights rate their sacco.':
    'Umetoa notisi ya kuondoka: ni wanachama kamili pekee wanaoipa sacco yao nyota.',
  'Officials do not rate their own sacco.': 'Maafisa hawaipi sacco yao wenyewe nyota.',
  'Members may rate a sacco after {days} of membership: in {left}.':
    'Wanachama wanaweza kuipa sacco nyota baada ya {days} za uanachama: bado {left}.',
  'You have given notice here {n} times within {days}. You can give it again from {at} on.':
    'Umetoa notisi hapa mara {n} ndani ya {days}. Unaweza kuitoa tena kuanzia {at}.',
  'Your notice is taken back.': 'Notisi yako imeondolewa.',
  'Your notice is taken back. Buy at least {shares} to have a member’s full rights again.':
    'Notisi yako imeondolewa. Nunua angalau {shares} ili uwe tena mwanachama kamili.',
  '{name}, {office} of {sacco}, recorded that they saw your ID card. If that is not true, write a complaint about {sacco}.':
    '{name}, {office} wa {sacco}, ameandika kwamba ameona kitambulisho chako. Kama si kweli, andika lalamiko kuhusu {sacco}.',
  '{name}, {office} of {sacco}, recorded the ID card of {person}. The two accounts may belong together: look at it under Members.':
    '{name}, {office} wa {sacco}, ameandika kitambulisho cha {person}. Huenda akaunti hizo mbili ni za mtu mmoja: angalia kwenye Wanachama.',
  '{name}, {office} of {sacco}, recorded ID cards today. Look at them under Members.':
    '{name}, {office} wa {sacco}, ameandika vitambulisho leo. Viangalie kwenye Wanachama.',
  'There is no such member.': 'Hakuna mwanachama huyo.',
  'Recorded. The member is told.': 'Imeandikwa. Mwanachama ameambiwa.',
  'Taken back. The record stays, with your reason.': 'Imeondolewa. Kumbukumbu inabaki, pamoja na sababu yako.',
  '{sacco}: {name} took back the record of the ID card of {person}. Look at it under Members.':
    '{sacco}: {name} ameondoa kumbukumbu ya kitambulisho cha {person}. Iangalie kwenye Wanachama.',
  '{sacco}: an operator of Ushirika took back the record of the ID card of {person}. Look at it under Members.':
    '{sacco}: mwendeshaji wa Ushirika ameondoa kumbukumbu ya kitambulisho cha {person}. Iangalie kwenye Wanachama.',
  'The record that your ID card was seen was taken back. Show the card to an official again.':
    'Kumbukumbu kwamba kitambulisho chako kilionwa imeondolewa. Mwonyeshe afisa kitambulisho tena.',
  'You hold no shares.': 'Huna hisa.',
  'Your {n, plural, one {# share stays} other {# shares stay}} yours: share capital is not paid back. Sell them to other members on the share market.':
    'Hisa zako {n} zinabaki zako: mtaji wa hisa haurudishwi. Ziuze kwa wanachama wengine kwenye soko la hisa.',
  'You have given notice to {name}. Your savings are paid back by {at}.':
    'Umetoa notisi kwa {name}. Akiba yako itarudishwa kufikia {at}.',
  '{name}: {person} has given notice and is no longer {offices}.':
    '{name}: {person} ametoa notisi ya kuondoka na si {offices} tena.',
  '{name}: members have voted that {person} is no longer {offices}.':
    '{name}: wanachama wameamua kwa kura kwamba {person} si {offices} tena.',
  '{name}: members have voted that your office ends: {offices}. You stay a member.':
    '{name}: wanachama wameamua kwa kura kwamba wadhifa wako uishe: {offices}. Unabaki mwanachama.',
  'the expulsion of a member': 'kumfukuza mwanachama',
  'the admission of a member': 'kumpokea mwanachama',
  'This is no member of the sacco, or members have expelled them already.':
    'Huyu si mwanachama wa sacco, au wanachama wamemfukuza tayari.',
  '{name}: members have voted that you join again only once they have voted to admit you.':
    '{name}: wanachama wameamua kwa kura kwamba utajiunga tena tu wakishapiga kura ya kukupokea.',
  'Members have not expelled this person.': 'Wanachama hawajamfukuza mtu huyu.',
  '{name}: members have voted that you leave. Your savings are paid back by {at}, and not before what you owe, guarantee or have in a pool is settled. Your shares stay yours to sell.':
    '{name}: wanachama wameamua kwa kura kwamba uondoke. Akiba yako itarudishwa kufikia {at}, si kabla ya deni lako, udhamini wako au pesa zako za kikundi kumalizwa. Hisa zako zinabaki zako, unaweza kuziuza.',
  '{name}: members have voted that you may join again.':
    '{name}: wanachama wameamua kwa kura kwamba unaweza kujiunga tena.',
  'Members have voted that you leave: nobody takes that back.':
    'Wanachama wameamua kwa kura kwamba uondoke: hakuna anayebatilisha hilo.',
  'Members of this sacco have voted that you leave. You join again once they have voted to admit you.':
    'Wanachama wa sacco hii waliamua kwa kura kwamba uondoke. Utajiunga tena wakishaamua kwa kura kukupokea.',
  '{name}: after a vote nobody is chair. Members can elect one.':
    '{name}: baada ya kura hakuna mwenyekiti. Wanachama wanaweza kumchagua.',
  '{name}: after a vote fewer than two officials are left. Members can elect others.':
    '{name}: baada ya kura wamebaki maafisa chini ya wawili. Wanachama wanaweza kuwachagua wengine.',
  '{name}: after a notice of leaving nobody is chair. Ask for the minutes, and name officials.':
    '{name}: baada ya notisi ya kuondoka hakuna mwenyekiti. Omba kumbukumbu za mkutano, kisha taja maafisa.',
  '{name}: after a notice of leaving fewer than two officials are left. Ask for the minutes, and name officials.':
    '{name}: baada ya notisi ya kuondoka maafisa waliobaki ni chini ya wawili. Omba kumbukumbu za mkutano, kisha taja maafisa.',
  'With your notice to {name} your office has ended: {offices}.':
    'Kwa notisi yako kwa {name}, wadhifa wako umekoma: {offices}.',
  'The sacco does not have the money at hand yet.': 'Sacco bado haina pesa hizo mkononi.',
  'Your savings in {name}, {amount}, are in your wallet.': 'Akiba yako katika {name}, {amount}, iko kwenye pochi yako.',
  'You had no savings left in {name}.': 'Hukuwa na akiba iliyobaki katika {name}.',
  'You have left {name}.': 'Umeondoka {name}.',
  'Your savings in {name} could not be paid back yet: {why}':
    'Akiba yako katika {name} haijaweza kurudishwa bado: {why}',
  '{name}: members hold at least {shares} by now, and you hold fewer. Your shares and savings stay yours. Buy what is missing to have a member’s full rights again.':
    '{name}: sasa wanachama wanashikilia angalau {shares}, nawe una chache. Hisa na akiba zako zinabaki zako. Nunua zinazokosekana ili uwe mwanachama kamili tena.',
} as const;
