/** What the server says about late loans, their recovery and new schedules. */
export const loanRecoveryTexts = {
  '{sacco}: {amount} of your loan {number} is due on {day}.':
    '{sacco}: {amount} za mkopo wako {number} ni za kulipwa tarehe {day}.',
  '{sacco}: {amount} of your loan {number} was due on {day} and is not paid. From the sixth day on a penalty is charged.':
    '{sacco}: {amount} za mkopo wako {number} zilikuwa za kulipwa tarehe {day} na hazijalipwa. Kuanzia siku ya sita kuna adhabu.',
  '{sacco}: your loan {number} is {days} late. {amount} is overdue. Pay it, or talk to your sacco.':
    '{sacco}: mkopo wako {number} umechelewa {days}. Deni lililochelewa ni {amount}. Lilipe, au zungumza na sacco yako.',
  '{sacco}: your loan {number} is {days} late. {amount} is overdue. Today your guarantors are told.':
    '{sacco}: mkopo wako {number} umechelewa {days}. Deni lililochelewa ni {amount}. Leo wadhamini wako wanaarifiwa.',
  'Formal notice of {sacco}: the loan {number} of {borrower}, which you guarantee with {pledge}, is {days} late. {amount} is overdue. You may talk to {borrower} or pay for them. If it is still not paid on day 90, the credit committee may decide that the loan is in default.':
    'Notisi rasmi ya {sacco}: mkopo {number} wa {borrower}, unaoudhamini kwa {pledge}, umechelewa {days}. Deni lililochelewa ni {amount}. Unaweza kuzungumza na {borrower} au kumlipia. Usipolipwa kufikia siku ya 90, kamati ya mikopo inaweza kuamua kuwa {borrower} ameshindwa kulipa.',
  'Second notice of {sacco}: your loan {number} is {days} late. {amount} is overdue. Ask your sacco for a new schedule if you cannot pay. From day 90 on the credit committee may decide that the loan is in default.':
    'Notisi ya pili ya {sacco}: mkopo wako {number} umechelewa {days}. Deni lililochelewa ni {amount}. Omba sacco yako ratiba mpya kama huwezi kulipa. Kuanzia siku ya 90 kamati ya mikopo inaweza kuamua kuwa umeshindwa kulipa.',
  'Second notice of {sacco}: the loan {number} of {borrower}, which you guarantee with {pledge}, is {days} late. {amount} is overdue.':
    'Notisi ya pili ya {sacco}: mkopo {number} wa {borrower}, unaoudhamini kwa {pledge}, umechelewa {days}. Deni lililochelewa ni {amount}.',
  '{sacco}: the loan {number} is {days} late. The credit committee may now decide that it is in default.':
    '{sacco}: mkopo {number} umechelewa {days}. Kamati ya mikopo sasa inaweza kuamua kuwa mkopaji ameshindwa kulipa.',
  '{sacco}: the credit committee has decided that your loan {number} is in default. {amount} of principal is owed.':
    '{sacco}: kamati ya mikopo imeamua kuwa umeshindwa kulipa mkopo wako {number}. Deni la msingi ni {amount}.',
  '{sacco}: the credit committee has decided that the loan {number} of {borrower}, which you guarantee with {pledge}, is in default.':
    '{sacco}: kamati ya mikopo imeamua kuwa {borrower} ameshindwa kulipa mkopo {number}, unaoudhamini kwa {pledge}.',
  'Final notice of {sacco}: from {day} on your savings may be taken for the {amount} that you owe of loan {number}. Pay before that day to keep them.':
    'Notisi ya mwisho ya {sacco}: kuanzia {day} akiba yako inaweza kuchukuliwa kulipia {amount} unayodaiwa kwenye mkopo {number}. Lipa kabla ya siku hiyo ili akiba yako ibaki.',
  'Final notice of {sacco}: from {day} on up to {pledge} of your savings may be taken for the loan {number} of {borrower}. The savings of {borrower} are taken first.':
    'Notisi ya mwisho ya {sacco}: kuanzia {day}, akiba yako hadi {pledge} inaweza kuchukuliwa kulipia mkopo {number} wa {borrower}. Akiba ya {borrower} huchukuliwa kwanza.',
  '{sacco} has taken {amount} of your savings for your loan {number}.':
    '{sacco} imechukua {amount} za akiba yako kulipia mkopo wako {number}.',
  '{sacco} has taken {amount} of your savings for the loan {number} of {borrower}. {borrower} owes it to you now. What {borrower} pays goes to the guarantors first.':
    '{sacco} imechukua {amount} za akiba yako kulipia mkopo {number} wa {borrower}. Sasa {borrower} anadaiwa nawe. Anacholipa {borrower} huenda kwa wadhamini kwanza.',
  '{sacco} has taken {amount} of your guarantors’ savings for your loan {number}. You owe it to them now.':
    '{sacco} imechukua {amount} za akiba ya wadhamini wako kulipia mkopo wako {number}. Sasa unadaiwa nao.',
  'The guarantor pool has paid {amount} of your loan {number} at {sacco}. You owe it to the pool now.':
    'Kikundi cha udhamini kimelipa {amount} za mkopo wako {number} katika {sacco}. Sasa unadaiwa na kikundi.',
  '{borrower} has paid you back {amount} for the loan {number} at {sacco} that you guaranteed.':
    '{borrower} amekurudishia {amount} za mkopo {number} katika {sacco} uliomdhamini.',
  '{sacco} has paid you back {amount} out of the dividend of {borrower}, for their loan {number} that you guaranteed.':
    '{sacco} imekurudishia {amount} kutoka kwa gawio la {borrower}, kwa mkopo wake {number} uliomdhamini.',
  '{sacco} has written your loan {number} off in its books. You still owe {amount}.':
    '{sacco} imefuta mkopo wako {number} vitabuni. Bado unadaiwa {amount}.',
  '{sacco} offers a new schedule for your loan {number}: {amount} in {months}. Say yes or no by {day}. Until everybody has agreed the old one holds.':
    '{sacco} inapendekeza ratiba mpya ya mkopo wako {number}: {amount} kwa {months}. Sema ndiyo au hapana kufikia {day}. Hadi wote wakubali, ratiba ya zamani inaendelea.',
  '{sacco} offers a new schedule for the loan {number} of {borrower}, which you guarantee: {amount} in {months}. Your pledge stays {pledge} at most. Say yes or no by {day}. Without your yes the old one holds.':
    '{sacco} inapendekeza ratiba mpya ya mkopo {number} wa {borrower} unaoudhamini: {amount} kwa {months}. Dhamana yako haizidi {pledge}. Sema ndiyo au hapana kufikia {day}. Usipokubali, ratiba ya zamani inaendelea.',
  'The new schedule of loan {number} at {sacco} holds from today.':
    'Ratiba mpya ya mkopo {number} katika {sacco} inaanza leo.',
  'The new schedule of loan {number} at {sacco} came to nothing: not everybody agreed. The old one holds.':
    'Ratiba mpya ya mkopo {number} katika {sacco} haikufaulu: si wote waliokubali. Ya zamani inaendelea.',
  '{sacco}: all have agreed to the new schedule of loan {number}. It holds from today.':
    '{sacco}: wote wamekubali ratiba mpya ya mkopo {number}. Inaanza leo.',
  '{sacco}: {name} did not agree to the new schedule of loan {number}. The old one holds.':
    '{sacco}: {name} hakukubali ratiba mpya ya mkopo {number}. Ya zamani inaendelea.',
  '{sacco}: not everybody answered the new schedule of loan {number} in time. The old one holds.':
    '{sacco}: si wote waliojibu kwa wakati kuhusu ratiba mpya ya mkopo {number}. Ya zamani inaendelea.',
  'A new schedule was offered: {amount} in {n, plural, one {# month} other {# months}}.':
    'Ratiba mpya ilipendekezwa: {amount} kwa {n, plural, one {mwezi #} other {miezi #}}.',
  '{name} did not agree to the new schedule. The old one holds.':
    '{name} hakukubali ratiba mpya. Ya zamani inaendelea.',
  'The sacco took its offer of a new schedule back.': 'Sacco iliondoa pendekezo lake la ratiba mpya.',
  'Not everybody answered the offer of a new schedule in time. The old one holds.':
    'Si wote waliojibu pendekezo la ratiba mpya kwa wakati. Ya zamani inaendelea.',
  '{n, plural, one {# month} other {# months}}': '{n, plural, one {mwezi #} other {miezi #}}',

  'There is no such loan.': 'Hakuna mkopo kama huo.',
  'You may not decide about a loan of your own, or one that you guarantee.':
    'Huwezi kuamua kuhusu mkopo wako mwenyewe, au ule unaoudhamini.',
  'You have voted already. Another official must cast the second vote.':
    'Tayari umepiga kura. Afisa mwingine lazima apige kura ya pili.',
  'One of the board and one of the supervisory committee must agree. Your side has voted.':
    'Mmoja wa bodi na mmoja wa kamati ya usimamizi lazima wakubali. Upande wako tayari umepiga kura.',
  'Your vote is recorded. Another official who decides about it must agree.':
    'Kura yako imehifadhiwa. Afisa mwingine anayeamua kuhusu hilo lazima akubali.',
  'The loan is in default. The borrower and the guarantors are told.':
    'Mkopaji ameshindwa kulipa. Yeye na wadhamini wanaambiwa.',
  'The final notice is sent. In 14 days the next step may be taken.':
    'Notisi ya mwisho imetumwa. Baada ya siku 14 hatua inayofuata inaweza kuchukuliwa.',
  '{amount} is recovered.': '{amount} zimekusanywa.',
  'Nothing was taken: you were shown {shown}, and now it would be {now}. Look at it again.':
    'Hakuna kilichochukuliwa: ulionyeshwa {shown}, na sasa ingekuwa {now}. Angalia tena.',
  'Your vote is not recorded: you were shown {shown}, and {now} is owed now. Look at it again.':
    'Kura yako haijahifadhiwa: ulionyeshwa {shown}, na sasa deni ni {now}. Angalia tena.',
  'Nothing was left to take. The next step may be taken.':
    'Hakuna kilichobaki kuchukuliwa. Hatua inayofuata inaweza kuchukuliwa.',
  '{sacco}: {name} does not agree to write the loan {number} off. The reason: {reason}':
    '{sacco}: {name} hakubali kufuta mkopo {number} vitabuni. Sababu: {reason}',
  '{sacco}: {name} proposes to write the loan {number} off. {amount} is owed. It waits for your vote: open the credit desk.':
    '{sacco}: {name} anapendekeza kufuta mkopo {number} vitabuni. Kiasi kinachodaiwa ni {amount}. Kura yako inasubiriwa: fungua dawati la mikopo.',
  '{sacco}: {name} has voted that the loan {number} is in default. {amount} is owed. It waits for your vote: open the credit desk.':
    '{sacco}: {name} amepiga kura kuwa mkopaji wa mkopo {number} ameshindwa kulipa. Kiasi kinachodaiwa ni {amount}. Kura yako inasubiriwa: fungua dawati la mikopo.',
  'Declined. Your reason is kept, and whoever proposed it is told. The proposal stays open.':
    'Umekataa. Sababu yako imehifadhiwa, na aliyependekeza anaambiwa. Pendekezo linabaki wazi.',
  'You have voted for it. Another official must agree or decline.':
    'Umepiga kura ya kukubali. Afisa mwingine lazima akubali au akatae.',
  'You have declined it already. You may still agree.': 'Tayari umekataa. Bado unaweza kukubali.',
  'Your vote is recorded. It takes one of the board and one of the supervisory committee.':
    'Kura yako imehifadhiwa. Inahitaji mmoja wa bodi na mmoja wa kamati ya usimamizi.',
  'The loan is written off in the books. The borrower still owes it.':
    'Mkopo umefutwa vitabuni. Mkopaji bado anadaiwa.',
  '{sacco}: {name} proposes a new schedule for the loan {number}. {amount} is owed. It waits for a second official: open the credit desk.':
    '{sacco}: {name} anapendekeza ratiba mpya ya mkopo {number}. Kiasi kinachodaiwa ni {amount}. Inasubiri afisa wa pili: fungua dawati la mikopo.',
  'The new schedule is proposed. A second official must confirm it.':
    'Ratiba mpya imependekezwa. Afisa wa pili lazima aithibitishe.',
  'You proposed it. Another official confirms it.': 'Wewe uliipendekeza. Afisa mwingine ataithibitisha.',
  'Your account and that of the official who proposed it look like one person’s. Another official must confirm it.':
    'Akaunti yako na ya afisa aliyeipendekeza zinaonekana kuwa za mtu mmoja. Afisa mwingine lazima aithibitishe.',
  'The loan or the offer has changed since it was proposed. Take it back, and propose it anew.':
    'Mkopo au pendekezo limebadilika tangu lipendekezwe. Liondoe, kisha upendekeze upya.',
  'An official has voted that this loan is in default. A new schedule waits until a second one has voted, for {n} days at most.':
    'Afisa amepiga kura kuwa mkopaji ameshindwa kulipa mkopo huu. Ratiba mpya itasubiri hadi afisa wa pili apige kura, kwa siku {n} tu.',
  'This loan is given for {n, plural, one {# month} other {# months}} at most.':
    'Mkopo huu hauzidi {n, plural, one {mwezi #} other {miezi #}}.',
  'A pool guarantees this loan until {day}. A new schedule must end by then.':
    'Mkopo huu unadhaminiwa na kikundi cha udhamini hadi {day}. Ratiba mpya lazima iishe kufikia siku hiyo.',
  'This loan has had {n} new schedules. It gets no other one.':
    'Mkopo huu umeshapata ratiba mpya {n}. Haupati nyingine.',
  'This loan and those that it paid off have had {n} new schedules. It gets no other one.':
    'Mkopo huu na ile uliyoilipa zimeshapata ratiba mpya {n}. Haupati nyingine.',
  'A month of the loan has just ended. Confirm the new schedule after the run of today.':
    'Mwezi mmoja wa mkopo umeisha sasa hivi. Thibitisha ratiba mpya baada ya hesabu za leo.',
  'The sacco is not active: its officials vote about no loan until it is active again.':
    'Sacco haitumiki: maafisa wake hawapigi kura kuhusu mkopo wowote hadi itumike tena.',
  'The loan is in default. One of the two officials who offer a new schedule must be of those who decide about a default.':
    'Mkopaji ameshindwa kulipa mkopo huu. Mmoja wa maafisa wawili wanaopendekeza ratiba mpya lazima awe wa wanaoamua kuhusu hilo.',
  'The new schedule that was offered for loan {number} at {sacco} has ended: the loan is in default.':
    'Pendekezo la ratiba mpya ya mkopo {number} wa {sacco} limeisha: imeamuliwa kuwa mkopaji ameshindwa kulipa.',
  'The borrower and the guarantors have been asked. Only those who proposed or confirmed it take it back.':
    'Mkopaji na wadhamini wameshaulizwa. Walioipendekeza au kuithibitisha tu ndio wanaoweza kuiondoa.',
  'You have ended {n} offers of others for this loan in {days} days. Another official may end this one.':
    'Umesitisha mapendekezo {n} ya wengine kuhusu mkopo huu katika siku {days}. Afisa mwingine anaweza kusitisha hili.',
  'The new schedule is offered. The borrower and every guarantor are asked.':
    'Ratiba mpya imependekezwa. Mkopaji na kila mdhamini wanaulizwa.',
  'The offer is taken back.': 'Pendekezo la ratiba limeondolewa.',
  'Kept. The new schedule holds once everybody has agreed.': 'Imehifadhiwa. Ratiba mpya itaanza wote wakikubali.',
  'The new schedule holds from today.': 'Ratiba mpya inaanza leo.',
  'Kept. The old schedule holds.': 'Imehifadhiwa. Ratiba ya zamani inaendelea.',
  'A month of the loan has ended since this was offered, and the dates have moved. Ask your sacco for another offer.':
    'Mwezi mmoja wa mkopo umeisha tangu ratiba hii ipendekezwe, na tarehe zimesogea. Omba sacco yako ipendekeze nyingine.',
  'A new schedule was offered {n} times in {days} days. Wait before you offer another one.':
    'Ratiba mpya imependekezwa mara {n} katika siku {days}. Subiri kabla ya kupendekeza nyingine.',
  'The loan has changed since this was offered. Ask for another offer.':
    'Mkopo umebadilika tangu ratiba hii ipendekezwe. Omba nyingine.',
  'Your guarantors answer first. You will see here once all of them have agreed.':
    'Wadhamini wako wanajibu kwanza. Utaona hapa wote wakishakubali.',
  'Pay the overdue interest and penalty first: {amount}. Then agree.':
    'Lipa kwanza riba iliyochelewa na adhabu: {amount}. Kisha kubali.',
  'Your guarantors are paid back {amount}.': 'Wadhamini wako wamerudishiwa {amount}.',
  'No guarantor has paid for this loan, or all are paid back.':
    'Hakuna mdhamini aliyelipia mkopo huu, au wote wamerudishiwa.',

  'Decide that the loan is in default': 'Amua kuwa mkopaji ameshindwa kulipa',
  'Send the final notice': 'Tuma notisi ya mwisho',
  'Take the borrower’s own savings': 'Chukua akiba ya mkopaji mwenyewe',
  'Call the guarantor pool': 'Dai kikundi cha udhamini kilipe',
  'Take the guarantors’ pledges': 'Chukua dhamana za wadhamini',
  'Write the loan off': 'Futa mkopo vitabuni',
} as const;
