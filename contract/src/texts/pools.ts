/** Sentences of guarantor pools: the English ICU text, and its Swahili. */
export const poolsTexts = {
  'Another pool has this name by now.': 'Kikundi kingine kina jina hili sasa.',
  'Your other pool waits for its review. Join a sacco to create more meanwhile.':
    'Kikundi chako kingine kinasubiri ukaguzi. Jiunge na sacco ili uunde vingine.',
  'Accept the terms of the pool to join it.': 'Kubali masharti ya kikundi ili ujiunge.',
  'Accept the memorandum to sign it.': 'Kubali hati ya makubaliano ili uitie sahihi.',
  'Say what the guarantee is for.': 'Sema dhamana ni ya nini.',
  forming: 'kinaundwa',
  open: 'kimefunguliwa',
  suspended: 'kimesimamishwa',
  closing: 'kinafungwa',
  closed: 'kimefungwa',
  'The pool was created and is forming.': 'Kikundi kimeundwa na kinakusanya wanachama.',
  'The pool was {from}; it is {to} now.': 'Kikundi kilikuwa {from}; sasa {to}.',
  'The terms were changed by a vote of the members.': 'Masharti yalibadilishwa kwa kura ya wanachama.',
  'The settings were changed by a vote of the members.': 'Mipangilio ilibadilishwa kwa kura ya wanachama.',
  'Your pool has been created. Others see it after a review, or once it has five members.':
    'Kikundi chako kimeundwa. Wengine watakiona baada ya kukaguliwa, au kikiwa na wanachama watano.',
  'Another operator must decide about a pool of yours.': 'Mwendeshaji mwingine lazima aamue kuhusu kikundi chako.',
  'Everybody can see your pool {name} now.': 'Kila mtu sasa anaweza kuona kikundi chako cha udhamini, {name}.',
  'Your pool {name} is not shown to others: {reason}':
    'Kikundi chako cha udhamini, {name}, hakionyeshwi kwa wengine: {reason}',
  'The pool disputes the demand: the supervisory committee decides first.':
    'Kikundi kinapinga dai hilo: kamati ya usimamizi inaamua kwanza.',
  'A pool pays 14 days after the demand, and not earlier.': 'Kikundi hulipa siku 14 baada ya dai, si mapema.',
  'The pool paid {paid} of your loan. You owe the pool {claim}.':
    'Kikundi kimelipa {paid} za mkopo wako. Unadaiwa na kikundi {claim}.',
  'Your pool paid for a borrower, and {lost} of it was yours. What the borrower pays back comes to you first.':
    'Kikundi chako kimelipia mkopaji, na {lost} zilikuwa zako. Atakachorudisha mkopaji kitakuja kwako kwanza.',
  'The pool is suspended: it issues no guarantees. It opens again by itself after 30 days.':
    'Kikundi kimesimamishwa: hakitoi dhamana. Kitafunguliwa tena chenyewe baada ya siku 30.',
  'You have suspended this pool in the last 120 days. Another steward may, or two of you close it.':
    'Umesimamisha kikundi hiki katika siku 120 zilizopita. Msimamizi mwingine anaweza, au wawili wenu mkifunge.',
  'You have said so already. Another steward has to.':
    'Umeshakubali. Msimamizi mwingine wa kikundi lazima akubali pia.',
  'Noted. Another steward has to say so too.': 'Imeandikwa. Msimamizi mwingine wa kikundi lazima akubali pia.',
  'The pool issues guarantees again.': 'Kikundi kinatoa dhamana tena.',
  'The pool is closing: it issues no more guarantees and pays everybody out.':
    'Kikundi kinafungwa: hakitoi dhamana tena na kinamlipa kila mtu.',
  'The pool {name} is closed. {amount} is in your wallet.':
    'Kikundi {name} kimefungwa. {amount} ziko kwenye pochi yako.',
  'The guarantee was approved and the money locked.': 'Dhamana imeidhinishwa na pesa zimefungwa.',
  'A loan application named it.': 'Ombi la mkopo limeitaja.',
  'The borrower gave it back: no loan had used it.': 'Mkopaji ameirudisha: hakuna mkopo ulioitumia.',
  'The guarantee is given back. The money that was locked for it is free.':
    'Dhamana imerudishwa. Pesa zilizofungwa kwa ajili yake ziko huru.',
  'An application that is handed in names this guarantee. Take the application back first: that frees the guarantee too.':
    'Ombi lililowasilishwa linataja dhamana hii. Ondoa ombi hilo kwanza: hilo linaachilia dhamana pia.',
  '{pool}: you gave the guarantee of {amount} back. Nothing is locked for it, and no fee was taken.':
    '{pool}: umerudisha dhamana ya {amount}. Hakuna pesa iliyofungwa kwa ajili yake, na hakuna ada iliyotozwa.',
  '{pool}: {borrower} gave a guarantee of {amount} back that no loan had used. It is free again.':
    '{pool}: {borrower} amerudisha dhamana ya {amount} ambayo hakuna mkopo ulioitumia. Pesa hizo ziko huru tena.',
  'The loan was paid out and the fee paid.': 'Mkopo umetolewa na ada imelipwa.',
  'Principal was repaid, and a part of the locks is free again.':
    'Sehemu ya deni la msingi imelipwa, na sehemu ya pesa zilizofungwa iko huru tena.',
  'The loan is late. The borrower and those who back it were told.':
    'Mkopo umechelewa. Mkopaji na wanaoudhamini wameambiwa.',
  'The sacco demands the guarantee: the loan is 60 days late.': 'Sacco inadai dhamana: mkopo umechelewa siku 60.',
  'A steward disputes the demand.': 'Msimamizi wa kikundi anapinga dai hilo.',
  'The supervisory committee took the demand back.': 'Kamati ya usimamizi imeondoa dai hilo.',
  'The supervisory committee decided that the demand stands.': 'Kamati ya usimamizi imeamua kwamba dai ni halali.',
  'The borrower paid what was late.': 'Mkopaji amelipa kilichochelewa.',
  'The guarantee was called.': 'Dhamana imechukuliwa.',
  'The pool paid the sacco.': 'Kikundi kimeilipa sacco.',
  'The borrower paid a part back.': 'Mkopaji amerudisha sehemu.',
  'The borrower paid everything back.': 'Mkopaji amerudisha zote.',
  'Members of the pool gave the rest of the claim up in the books, by a vote. It stays owed.':
    'Wanachama wa kikundi wamefuta salio la deni vitabuni, kwa kura. Bado linadaiwa.',
  'The stewards gave the rest of the claim up in the books. It stays owed.':
    'Wasimamizi wa kikundi wamefuta salio la deni vitabuni. Bado linadaiwa.',
  'The guarantee is over, and all locks are free.': 'Dhamana imeisha, na pesa zote zilizofungwa ziko huru.',
  'You have decided about this already. Another steward has to.':
    'Umeshaamua kuhusu hili. Msimamizi mwingine wa kikundi lazima aamue.',
  'Your account and that of a steward who has agreed look like one person’s. They count as one vote, so another steward must agree.':
    'Akaunti yako na ya msimamizi wa kikundi aliyekubali zinaonekana kuwa za mtu mmoja. Zinahesabiwa kama kura moja, kwa hivyo msimamizi mwingine lazima akubali.',
  'You do not decide about your own request, nor about one of an account that is related to yours.':
    'Huamui kuhusu ombi lako mwenyewe, wala la akaunti inayohusiana na yako.',
  'The stewards of {pool} approved your guarantee of {amount}. Use it for a loan within 14 days.':
    'Wasimamizi wa {pool} wameidhinisha dhamana yako ya {amount}. Itumie kwa mkopo ndani ya siku 14.',
  'The stewards of {pool} declined your request for a guarantee of {amount}. Ask another pool, or members as guarantors. The reason: {reasons}':
    'Wasimamizi wa {pool} wamekataa ombi lako la dhamana ya {amount}. Omba kikundi kingine, au wanachama wakudhamini. Sababu: {reasons}',
  'The pool issues no guarantees now.': 'Kikundi hakitoi dhamana kwa sasa.',
  'Members have voted that you leave: you put nothing into a pool any more.':
    'Wanachama wameamua kwa kura uondoke: huweki chochote kwenye kikundi tena.',
  'You have not been in the pool long enough.': 'Bado hujakaa kwenye kikundi muda wa kutosha.',
  'No official of the pool’s sacco, and no operator, has recorded that your ID card was seen.':
    'Hakuna afisa wa sacco ya kikundi wala mwendeshaji aliyeandika kwamba kitambulisho chako kimeonwa.',
  'Your phone number is not confirmed.': 'Nambari yako ya simu haijathibitishwa.',
  'Your account is held for 24 hours after a new password or phone.':
    'Akaunti yako imeshikiliwa kwa saa 24 baada ya nenosiri au simu mpya.',
  'Above its automatic limit two stewards of a pool decide, with money of theirs in it, and neither is related to you. Too few could here. Ask for less, or ask members.':
    'Juu ya kikomo chake cha moja kwa moja wasimamizi wawili wa kikundi huamua, wenye pesa zao ndani, na wasiohusiana nawe. Hapa wanaoweza ni wachache mno. Omba kidogo, au omba wanachama.',
  'A loan of yours is more than 30 days late.': 'Mkopo wako mmoja umechelewa zaidi ya siku 30.',
  'A guarantee of yours was called in the last 12 months.': 'Dhamana yako moja ilichukuliwa katika miezi 12 iliyopita.',
  'Your trust score is below what the pool asks for.': 'Alama yako ya uaminifu iko chini ya inayohitajika na kikundi.',
  'Your own free position in the pool is too small for this amount.':
    'Mchango wako ulio huru kwenye kikundi hautoshi kwa kiasi hiki.',
  'The pool cannot take on that much more now.': 'Kikundi hakiwezi kudhamini kiasi hicho zaidi kwa sasa.',
  'Your guarantees, and those of accounts related to yours, would pass the pool’s share for one borrower.':
    'Dhamana zako, na za akaunti zinazohusiana na yako, zingevuka sehemu ya mkopaji mmoja kwenye kikundi.',
  'A pool covers only a part of a loan, and this is more.':
    'Kikundi hudhamini sehemu ya mkopo tu, na hiki ni kiasi kikubwa zaidi.',
  'You are an official of this sacco. Nobody decides about a loan that their own money backs, and with yours in this pool too few officials would be left.':
    'Wewe ni afisa wa sacco hii. Hakuna anayeamua kuhusu mkopo ambao pesa zake mwenyewe zinaudhamini, na pesa zako zikiwa kwenye kikundi hiki maafisa wangebaki wachache mno.',
  'Nobody could decide about your loan: too many of those who decide have money in this pool. Ask another pool, or members.':
    'Hakuna ambaye angeweza kuamua kuhusu mkopo wako: wengi wa wanaoamua wana pesa kwenye kikundi hiki. Omba kikundi kingine, au wanachama.',
  'The pool {name} is not open: it takes on no new loan now.':
    'Kikundi {name} hakiko wazi: hakichukui mkopo mpya kwa sasa.',
  'You have a guarantee of this pool that no loan uses yet, or have asked for one. It ends on {day} at the latest.':
    'Una dhamana ya kikundi hiki ambayo bado haijatumiwa na mkopo wowote, au umeomba moja. Itaisha kufikia {day}.',
  'An account that is related to yours stands against it. Ask another pool, or members.':
    'Akaunti inayohusiana na yako inazuia dhamana hii. Omba kikundi kingine, au wanachama.',
  'A guarantee of this pool for you was not used. You wait as long as its money was locked: ask again after {day}.':
    'Dhamana ya kikundi hiki kwako haikutumiwa. Unasubiri kwa muda ambao pesa zake zilikuwa zimefungwa: omba tena baada ya {day}.',
  'You have as many guarantees of this pool as one borrower may have.':
    'Tayari una dhamana zote za kikundi hiki ambazo mkopaji mmoja anaruhusiwa.',
  'The other members do not have that much free.': 'Wanachama wengine hawana pesa huru za kutosha.',
  'The terms of the pool have changed by a vote. Ask once more.':
    'Masharti ya kikundi yamebadilishwa kwa kura. Omba tena.',
  'The three parts of the fees must be 100 together.': 'Sehemu tatu za ada lazima ziwe 100 kwa jumla.',
  'A pool for members of all saccos has no votes. Its terms stand as it was created.':
    'Kikundi cha wanachama wa sacco zote hakina kura. Masharti yake yanabaki kama kilivyoundwa.',
  'This sacco has no such pool.': 'Sacco hii haina kikundi kama hicho.',
  'This pool is closed.': 'Kikundi hiki kimefungwa.',
  'the terms of a guarantor pool': 'masharti ya kikundi cha udhamini',
  'the settings of a guarantor pool': 'mipangilio ya kikundi cha udhamini',
  'The pool guarantees more than that already. Its guarantees have to fall first.':
    'Kikundi tayari kinadhamini zaidi ya hapo. Dhamana zake zipungue kwanza.',
  '{pool} is closing. Your request for a guarantee has ended. Ask another pool, or members.':
    '{pool} kinafungwa. Ombi lako la dhamana limeisha. Omba kikundi kingine, au wanachama.',
  '{pool}: its terms have changed by a vote. Your request for a guarantee has ended. Ask once more.':
    '{pool}: masharti yake yamebadilishwa kwa kura. Ombi lako la dhamana limeisha. Omba tena.',
  'a steward of a guarantor pool': 'msimamizi wa kikundi cha udhamini',
  'Whoever is a steward has money in the pool that is not under notice.':
    'Msimamizi ni mtu mwenye pesa kwenye kikundi ambazo hazijatolewa notisi.',
  'The members of the pool have elected this steward already.':
    'Wanachama wa kikundi tayari wamemchagua msimamizi huyu.',
  'The pool has three elected stewards. Another place is free once one of them ends.':
    'Kikundi kina wasimamizi watatu waliochaguliwa. Nafasi inapatikana mmoja wao akiondoka.',
  'Your account and that of a steward look like one person’s. Another member offers to be one.':
    'Akaunti yako na ya msimamizi zinaonekana kuwa za mtu mmoja. Mwanachama mwingine ajitolee.',
  '{pool}: members have elected you as a steward.': '{pool}: wanachama wamekuchagua kuwa msimamizi.',
  '{pool}: by a vote of its members you are not a steward any more.':
    '{pool}: kwa kura ya wanachama wake, wewe si msimamizi tena.',
  'the end of a steward’s place': 'kumaliza nafasi ya msimamizi',
  '{pool}: three stewards are elected. Your place as its creator has ended.':
    '{pool}: wasimamizi watatu wamechaguliwa. Nafasi yako kama aliyeunda kikundi imeisha.',
  'This is no steward of the pool any more.': 'Huyu si msimamizi wa kikundi tena.',
  'A pool is never without a steward: elect another one first.':
    'Kikundi hakikosi msimamizi kamwe: mchagueni mwingine kwanza.',
  'The pool is closed: what is owed stays owed.': 'Kikundi kimefungwa: deni lililopo linabaki.',
  'Members of the pool decide this by a vote.': 'Wanachama wa kikundi wanaamua hili kwa kura.',
  'a claim of a guarantor pool': 'deni la kikundi cha udhamini',
  'Another member drafts a vote on what you owe.':
    'Mwanachama mwingine ndiye anayeandika rasimu ya kura kuhusu deni lako.',
  'The stewards declined it.': 'Wasimamizi wa kikundi wameikataa.',
  'Your guaranteed loan is late. If you do not pay, the pool pays up to {outstanding}, your own position first, and you owe it.':
    'Mkopo wako uliodhaminiwa umechelewa. Usipolipa, kikundi kitalipa hadi {outstanding}, kwanza kwa mchango wako, nawe utadaiwa.',
  'A loan that your guarantor pool guarantees is late. You can lose at most {locked}.':
    'Mkopo uliodhaminiwa na kikundi chako umechelewa. Unaweza kupoteza hadi {locked}.',
  'A guarantor pool disputes a demand of the sacco. Decide within 14 days: after that the demand stands.':
    'Kikundi cha udhamini kinapinga dai la sacco. Amueni ndani ya siku 14: baada ya hapo dai ni halali.',
  'The supervisory committee did not decide within 14 days: the demand stands.':
    'Kamati ya usimamizi haikuamua ndani ya siku 14: dai ni halali.',
  'The supervisory committee did not decide about your objection within 14 days: the demand stands.':
    'Kamati ya usimamizi haikuamua kuhusu pingamizi lako ndani ya siku 14: dai ni halali.',
  'Your own money or your own pool is in this. Another member of the committee decides.':
    'Pesa zako au kikundi chako kimo humu. Mjumbe mwingine wa kamati anaamua.',
  'The terms of this pool have changed. Read them again and confirm.':
    'Masharti ya kikundi hiki yamebadilika. Yasome tena kisha uthibitishe.',
  'The first deposit in this pool is at least {least}.': 'Mchango wa kwanza kwenye kikundi hiki ni angalau {least}.',
  'You are not a member of this pool. Join it first.': 'Wewe si mwanachama wa kikundi hiki. Jiunge kwanza.',
  'This pool is closing: it takes no more money.': 'Kikundi hiki kinafungwa: hakipokei pesa tena.',
  'Deposit in the pool {name}': 'Pesa zilizowekwa kwenye kikundi {name}',
  'This pool guarantees loans of its own sacco only.': 'Kikundi hiki hudhamini mikopo ya sacco yake pekee.',
  'The guarantee is over other months than the loan.': 'Miezi ya dhamana si sawa na ya mkopo.',
  '{amount} from the pool {name} is in your wallet.': '{amount} kutoka kikundi {name} ziko kwenye pochi yako.',
  'Join a sacco first: this pool takes members of any active sacco.':
    'Jiunge na sacco kwanza: kikundi hiki hupokea wanachama wa sacco yoyote inayotumika.',
  'Your sacco is suspended: nobody puts money into a pool as its member meanwhile.':
    'Sacco yako imesimamishwa: kwa sasa hakuna anayeweza kuweka pesa kwenye kikundi kama mwanachama wake.',
  'This pool takes members of its sacco only.': 'Kikundi hiki hupokea wanachama wa sacco yake pekee.',
  'You have joined the pool {name}.': 'Umejiunga na kikundi {name}.',
  'Your deposit is in the pool {name}.': 'Pesa zako ziko kwenye kikundi {name}.',
  'Your notice is given. You are told when the money is in your wallet.':
    'Notisi yako imetolewa. Utaarifiwa pesa zikiwa kwenye pochi yako.',
  'Your notice is taken back: the money stays in the pool.': 'Notisi yako imeondolewa: pesa zinabaki kwenye kikundi.',
  'Paid. Those who lost get it first.': 'Imelipwa. Waliopoteza wanapata kwanza.',
  'This is your quote. It holds for 72 hours.': 'Hii ndiyo bei yako. Ni halali kwa saa 72.',
  'The pool cannot guarantee this now. Read why.': 'Kikundi hakiwezi kudhamini hili kwa sasa. Soma sababu.',
  'The request is taken back.': 'Ombi limeondolewa.',
  'The code is on its way to your phone. It works for 10 minutes.':
    'Msimbo unakuja kwenye simu yako. Unatumika kwa dakika 10.',
  'Signed. The stewards decide within 72 hours.': 'Imetiwa sahihi. Wasimamizi wa kikundi wanaamua ndani ya saa 72.',
  'Signed and approved. Use it for a loan within 14 days.':
    'Imetiwa sahihi na kuidhinishwa. Itumie kwa mkopo ndani ya siku 14.',
  'Your vote is recorded.': 'Kura yako imehifadhiwa.',
  'Nothing is paid until the supervisory committee has decided.': 'Hakuna kinacholipwa hadi kamati ya usimamizi iamue.',
  'The claim is written off. What comes later is still shared out.':
    'Deni limefutwa vitabuni. Zitakazolipwa baadaye bado zitagawanywa.',
  'The demand stands.': 'Dai ni halali.',
  'The demand is taken back.': 'Dai limeondolewa.',
  'A borrower paid your pool back, and {amount} of it is yours.':
    'Mkopaji amekirudishia kikundi chako, na {amount} ni zako.',
  'That is more than you owe the pool: {owed}.': 'Hiyo ni zaidi ya unachodaiwa na kikundi: {owed}.',
  'Paid back to a guarantor pool': 'Zilizorudishwa kwa kikundi cha udhamini',
  'Nothing is claimed here any more: it was paid back, or given up.':
    'Hakuna deni tena hapa: limelipwa, au limefutwa vitabuni.',
  'A claim is written off two years after it was paid, and not earlier.':
    'Deni hufutwa miaka miwili baada ya kulipwa, si mapema.',
  '{pool}: a request for a guarantee of {amount} waits for the stewards. Decide within 72 hours.':
    '{pool}: ombi la dhamana ya {amount} linasubiri wasimamizi. Amueni ndani ya saa 72.',
  'The pool {pool} guarantees {amount} of a loan of {borrower} over {months} months.':
    'Kikundi {pool} kinadhamini {amount} za mkopo wa {borrower} kwa miezi {months}.',
  'The fee is {fee}, at {rate} % a year on what is guaranteed. It leaves the wallet when the loan is paid out.':
    'Ada ni {fee}, yaani {rate} % kwa mwaka ya kiasi kinachodhaminiwa. Inatoka kwenye pochi mkopo unapotolewa.',
  'The fee is {fee}. It leaves the wallet once, when the loan is paid out.':
    'Ada ni {fee}. Inatoka kwenye pochi mara moja, mkopo unapotolewa.',
  'It is {rate} % a year of what is still guaranteed, reckoned as if the loan is repaid in equal parts each month.':
    'Ni {rate} % kwa mwaka ya kiasi ambacho bado kinadhaminiwa, ikihesabiwa kana kwamba mkopo unalipwa kwa sehemu sawa kila mwezi.',
  'Paid off early, the part of the fee that is not earned comes back.':
    'Mkopo ukilipwa wote mapema, sehemu ya ada ya miezi iliyobaki inarudi.',
  '{own} of the borrower’s own money in the pool is locked, and {others} of the other members.':
    '{own} za mkopaji mwenyewe kwenye kikundi zimefungwa, na {others} za wanachama wengine.',
  'With each repayment of principal the guarantee and the locks fall in proportion.':
    'Kila sehemu ya deni la msingi inapolipwa, dhamana na pesa zilizofungwa hupungua vilevile.',
  'If the loan is not repaid, the borrower’s whole free position pays first, then a part of the reserve, then the locks.':
    'Mkopo usipolipwa, mchango wote wa mkopaji ulio huru hulipa kwanza, kisha sehemu ya akiba ya dharura, kisha pesa zilizofungwa.',
  'What the reserve and the others pay, the borrower owes the pool at once.':
    'Kinacholipwa na akiba ya dharura na wengine, mkopaji anadaiwa na kikundi mara moja.',
  'Of the last {due, plural, one {# month} other {# months}} you saved {least} or more in {paid}.':
    'Katika {due, plural, one {mwezi #} other {miezi #}} iliyopita uliweka akiba ya {least} au zaidi katika {paid}.',
  'No whole month in a sacco is over yet: this begins at half.':
    'Hakuna mwezi kamili kwenye sacco uliokwisha bado: sehemu hii huanza na nusu.',
  'Two months are added for everybody, one of them with savings, so that few months say little.':
    'Kila mtu huongezewa miezi miwili, mmoja wenye akiba, ili miezi michache isiamue mengi.',
  'Points: {most} × {good} ÷ {all}.': 'Pointi: {most} × {good} ÷ {all}.',
  'You are the only steward of the guarantor pool {pool}: nobody else decides about its requests. If it is not to go on, close it first.':
    'Wewe ndiye msimamizi pekee wa kikundi cha udhamini {pool}: hakuna mwingine anayeamua kuhusu maombi yake. Kama hakitaendelea, kifunge kwanza.',
  'You have a default that is not made good: it takes no points, it limits the whole score.':
    'Una mkopo ulioshindwa kulipa ambao haujarekebishwa: haupunguzi pointi, unaweka kikomo kwa alama yote.',
  'The parts come to {sum}. A default that is not made good keeps the score at 20 or less.':
    'Sehemu zote zinafika {sum}. Ukishindwa kulipa mkopo na hujaulipa baadaye, alama haizidi 20.',
  'You have no default that lowers it.': 'Hakuna mkopo ulioshindwa kulipa unaoishusha.',
  '{n, plural, one {# default that you made good} other {# defaults that you made good}}. Each takes 20 points at first, less with each month, and none after 36 months; all together 60 at most.':
    '{n, plural, one {Mara # ulishindwa kulipa, ukalipa baadaye} other {Mara # ulishindwa kulipa, ukalipa baadaye}}. Kila mara hupunguza pointi 20 mwanzoni, chache zaidi kila mwezi, na baada ya miezi 36 haipunguzi; zote pamoja si zaidi ya 60.',
  'You are in no sacco.': 'Huna sacco uliyojiunga nayo.',
  'You have been in a sacco for {n, plural, one {# day} other {# days}}.':
    'Umekuwa kwenye sacco kwa {n, plural, one {siku #} other {siku #}}.',
  '{all} days give all {most} points. Points: {most} × {n} ÷ {all}.':
    'Siku {all} hutoa pointi zote {most}. Pointi: {most} × {n} ÷ {all}.',
  '{all} days or more give all {most} points.': 'Siku {all} au zaidi hutoa pointi zote {most}.',
  '{done} of these 2 are done: ID card seen ({identity} points), phone confirmed ({phone}). The other {rest} are for an email address and a next of kin, which cannot be confirmed here yet.':
    '{done} kati ya haya 2 yamefanyika: kitambulisho kimeonwa (pointi {identity}), simu imethibitishwa ({phone}). {rest} zilizobaki ni za barua pepe na ndugu wa karibu, ambavyo haviwezi kuthibitishwa hapa bado.',
  'You have no instalments of {least} or more yet: this begins at half.':
    'Bado huna awamu za mkopo za {least} au zaidi: sehemu hii huanza na nusu.',
  'You paid {paid} of {all} instalments of {least} or more on time in the last 24 months.':
    'Ulilipa awamu {paid} kati ya {all} za {least} au zaidi kwa wakati katika miezi 24 iliyopita.',
  'One up to 30 days late counts as a half, up to 90 days as a fifth, later as nothing.':
    'Iliyochelewa hadi siku 30 huhesabiwa nusu, hadi siku 90 moja ya tano, zaidi ya hapo haihesabiwi.',
  'Four are added for everybody, two of them on time, so that few instalments say little.':
    'Kila mtu huongezewa awamu nne, mbili zilizolipwa kwa wakati, ili awamu chache zisiamue mengi.',
  'No loan of yours is late.': 'Hakuna mkopo wako uliochelewa.',
  'A loan of yours is {n, plural, one {# day} other {# days}} late. Up to 30 days leave half of the points, more days none.':
    'Mkopo wako mmoja umechelewa {n, plural, one {siku #} other {siku #}}. Hadi siku 30 huacha nusu ya pointi, zaidi ya hapo haziachi.',
  'Your account is suspended: the score is 0.': 'Akaunti yako imesimamishwa: alama ni 0.',
  'A default that is not made good keeps the score at 20 or less.':
    'Ukishindwa kulipa mkopo na hujaulipa baadaye, alama haizidi 20.',
  'Show your ID card to an official of your sacco.': 'Mwonyeshe afisa wa sacco yako kitambulisho chako.',
  'Confirm your phone number.': 'Thibitisha nambari yako ya simu.',
  'Save at least {least} in each of the next twelve months.':
    'Weka akiba ya angalau {least} kila mwezi kwa miezi kumi na miwili ijayo.',
  'Pay the next six instalments of {least} or more on time.': 'Lipa awamu sita zijazo za {least} au zaidi kwa wakati.',
  'Pay what is late.': 'Lipa kilichochelewa.',
  'Stay in your sacco: two years give the most.': 'Baki kwenye sacco yako: miaka miwili inatoa alama nyingi zaidi.',
  'Only {free} of your position is free: the rest backs guarantees or is under notice.':
    'Ni {free} tu za mchango wako zilizo huru: zilizobaki zinadhamini au zimetolewa notisi.',
  'Leave at least {least} in the pool, or withdraw everything.': 'Acha angalau {least} kwenye kikundi, au toa zote.',
  'The pool is closing and pays everybody out.': 'Kikundi kinafungwa na kinamlipa kila mtu.',
  'You have {amount} in the guarantor pool {pool}. Withdraw it from the pool first.':
    'Una {amount} kwenye kikundi cha udhamini {pool}. Zitoe kwenye kikundi kwanza.',
  'The guarantor pool {pool} guarantees {amount} of a loan of yours here. Repay it first.':
    'Kikundi cha udhamini {pool} kinadhamini {amount} za mkopo wako hapa. Ulipe kwanza.',
  'The guarantor pool {pool} has paid {amount} of a loan of yours here. Pay it back first.':
    'Kikundi cha udhamini {pool} kimelipa {amount} za mkopo wako hapa. Kirudishie kwanza.',
} as const;
