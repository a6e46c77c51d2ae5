/** What the server says about loans and guarantees. */
export const loansTexts = {
  'Paid out': 'Umetolewa',
  'Repaid from the wallet': 'Malipo kutoka kwenye pochi',
  'Paid off from the wallet': 'Umelipwa wote kutoka kwenye pochi',
  'Repaid by the standing repayment': 'Awamu iliyojilipa kutoka kwenye pochi',
  'Repaid by M-Pesa': 'Malipo kwa M-Pesa',
  'Repaid by M-Pesa at the paybill': 'Malipo kwa M-Pesa kupitia paybill',
  'Repaid by check-off': 'Malipo kupitia makato ya mshahara',
  'Repaid from a dividend': 'Malipo kutoka kwa gawio',
  'Paid off from a new loan': 'Umelipwa wote kwa mkopo mpya',
  'Repaid after the recovery': 'Malipo baada ya ukusanyaji wa deni',
  'Taken of the borrower’s savings': 'Imechukuliwa kwenye akiba ya mkopaji',
  'Paid by the guarantor pool': 'Imelipwa na kikundi cha udhamini',
  'Taken of the guarantors’ pledges': 'Imechukuliwa kwenye dhamana za wadhamini',
  'Written off in the books; still owed': 'Umefutwa vitabuni; bado unadaiwa',
  'Paid back to a guarantor': 'Imerudishwa kwa mdhamini',
  'A loan is at most Ksh. 100,000,000.': 'Mkopo usizidi Ksh. 100,000,000.',
  'Say what the loan is for.': 'Sema mkopo ni wa nini.',
  'Write the reason.': 'Andika sababu.',
  'Write three characters or more.': 'Andika herufi tatu au zaidi.',
  'Write the reason in 10 characters or more.': 'Andika sababu kwa herufi 10 au zaidi.',
  '{amount} of penalty and interest was taken back: a payment counts on the day it was made.':
    '{amount} ya adhabu na riba imerudishwa: malipo huhesabiwa siku yalipofanywa.',
  'what a borrower owes': 'anachodaiwa mkopaji',
  '{penalty} of penalty and {interest} of interest are due now. No more than that can be waived.':
    'Adhabu ya {penalty} na riba ya {interest} zinadaiwa sasa. Haiwezekani kusamehe zaidi ya hapo.',
  '{sacco}: two officials waive {amount} of penalty and interest of your loan {number}. The reason: {reason}':
    '{sacco}: maafisa wawili wamesamehe {amount} ya adhabu na riba ya mkopo wako {number}. Sababu: {reason}',
  '{name} and {second} waived {amount} of penalty and interest. The reason: {reason}':
    '{name} na {second} walisamehe {amount} ya adhabu na riba. Sababu: {reason}',
  'Penalty and interest waived by two officials': 'Adhabu na riba zimesamehewa na maafisa wawili',
  'Rest forgiven as the loan was closed': 'Salio limesamehewa mkopo ulipofungwa',
  'Waive some penalty or some interest.': 'Samehe kiasi cha adhabu au cha riba.',
  'The rest of {amount} was forgiven.': 'Salio la {amount} limesamehewa.',
  '{sacco}: your employer paid {amount} of your loan within the days of the law. {back} of penalty is taken back.':
    '{sacco}: mwajiri wako amelipa {amount} ya mkopo wako ndani ya siku za kisheria. {back} ya adhabu imerudishwa.',
  '{sacco}: {amount} for your loan counts on {day}, when it was paid. {back} of penalty and interest is taken back.':
    '{sacco}: {amount} ya mkopo wako imehesabiwa {day}, siku ilipolipwa. {back} ya adhabu na riba imerudishwa.',
  'Two decimals at most.': 'Tarakimu mbili za desimali zisizozidi.',
  'Four decimals at most.': 'Tarakimu nne za desimali zisizozidi.',
  'Say the interest by the month or by the year.': 'Taja riba kwa mwezi au kwa mwaka.',
  'The largest amount cannot be below the smallest.': 'Kiasi cha juu hakiwezi kuwa chini ya kiasi cha chini.',
  'The longest time cannot be below the shortest.': 'Muda mrefu zaidi hauwezi kuwa chini ya ule mfupi zaidi.',
  'There is no such guarantee.': 'Hakuna dhamana kama hiyo.',
  'There is no such loan product.': 'Hakuna aina ya mkopo kama hiyo.',
  'Another loan product has that name.': 'Aina nyingine ya mkopo ina jina hilo.',
  'the loans of your sacco': 'mikopo ya sacco yako',
  'who decides about loans': 'anayeamua kuhusu mikopo',
  'You have two open applications here. End one of them first.':
    'Una maombi mawili yaliyo wazi hapa. Maliza moja kwanza.',
  'That loan cannot be paid off from a new one now.': 'Mkopo huo hauwezi kulipwa kwa mkopo mpya kwa sasa.',
  'The new loan does not reach to pay the old one off.': 'Mkopo mpya hautoshi kulipa ule wa zamani.',
  'No guarantor is asked for more than the loan.': 'Mdhamini haombwi zaidi ya mkopo wenyewe.',
  'That member has said no. Ask somebody else, or ask again after 24 hours.':
    'Mwanachama huyo amekataa. Omba mwingine, au umwombe tena baada ya saa 24.',
  'You ask guarantors {n} times in 24 hours at most. Ask again tomorrow, or fewer of them.':
    'Unaweza kuomba wadhamini mara {n} tu katika saa 24. Omba tena kesho, au omba wachache.',
  'You have named {n} members in requests that were refused. Try again tomorrow.':
    'Umetaja wanachama {n} katika maombi yaliyokataliwa. Jaribu tena kesho.',
  'For one application you ask {n} times at most, and cannot ask more often.':
    'Kwa ombi moja unaweza kuomba mara {n} tu, na huwezi kuomba zaidi.',
  '{name} cannot guarantee this loan. A guarantor has been a member in full rights for {days} days, holds no office, is not late with a loan, guarantees fewer than {most} others, has confirmed the phone, shares no phone or device with you, and has no loan that you guarantee.':
    '{name} hawezi kudhamini mkopo huu. Mdhamini amekuwa mwanachama mwenye haki kamili kwa siku {days}, hana wadhifa, hajachelewa na mkopo, anadhamini mikopo mingine chini ya {most}, amethibitisha simu, hatumii simu au kifaa kimoja nawe, na hana mkopo unaoudhamini.',
  '{name} stands behind this loan already, or is asked to. Choose somebody else.':
    '{name} tayari anadhamini mkopo huu, au ameombwa. Chagua mtu mwingine.',
  '{name} cannot guarantee this loan any more. Take that request back first.':
    '{name} hawezi tena kudhamini mkopo huu. Ondoa kwanza ombi hilo.',
  'That member has signed already.': 'Mwanachama huyo tayari ametia sahihi.',
  'A loan has {n} guarantors at most.': 'Mkopo hauzidi wadhamini {n}.',
  '{times} times your savings of {savings} that count, less the {owed} that you owe or have asked for.':
    'Mara {times} ya akiba yako ya {savings} inayohesabiwa, ukitoa {owed} unazodaiwa au ulizoomba.',
  'All your {all} count, pledged ones too. What you save from now on counts once it is 90 days old.':
    'Akiba yako yote ya {all} inahesabiwa, pamoja na iliyowekwa dhamana. Utakayoweka kuanzia sasa itahesabiwa ikitimiza siku 90.',
  'Of your {all} in savings, pledged ones too, {later} that came in after {since} does not count yet: it does once it is 90 days old.':
    'Kati ya akiba yako ya {all}, pamoja na iliyowekwa dhamana, {later} zilizoingia baada ya {since} hazihesabiwi bado: zitahesabiwa zikitimiza siku 90.',
  'All your {all} count, pledged ones too.': 'Akiba yako yote ya {all} inahesabiwa, pamoja na iliyowekwa dhamana.',
  'Of new savings, {regular} in every 30 days counts at once. You saved at least that much in each of the three 30-day periods before the last 90 days. More than that counts once it is 90 days old.':
    'Kati ya akiba mpya, {regular} kwa kila siku 30 inahesabiwa papo hapo. Uliweka angalau kiasi hicho katika kila kipindi cha siku 30, kwa vipindi vitatu kabla ya siku 90 zilizopita. Kinachozidi hapo kitahesabiwa kikitimiza siku 90.',
  '{times} times your savings of {savings} that count.': 'Mara {times} ya akiba yako ya {savings} inayohesabiwa.',
  'All loans of one member are at most a tenth of the sacco’s own capital. Its shares and what it earned, less its costs, are {capital}. A tenth is {tenth}.':
    'Mikopo yote ya mwanachama mmoja haizidi sehemu ya kumi ya mtaji wa sacco yenyewe. Hisa zake na mapato yake, kutoa gharama zake, ni {capital}. Sehemu ya kumi ni {tenth}.',
  'The most that is lent by the product “{product}”.': 'Kiasi cha juu cha mkopo wa aina ya “{product}”.',
  'All loans of one member are at most a tenth of the sacco’s own capital. Its shares and what it earned, less its costs, are {capital}. A tenth is {tenth}, less the {owed} that you owe or have asked for.':
    'Mikopo yote ya mwanachama mmoja haizidi sehemu ya kumi ya mtaji wa sacco yenyewe. Hisa zake na mapato yake, kutoa gharama zake, ni {capital}. Sehemu ya kumi ni {tenth}, kutoa {owed} unazodaiwa au ulizoomba.',
  'All loans of one member are at most a tenth of the sacco’s own capital. Its shares and what it earned, less its costs, are {capital}. A tenth is {tenth}, less {owed} owed or asked for already.':
    'Mikopo yote ya mwanachama mmoja haizidi sehemu ya kumi ya mtaji wa sacco yenyewe. Hisa zake na mapato yake, kutoa gharama zake, ni {capital}. Sehemu ya kumi ni {tenth}, kutoa {owed} zinazodaiwa au zilizoombwa tayari.',
  'The instalment takes two thirds of what you have left a month at most.':
    'Awamu haizidi theluthi mbili ya kinachobaki kwako kwa mwezi.',
  '{name} is not active: it gives no loans now.': '{name} haitumiki: haitoi mikopo kwa sasa.',
  'The instalment takes two thirds of what the borrower has left a month at most.':
    'Awamu haizidi theluthi mbili ya kinachombakia mkopaji kwa mwezi.',
  '{times} times the savings of {savings} that count, less {owed} owed or asked for already.':
    'Mara {times} ya akiba ya {savings} inayohesabika, ukitoa {owed} inayodaiwa au iliyoombwa tayari.',
  'The borrower has not paid the minimum shares.': 'Mkopaji hajanunua kiwango cha chini cha hisa.',
  'The borrower has given notice, or members have voted that they leave.':
    'Mkopaji ametoa notisi, au wanachama wameamua kwa kura aondoke.',
  'Show your ID card to an official of {name} first: nobody borrows under a name whose card was not seen.':
    'Kwanza mwonyeshe afisa wa {name} kitambulisho chako: hakuna anayekopa kwa jina ambalo kitambulisho chake hakijaonwa.',
  'No official of the sacco has seen the borrower’s ID card under this name.':
    'Hakuna afisa wa sacco aliyeona kitambulisho cha mkopaji chenye jina hili.',
  'Show your ID card to an official of your sacco first: nobody asks for a guarantee under a name whose card was not seen.':
    'Kwanza mwonyeshe afisa wa sacco yako kitambulisho chako: hakuna anayeomba dhamana kwa jina ambalo kitambulisho chake hakijaonwa.',
  '{sacco}: a member’s signature for {amount} of your loan is 30 days old and has ended. Ask them again.':
    '{sacco}: sahihi ya mwanachama ya {amount} za mkopo wako ina siku 30 na imeisha. Mwombe tena.',
  'You have returned this application once. Approve it, reject it, or leave it to the others.':
    'Umerudisha ombi hili mara moja. Liidhinishe, likatae, au waachie wengine.',
  'You have refused somebody in a guarantor’s place in this loan once. Confirm this one, or leave it to the others.':
    'Umekataa mtu mmoja wa kuchukua nafasi ya mdhamini katika mkopo huu. Mthibitishe huyu, au waachie wengine.',
  'Only the officials who made and checked this list take it back.':
    'Ni maafisa waliotengeneza na kukagua orodha hii pekee wanaoweza kuirudisha.',
  'You have refused this payout once. Pay the loan out, or leave it to another official.':
    'Umekataa malipo haya mara moja. Lipa mkopo, au mwachie afisa mwingine.',
  'The borrower has been a member for less than {days}.': 'Mkopaji amekuwa mwanachama kwa chini ya {days}.',
  'An instalment of the borrower is overdue, or their guarantors are not paid back.':
    'Awamu ya mkopaji imechelewa, au wadhamini wake hawajarudishiwa.',
  'Pay the minimum shares first: then you may borrow.':
    'Nunua kwanza kiwango cha chini cha hisa: kisha unaweza kukopa.',
  'You have given notice to {name}, or its members have voted that you leave. You take no new loan there.':
    'Umetoa notisi kwa {name}, au wanachama wake wameamua kwa kura uondoke. Huchukui mkopo mpya huko.',
  'You can borrow once you have been a member for {days}.': 'Unaweza kukopa ukishakuwa mwanachama kwa {days}.',
  'An instalment of yours is overdue, or your guarantors are not paid back. Pay first.':
    'Awamu yako moja imechelewa, au wadhamini wako hawajarudishiwa. Lipa kwanza.',
  'The sacco does not offer that loan now.': 'Sacco haitoi mkopo huo kwa sasa.',
  'The pool takes a fee as large as what this loan pays out, or larger. Nothing of the loan would reach you.':
    'Ada ya kikundi cha udhamini ni sawa na kiasi ambacho mkopo huu unalipa, au zaidi. Hakuna pesa ya mkopo ambayo ingekufikia.',
  'This loan is given for {least} to {most}.': 'Mkopo huu hutolewa kwa {least} hadi {most}.',
  'This loan is given for {least} to {most} months.': 'Mkopo huu hutolewa kwa miezi {least} hadi {most}.',
  'You can borrow {limit} at most now.': 'Kwa sasa unaweza kukopa hadi {limit}.',
  'Others must decide about this loan: it is yours or that of an account that looks like yours, you guarantee it, or your money is or was in a pool that backs it.':
    'Wengine lazima waamue kuhusu mkopo huu: ni wako au wa akaunti inayofanana na yako, unaudhamini, au pesa zako zimo, au zilikuwa, kwenye kikundi kinachoudhamini.',
  'Nobody could decide about this loan: too many of those who decide have money in the pool that backs it. Ask another pool, or members.':
    'Hakuna ambaye angeweza kuamua kuhusu mkopo huu: wengi wa wanaoamua wana pesa kwenye kikundi kinachoudhamini. Omba kikundi kingine, au wanachama.',
  Loan: 'Mkopo',
  'Of it penalty': 'Kati yake adhabu',
  'Of it interest': 'Kati yake riba',
  'Of it principal': 'Kati yake deni la msingi',
  'Your office does not take this step.': 'Wadhifa wako hauchukui hatua hii.',
  'You have voted on this application.': 'Umeshapiga kura kuhusu ombi hili.',
  'You ordered this payment, so another official checks it.':
    'Wewe uliagiza mkopo huu utolewe, kwa hivyo afisa mwingine ataukagua.',
  'Your account and that of an official who has voted look like one person’s. They count as one vote, so another official must vote.':
    'Akaunti yako na ya afisa ambaye tayari amepiga kura zinaonekana kuwa za mtu mmoja. Zinahesabiwa kama kura moja, kwa hivyo afisa mwingine lazima apige kura.',
  'Your account and that of an official who approved this loan or ordered its payout look like one person’s. Another official must check the payout.':
    'Akaunti yako na ya afisa aliyeidhinisha mkopo huu au aliyeagiza utolewe zinaonekana kuwa za mtu mmoja. Afisa mwingine lazima akague kabla ya kutoa.',
  '{name} has too few officials now to decide about this loan and to pay it out. Apply once others are named.':
    'Sasa {name} haina maafisa wa kutosha wa kuamua kuhusu mkopo huu na kuutoa. Omba baada ya wengine kutajwa.',
  'The sacco has too few officials to decide about this loan and to pay it out.':
    'Sacco haina maafisa wa kutosha wa kuamua kuhusu mkopo huu na kuutoa.',
  'You decided about this application, so another official checks its payout.':
    'Uliamua kuhusu ombi hili, kwa hivyo afisa mwingine atakagua kabla ya kutoa.',
  'The borrower may not borrow now.': 'Mkopaji hawezi kukopa kwa sasa.',
  'You have asked for five codes for this guarantee in a day. Try again tomorrow.':
    'Umeomba misimbo mitano ya dhamana hii kwa siku moja. Jaribu tena kesho.',
  'Your free savings do not reach for this pledge.': 'Akiba yako iliyo huru haitoshi kwa dhamana hii.',
  'You stand behind as many loans as one member may.': 'Tayari unadhamini mikopo yote unayoruhusiwa.',
  'You have not been a member for long enough to guarantee a loan.':
    'Hujakuwa mwanachama kwa muda wa kutosha kudhamini mkopo.',
  'You cannot guarantee this loan.': 'Huwezi kudhamini mkopo huu.',
  '{amount} pays the loan off today. That is more.': '{amount} zinamaliza mkopo leo. Ulichoweka ni zaidi.',
  'Not enough money in your wallet to pay {amount}.': 'Pesa hazitoshi kwenye pochi yako kulipa {amount}.',
  'Repayment of loan {number}': 'Malipo ya mkopo {number}',
  'Applied for {amount}.': 'Ombi la {amount}.',
  '{name} was asked to guarantee {amount}.': '{name} aliombwa kudhamini {amount}.',
  '{name} signed to guarantee {amount}.': '{name} alitia sahihi kudhamini {amount}.',
  '{name} does not guarantee it.': '{name} haudhamini.',
  '{name} need not stand in: the other pledge is free.':
    '{name} hana haja ya kuchukua nafasi: dhamana ile nyingine imeachiliwa.',
  '{sacco}: you need not answer about {amount} any more. Nobody has to stand in for that guarantor.':
    '{sacco}: huhitaji tena kujibu kuhusu {amount}. Hakuna haja ya mtu kuchukua nafasi ya mdhamini huyo.',
  '{name} did not answer within 7 days.': '{name} hakujibu ndani ya siku 7.',
  '{name} stands in for another guarantor, with {amount}.':
    '{name} amechukua nafasi ya mdhamini mwingine, kwa {amount}.',
  'Handed to the credit committee.': 'Limekabidhiwa kamati ya mikopo.',
  'Given back to be changed.': 'Limerudishwa libadilishwe.',
  'A reviewer voted.': 'Mkaguzi mmoja alipiga kura.',
  'Approved.': 'Limeidhinishwa.',
  'Rejected.': 'Limekataliwa.',
  'Taken back by the borrower.': 'Mkopaji aliliondoa.',
  'Expired: nothing was done with it for 30 days.': 'Muda umeisha: hakuna lililofanywa kwa siku 30.',
  'The borrower accepted the key facts.': 'Mkopaji alikubali maelezo muhimu.',
  'The treasurer ordered it to be paid out.': 'Mweka hazina aliagiza utolewe.',
  'The payment was refused.': 'Kutoa mkopo kulikataliwa.',
  'Paid out: {amount} to the wallet.': 'Umetolewa: {amount} kwenye pochi.',
  '{amount} was repaid.': '{amount} zililipwa.',
  '{amount} was repaid, more than was due: the rest of the schedule is new.':
    '{amount} zililipwa, zaidi ya deni la siku hiyo: ratiba iliyobaki ni mpya.',
  'Paid off with {amount}.': 'Umelipwa wote kwa {amount}.',
  'An instalment was not paid on its day.': 'Awamu moja haikulipwa siku yake.',
  'The borrower was reminded of the next instalment.': 'Mkopaji alikumbushwa awamu inayofuata.',
  'The borrower was told that the loan is in arrears.': 'Mkopaji aliambiwa kuwa mkopo umechelewa.',
  'The guarantors were told that the loan is in arrears.': 'Wadhamini waliambiwa kuwa mkopo umechelewa.',
  'The borrower was told a second time, with the offer of a new schedule.':
    'Mkopaji aliambiwa mara ya pili, na kwamba anaweza kupata ratiba mpya.',
  'The committee declared a default.': 'Kamati ilitangaza kuwa mkopaji ameshindwa kulipa.',
  'The final notice was given: 14 days until the recovery.':
    'Notisi ya mwisho ilitolewa: siku 14 kabla ya kukusanya deni.',
  '{amount} was recovered.': '{amount} zilikusanywa.',
  '{name} paid {amount} as a guarantor.': '{name} alilipa {amount} kama mdhamini.',
  '{name} got {amount} back.': '{name} alirudishiwa {amount}.',
  'The loan has a new schedule.': 'Mkopo una ratiba mpya.',
  'Paid off with {amount} from a new loan.': 'Umelipwa wote kwa {amount} kutoka mkopo mpya.',
  'Written off in the books: {amount}. It is still owed.': 'Umefutwa vitabuni: {amount}. Bado unadaiwa.',
  'The loan is over.': 'Mkopo umekwisha.',
  'A member in full rights for {days} days; this loan asks for {least}.':
    'Mwanachama kamili kwa siku {days}; mkopo huu unahitaji {least}.',
  'The borrower is not behind with another loan, and owes no guarantor.':
    'Mkopaji hajachelewa na mkopo mwingine, wala hadaiwi na mdhamini.',
  '{amount} is asked for; the limit is {limit}.': '{amount} zimeombwa; kikomo ni {limit}.',
  '{covered} of {amount} is covered by pledged savings.':
    '{covered} kati ya {amount} zimedhaminiwa na akiba iliyowekwa dhamana.',
  '{n, plural, one {# member has signed as a guarantor} other {# members have signed as guarantors}}. A guarantor has been a member for {days} days and holds no office.':
    '{n, plural, one {Mwanachama #} other {Wanachama #}} {n, plural, one {ametia} other {wametia}} sahihi kama wadhamini. Mdhamini amekuwa mwanachama kwa siku {days} na si afisa.',
  'No guarantor is needed: a guarantor pool and the borrower’s own savings cover the loan.':
    'Hakuna mdhamini anayehitajika: kikundi cha udhamini na akiba ya mkopaji vinatosha.',
  'No guarantor is needed: the borrower’s own savings cover the loan.':
    'Hakuna mdhamini anayehitajika: akiba ya mkopaji mwenyewe inatosha.',
  '{sacco}: your application for a loan of {amount} comes back to you. Read why, change it and submit it again.':
    '{sacco}: ombi lako la mkopo wa {amount} limerudishwa kwako. Soma sababu, libadilishe na uliwasilishe tena.',
  '{sacco}: your loan of {amount} is approved. Read its key facts and accept them within 30 days.':
    '{sacco}: mkopo wako wa {amount} umeidhinishwa. Soma maelezo yake muhimu na uyakubali ndani ya siku 30.',
  '{sacco}: your application for a loan of {amount} is rejected. Read why under Loans.':
    '{sacco}: ombi lako la mkopo wa {amount} limekataliwa. Soma sababu chini ya Mikopo.',
  '{sacco}: your application for a loan of {amount} has expired. What was pledged for it is free again.':
    '{sacco}: muda wa ombi lako la mkopo wa {amount} umeisha. Akiba zilizowekwa dhamana ziko huru tena.',
  '{sacco}: your loan of {amount} is paid out. What is left after its fee is in your wallet.':
    '{sacco}: mkopo wako wa {amount} umetolewa. Zilizobaki baada ya ada ziko kwenye pochi yako.',
  '{sacco}: your loan of {amount} was not paid out. Read why under Loans.':
    '{sacco}: mkopo wako wa {amount} haukutolewa. Soma sababu chini ya Mikopo.',
  '{sacco}: your wallet holds too little for the instalment of your loan. We try again tomorrow.':
    '{sacco}: pochi yako haitoshi kwa awamu ya mkopo wako. Tutajaribu tena kesho.',
  '{sacco}: your wallet held too little for the instalment of your loan on three days. Pay it by hand.':
    '{sacco}: kwa siku tatu pochi yako haikutosha kwa awamu ya mkopo wako. Ilipe mwenyewe.',
  '{sacco}: a member asks you to pledge {amount} for their loan. Read what you can lose before you answer, within 7 days.':
    '{sacco}: mwanachama anakuomba uweke dhamana ya {amount} kwa mkopo wake. Soma unachoweza kupoteza kabla ya kujibu, ndani ya siku 7.',
  '{sacco}: a member has signed to guarantee {amount} of your loan.':
    '{sacco}: mwanachama ametia sahihi kudhamini {amount} za mkopo wako.',
  '{sacco}: a member does not guarantee the {amount} that you asked for. Ask somebody else.':
    '{sacco}: mwanachama hadhamini {amount} ulizoomba. Omba mtu mwingine.',
  '{sacco}: a member has not answered for 7 days about {amount}. Ask somebody else.':
    '{sacco}: mwanachama hajajibu kwa siku 7 kuhusu {amount}. Omba mtu mwingine.',
  '{sacco}: you now stand for a loan in another member’s place, with up to {amount}.':
    '{sacco}: sasa unadhamini mkopo badala ya mwanachama mwingine, hadi {amount}.',
  '{sacco}: a guarantor of {amount} asks you to name somebody else in their place.':
    '{sacco}: mdhamini wa {amount} anakuomba utaje mtu mwingine badala yake.',
  '{sacco}: the loan for which you pledged {amount} is paid out. Your pledge shrinks as it is repaid.':
    '{sacco}: mkopo uliouwekea dhamana ya {amount} umetolewa. Dhamana yako hupungua unapolipwa.',
  '{sacco}: your pledge for another member’s loan is over. Those savings are free again.':
    '{sacco}: dhamana yako ya mkopo wa mwanachama mwingine imekwisha. Akiba hiyo iko huru tena.',
  '{sacco}: an application for a loan of {amount} waits for a decision.':
    '{sacco}: ombi la mkopo wa {amount} linasubiri uamuzi.',
  '{sacco}: a loan of {amount} was accepted and waits to be paid out.':
    '{sacco}: mkopo wa {amount} umekubaliwa na unasubiri kutolewa.',
  '{sacco}: the treasurer has ordered to pay out a loan of {amount}. Check it.':
    '{sacco}: mweka hazina ameagiza mkopo wa {amount} utolewe. Ukague.',
  '{sacco}: nothing is owed any more of your loan of {amount}. It is closed.':
    '{sacco}: hudaiwi tena chochote cha mkopo wako wa {amount}. Umefungwa.',
  '{sacco}: your loan is paid off with {amount}. What was pledged for it is free again.':
    '{sacco}: mkopo wako umelipwa wote kwa {amount}. Akiba zilizowekwa dhamana ziko huru tena.',
  '{sacco}: {amount} of your loan is repaid.': '{sacco}: {amount} za mkopo wako zimelipwa.',
  'Your guarantors are asked. Once the loan is covered, send it to the committee.':
    'Wadhamini wako wameombwa. Mkopo ukishadhaminiwa wote, tuma ombi kwa kamati.',
  'Your application is kept. Once the loan is covered, send it to the committee.':
    'Ombi lako limehifadhiwa. Mkopo ukishadhaminiwa wote, tuma ombi kwa kamati.',
  'Changed.': 'Limebadilishwa.',
  'Asked. You will be told of the answer.': 'Ameombwa. Utaambiwa jibu.',
  'Taken back.': 'Limeondolewa.',
  'Handed to the credit committee. It decides within 14 days.':
    'Limekabidhiwa kamati ya mikopo. Itaamua ndani ya siku 14.',
  'Taken back. What was pledged is free again.': 'Limeondolewa. Akiba zilizowekwa dhamana ziko huru tena.',
  'Accepted. Two officials pay it out now.': 'Umekubali. Maafisa wawili wanautoa sasa.',
  'A prompt is on its way to your phone. What you pay goes to the loan.':
    'Ombi la M-Pesa linakuja kwenye simu yako. Utakacholipa kinaenda kwenye mkopo.',
  'Each instalment is paid from your wallet on its day, or what is there of it.':
    'Kila awamu italipwa kutoka kwenye pochi yako siku yake, au kiasi kilichopo.',
  'Instalments are not paid by themselves any more.': 'Awamu hazitajilipa zenyewe tena.',
  '{amount} is paid. The loan is paid off.': '{amount} zimelipwa. Mkopo umekwisha.',
  '{amount} is paid.': '{amount} zimelipwa.',
  '{amount} is paid. You have paid in advance: nothing is due until {day}.':
    '{amount} zimelipwa. Umelipa mapema: hudaiwi kitu hadi {day}.',
  '{sacco}: {amount} of your loan is repaid in advance. Nothing is due until {day}.':
    '{sacco}: {amount} za mkopo wako zimelipwa mapema. Hudaiwi kitu hadi {day}.',
  'What you pay in advance makes the loan end earlier.': 'Unacholipa mapema hufanya mkopo uishe mapema.',
  'What you pay in advance lowers the instalments.': 'Unacholipa mapema hupunguza awamu.',
  'What you pay in advance pays the next instalments.': 'Unacholipa mapema hulipa awamu zinazofuata.',
  'The code is on its way by SMS.': 'Msimbo unakuja kwa SMS.',
  'Signed. Your pledge is held from now on.': 'Umetia sahihi. Dhamana yako inashikiliwa kuanzia sasa.',
  'You have said no. Nothing of yours is held for this loan, and the borrower does not learn why.':
    'Umekataa. Hakuna kilicho chako kinachoshikiliwa kwa mkopo huu, na mkopaji hataambiwa sababu.',
  'The borrower is asked to name somebody else. You stay bound until the credit committee has confirmed it.':
    'Mkopaji ameombwa ataje mtu mwingine. Unabaki mdhamini hadi kamati ya mikopo ithibitishe.',
  'Asked. Both change once that member has signed and the committee has confirmed.':
    'Ameombwa. Wote wawili watabadilishana mwanachama huyo akitia sahihi na kamati ikithibitisha.',
  'Your vote is recorded.': 'Kura yako imehifadhiwa.',
  'Ordered. Another official checks it before anything moves.':
    'Imeagizwa. Afisa mwingine ataikagua kabla pesa hazijaenda.',
  'Paid out.': 'Umetolewa.',
  'Refused. The borrower is told.': 'Umekataliwa. Mkopaji ameambiwa.',
  'Decided. Both members are told.': 'Imeamuliwa. Wanachama wote wawili wameambiwa.',
  'Nobody has to stand in any more: the other pledge is free. The request has ended.':
    'Hakuna tena haja ya mtu kuchukua nafasi: dhamana ile nyingine imeachiliwa. Ombi limekwisha.',
  'You owe {amount} of loan {number}. Repay it first.': 'Unadaiwa {amount} za mkopo {number}. Ulipe kwanza.',
  'Your application for loan {number} is open. Take it back first.':
    'Ombi lako la mkopo {number} liko wazi. Liondoe kwanza.',
  '{amount} of your savings is pledged for loans of other members. Ask their borrowers to name somebody else.':
    '{amount} za akiba yako zimewekwa dhamana kwa mikopo ya wanachama wengine. Waombe wakopaji wataje mtu mwingine.',
  'An instalment of your loan is overdue. Pay it, then you can trade again.':
    'Awamu ya mkopo wako imechelewa. Ilipe, kisha unaweza kununua na kuuza hisa tena.',
  'Guarantors or a pool have paid for a loan of yours. Pay them back, then you can trade again.':
    'Wadhamini au kikundi cha udhamini wamelipia mkopo wako. Warudishie, kisha unaweza kununua na kuuza hisa tena.',
  'Guarantors have paid {amount} of loan {number} for you. Pay them back first.':
    'Wadhamini wamekulipia {amount} za mkopo {number}. Warudishie kwanza.',
  'That member may not guarantee a loan any more. Refuse, then the borrower can name another.':
    'Mwanachama huyo hawezi tena kudhamini mkopo. Kataa, kisha mkopaji anaweza kutaja mwingine.',
  'Repay your loan and be replaced as a guarantor before you sell your shares to leave.':
    'Lipa mkopo wako na ubadilishwe kama mdhamini kabla ya kuuza hisa zako ili uondoke.',
  'This loan needs no vote from your office.': 'Mkopo huu hauhitaji kura ya wadhifa wako.',
  'Your account looks related to the borrower’s, so the credit committee decides about this loan.':
    'Akaunti yako inaonekana kuhusiana na ya mkopaji, kwa hivyo kamati ya mikopo inaamua kuhusu mkopo huu.',
  'Your account looks related to the borrower’s or to a guarantor’s. Another member of the credit committee must decide.':
    'Akaunti yako inaonekana kuhusiana na ya mkopaji au ya mdhamini. Mwanachama mwingine wa kamati ya mikopo lazima aamue.',
  'This loan is in default. Its guarantors are not replaced any more.':
    'Mkopaji ameshindwa kulipa mkopo huu. Wadhamini wake hawabadilishwi tena.',
  'The manager alone, or two of the credit committee: {amount} is not above the {limit} of the manager.':
    'Meneja peke yake, au wawili wa kamati ya mikopo: {amount} hazizidi {limit} za meneja.',
  'Two of the credit committee, and treasurer or chair: {amount} is above the {limit} of the committee.':
    'Wawili wa kamati ya mikopo, na mweka hazina au mwenyekiti: {amount} zinazidi {limit} za kamati.',
  'Two of the credit committee: {amount} is not above the {limit} that it decides alone.':
    'Wawili wa kamati ya mikopo: {amount} hazizidi {limit} ambazo inaamua peke yake.',
  'Other loans of the borrower count: {amount} of it.': 'Mikopo mingine ya mkopaji inahesabiwa: {amount} kati yake.',
  'The manager no longer decides alone: one of the committee has said no.':
    'Meneja haamui tena peke yake: mmoja wa kamati amekataa.',
  'Loan {number} is still paid from your wallet by itself on each due day, until it is repaid.':
    'Mkopo {number} bado utalipwa wenyewe kutoka kwenye pochi yako kila siku ya malipo, hadi uishe.',
  'The check-off of “{employer}” pays for you here. What it still pays goes to your loans here, and the rest to your wallet. After you have left, no new list can name you: tell your employer.':
    'Makato ya mshahara ya “{employer}” hukulipia hapa. Yatakayolipwa bado huenda kwenye mikopo yako ya hapa, na yanayobaki kwenye pochi yako. Ukishaondoka, hakuna orodha mpya inayoweza kukutaja: mwambie mwajiri wako.',
  '{sacco}: a check-off paid {amount} for you. It paid what was due of your loans; what is left is in your wallet.':
    '{sacco}: makato ya mshahara yamekulipia {amount}. Yamelipa kilichodaiwa kwenye mikopo yako; kilichobaki kiko kwenye pochi yako.',
} as const;
