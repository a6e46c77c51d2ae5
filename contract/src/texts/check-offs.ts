/** What the server says about check-offs: to officials, to payers, and of the lines of a list. */
export const checkOffsTexts = {
  'The name of the employer': 'Jina la mwajiri',
  'Write the phone number and the amount, with one comma between them.':
    'Andika nambari ya simu na kiasi, kukiwa na koma moja kati yao.',
  'That is not a phone number.': 'Hiyo si nambari ya simu.',
  'This is the ID number of a member, not a phone number.':
    'Hii ni nambari ya kitambulisho ya mwanachama, si nambari ya simu.',
  'A comma stands within a cell. Write amounts without it, such as 12500, or put the cell between quotation marks.':
    'Koma iko ndani ya kisanduku. Andika kiasi bila koma, kama 12500, au weka kisanduku kati ya alama za kunukuu.',
  'It is not clear which cell is the phone and which the amount. Put a first line above the list: Phone, Amount.':
    'Haijulikani ni kisanduku kipi cha simu na kipi cha kiasi. Weka mstari wa kwanza juu ya orodha: Simu, Kiasi.',
  'Two columns could be the phone or the amount. Leave one column headed Phone and one headed Amount.':
    'Safu mbili zinaweza kuwa za simu au za kiasi. Acha safu moja yenye kichwa Simu na moja yenye kichwa Kiasi.',
  'The list needs the members’ phone numbers, in a column headed Phone.':
    'Orodha inahitaji nambari za simu za wanachama, katika safu yenye kichwa Simu.',
  'The list needs the amounts, in a column headed Amount.': 'Orodha inahitaji viasi, katika safu yenye kichwa Kiasi.',
  'The spreadsheet has shortened this number. Show the column as whole numbers or as text, and save the list again.':
    'Lahajedwali limefupisha nambari hii. Onyesha safu kama nambari kamili au kama maandishi, kisha uhifadhi orodha tena.',
  'That file cannot be read. Save the list as an Excel workbook (.xlsx) or as CSV, and choose that file.':
    'Faili hiyo haisomeki. Hifadhi orodha kama kitabu cha Excel (.xlsx) au kama CSV, kisha uchague faili hiyo.',
  'That is an old Excel workbook, or one with a password. Save it without a password as an Excel workbook (.xlsx) or as CSV.':
    'Hicho ni kitabu cha Excel cha zamani, au chenye nenosiri. Kihifadhi bila nenosiri kama kitabu cha Excel (.xlsx) au kama CSV.',
  'That workbook is too large to be read. Save its sheet as CSV, and choose that file.':
    'Kitabu hicho ni kikubwa mno kusomwa. Hifadhi laha yake kama CSV, kisha uchague faili hiyo.',
  'Several sheets of the workbook have something in them. Save the list as a workbook with one sheet.':
    'Laha kadhaa za kitabu zina kitu ndani yake. Hifadhi orodha kama kitabu chenye laha moja.',
  'A hidden sheet of the workbook has something in it. Show it or delete it, and save the workbook again.':
    'Laha iliyofichwa ya kitabu ina kitu ndani yake. Ionyeshe au uifute, kisha uhifadhi kitabu tena.',
  '{n, plural, one {# row of the workbook is hidden, perhaps by a filter. Show it or delete it} other {# rows of the workbook are hidden, perhaps by a filter. Show them or delete them}}, and save the workbook again.':
    '{n, plural, one {Mstari # wa kitabu umefichwa, labda na kichujio. Uonyeshe au uufute} other {Mistari # ya kitabu imefichwa, labda na kichujio. Ionyeshe au uifute}}, kisha uhifadhi kitabu tena.',
  '{n, plural, one {# column of the workbook is hidden. Show it or delete it} other {# columns of the workbook are hidden. Show them or delete them}}, and save the workbook again.':
    '{n, plural, one {Safu # ya kitabu imefichwa. Ionyeshe au uifute} other {Safu # za kitabu zimefichwa. Zionyeshe au uzifute}}, kisha uhifadhi kitabu tena.',
  'More than 1,000 phone numbers of the list are not Kenyan. This one was not read.':
    'Zaidi ya nambari 1,000 za simu kwenye orodha si za Kenya. Hii haikusomwa.',
  'Write the amount in shillings, 1 at least, such as 2500 or 2500.50.':
    'Andika kiasi kwa shilingi, zaidi ya sufuri, kama 2500 au 2500.50.',
  'One line is Ksh. 1,000,000 at most.': 'Mstari mmoja usizidi Ksh. 1,000,000.',
  'The list is empty. Write one line for each member.': 'Orodha ni tupu. Andika mstari mmoja kwa kila mwanachama.',
  'A list has 250,000 lines at most.': 'Orodha isizidi mistari 250,000.',
  'No member of your sacco has confirmed this phone number.':
    'Hakuna mwanachama wa sacco yako aliyethibitisha nambari hii ya simu.',
  'The member with this phone number has another name than the list says.':
    'Mwanachama mwenye nambari hii ya simu ana jina tofauti na la orodha.',
  'This member stands in line {line} already.': 'Mwanachama huyu yupo tayari kwenye mstari wa {line}.',
  'There is no such check-off.': 'Hakuna makato ya mshahara kama hayo.',
  'Somebody in the list is not a member of your sacco any more. Look the list up again.':
    'Kuna mtu kwenye orodha ambaye si mwanachama wa sacco yako tena. Angalia orodha upya.',
  'Your account and that of the official who made the list look like one person’s. Another official must check it.':
    'Akaunti yako na ya afisa aliyetengeneza orodha zinaonekana kuwa za mtu mmoja. Afisa mwingine lazima aikague.',
  'Another official must check the list: it is yours.': 'Afisa mwingine lazima akague orodha: ni yako.',
  'Another official must check the list: you are to pay it.':
    'Afisa mwingine lazima akague orodha: wewe ndiye mlipaji.',
  'Another official has made this very list already.': 'Afisa mwingine ameshatengeneza orodha hii hii.',
  'This payer has declined {n} lists of your sacco in {days} days. Talk to them before you ask them once more.':
    'Mlipaji huyu amekataa orodha {n} za sacco yako kwa siku {days}. Zungumza naye kabla ya kumwomba tena.',
  'Your sacco has asked this payer {n} times in {days} days. Wait before you ask them once more.':
    'Sacco yako imemwomba mlipaji huyu mara {n} kwa siku {days}. Subiri kabla ya kumwomba tena.',
  'You have made {n} lists within 24 hours. Wait, or another official makes the next one.':
    'Umetengeneza orodha {n} ndani ya saa 24. Subiri, au afisa mwingine atengeneze inayofuata.',
  'Your lists have 500,000 lines at most within 24 hours. Wait, or another official makes the next one.':
    'Orodha zako zisizidi mistari 500,000 ndani ya saa 24. Subiri, au afisa mwingine atengeneze inayofuata.',
  'Your sacco has made {n} lists within 24 hours. Wait before you make another one.':
    'Sacco yako imetengeneza orodha {n} ndani ya saa 24. Subiri kabla ya kutengeneza nyingine.',
  'The lists of a sacco have 1,000,000 lines at most within 24 hours. Wait before you make another one.':
    'Orodha za sacco zisizidi mistari 1,000,000 ndani ya saa 24. Subiri kabla ya kutengeneza nyingine.',
  'Listed. Another official checks it, and then the payer is asked.':
    'Imeorodheshwa. Afisa mwingine anaikagua, kisha mlipaji anaombwa.',
  'You have made this very list before. Another official has looked at it since.':
    'Ulishatengeneza orodha hii hii. Afisa mwingine ameshaiangalia tangu hapo.',
  'Checked. The payer is asked now.': 'Imekaguliwa. Mlipaji anaombwa sasa.',
  'Refused. The payer hears nothing of it.': 'Imekataliwa. Mlipaji haambiwi lolote.',
  'Taken back. Nothing has moved.': 'Imeondolewa. Hakuna kilicholipwa.',
  'Declined. The officials of the sacco are told why.': 'Umekataa. Maafisa wa sacco wanaambiwa sababu.',
  'Paid. It is shared out to the members now.': 'Imelipwa. Sasa inagawiwa wanachama.',
  'Check-off for {sacco}': 'Makato ya mshahara kwa {sacco}',
  '{sacco} asks you to pay a check-off of {amount}. Read it under Check-offs and pay it within {days} days, or decline it. Nothing moves unless you pay.':
    '{sacco} inakuomba ulipe makato ya mshahara ya {amount}. Yasome chini ya Makato ya mshahara na uyalipe ndani ya siku {days}, au uyakatae. Hakuna kinacholipwa usipolipa wewe.',
  '{sacco} has taken a check-off of {amount} back. You pay nothing. Read why under Check-offs.':
    '{sacco} imeondoa makato ya mshahara ya {amount}. Hulipi chochote. Soma sababu chini ya Makato ya mshahara.',
  'A check-off of {amount} for {sacco} was not paid in {days} days and has expired.':
    'Makato ya mshahara ya {amount} kwa {sacco} hayakulipwa kwa siku {days} na muda wake umeisha.',
  '{sacco}: a check-off of {amount} is paid. It is shared out to the members now.':
    '{sacco}: makato ya mshahara ya {amount} yamelipwa. Sasa yanagawiwa wanachama.',
  '{sacco}: the payer has declined a check-off of {amount}. Read why at the desk.':
    '{sacco}: mlipaji amekataa makato ya mshahara ya {amount}. Soma sababu kwenye dawati.',
  '{sacco}: a check-off of {amount} has expired: {days} days went by without the next step.':
    '{sacco}: muda wa makato ya mshahara ya {amount} umeisha: siku {days} zimepita bila hatua iliyofuata.',
} as const;
