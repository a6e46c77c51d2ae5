/** Sentences of the wallet and M-Pesa: the English ICU text, and its Swahili. */
export const walletTexts = {
  'M-Pesa does not know that transaction id. Look at the SMS again, and try once more if it is there.':
    'M-Pesa haiijui nambari hiyo ya muamala. Angalia SMS tena, na ujaribu mara moja zaidi ikiwa iko hapo.',
  'That receipt is in the books already.': 'Risiti hiyo tayari iko kwenye vitabu.',
  'The money stands in suspense, under another exception.':
    'Pesa ziko kwenye akaunti ya kusubiri, chini ya jambo lingine.',
  'Paid. The money is in your wallet.': 'Imelipwa. Pesa ziko kwenye pochi yako.',
  'M-Pesa confirmed the payment, and it was credited.': 'M-Pesa ilithibitisha malipo, na yameingizwa.',
  '{amount} is in your wallet.': '{amount} zimeingia kwenye pochi yako.',
  'M-Pesa confirmed that it paid for a top-up.': 'M-Pesa ilithibitisha kuwa pesa ziliwekwa.',
  'The receipt of this payment has been used already. We are looking into it.':
    'Risiti ya malipo haya imeshatumika. Tunachunguza.',
  'M-Pesa reported another amount than the one that was asked for.': 'M-Pesa iliripoti kiasi tofauti na kilichoombwa.',
  'M-Pesa reported another phone than the one that was asked.': 'M-Pesa iliripoti simu tofauti na iliyoombwa.',
  'A callback for this top-up carried the id of another request.':
    'Jibu la uwekaji huu lilikuwa na nambari ya ombi lingine.',
  'A callback said that it was paid, and M-Pesa, when asked, said that it was not.':
    'Jibu lilisema imelipwa, na M-Pesa ilipoulizwa ikasema haikulipwa.',
  'A callback said that it was paid, and M-Pesa could not be asked.':
    'Jibu lilisema imelipwa, na M-Pesa haikuweza kuulizwa.',
  'A payment was told of for a top-up that we do not know.': 'Tuliambiwa malipo ya uwekaji ambao hatuujui.',
  'A second payment came for one top-up.': 'Malipo ya pili yalikuja kwa uwekaji mmoja.',
  'M-Pesa took a payment back after it was credited. Look at M-Pesa’s statement: if it is gone, note it as sent back; if it stands, credit it again. What the wallet no longer had, ask its owner for.':
    'M-Pesa ilirudisha malipo baada ya kuingizwa. Angalia taarifa ya M-Pesa: kama pesa zimeondoka, andika kuwa zimerudishwa; kama zipo, ziingize tena. Kilichokosekana kwenye pochi, muulize mwenyewe.',
  'M-Pesa says that it took back {amount} (receipt {receipt}), which was in your wallet. {held} of it is set aside until our team has looked at it.':
    'M-Pesa inasema ilirudisha {amount} (risiti {receipt}), zilizokuwa kwenye pochi yako. {held} kati yake zimetengwa hadi timu yetu iangalie.',
  'A receipt came twice, for different things.': 'Risiti moja ilikuja mara mbili, kwa mambo tofauti.',
  'M-Pesa answered with a result that is in no table.': 'M-Pesa ilijibu kwa matokeo yasiyojulikana.',
  'A real payment was claimed by somebody whose confirmed phone did not make it.':
    'Malipo halisi yalidaiwa na mtu ambaye simu yake iliyothibitishwa haikuyafanya.',
  'M-Pesa confirms a claimed receipt, but not who paid whom.':
    'M-Pesa inathibitisha risiti iliyodaiwa, lakini si nani alimlipa nani.',
  'A payment to the paybill named an account that is nobody’s.': 'Malipo kwa paybill yalitaja akaunti isiyo ya mtu.',
  'A payment to the paybill was confirmed, and the list that names its account number does not hold it.':
    'Malipo kwa paybill yalithibitishwa, lakini orodha inayotaja nambari ya akaunti yake haina malipo hayo.',
  'M-Pesa has not said whether it took a prompt, and cannot be asked. Its payer may confirm it by receipt.':
    'M-Pesa haijasema kama ilipokea ombi, na haiwezi kuulizwa. Mlipaji anaweza kulithibitisha kwa risiti.',
  'A payment to the paybill was reported that M-Pesa, when asked, did not confirm.':
    'Malipo kwa paybill yaliripotiwa ambayo M-Pesa, ilipoulizwa, haikuyathibitisha.',
  'M-Pesa has not said whether a withdrawal was paid. It stays reserved.':
    'M-Pesa haijasema kama utoaji ulilipwa. Pesa zinabaki zimetengwa.',
  'M-Pesa reported a result for a withdrawal that was settled otherwise.':
    'M-Pesa iliripoti matokeo ya utoaji uliokamilishwa vingine.',
  'M-Pesa refuses us: a key, product or operator is not set up right.':
    'M-Pesa inatukataa: ufunguo, bidhaa au mhudumu hajawekwa sawa.',
  'What M-Pesa holds for us differs from the books.': 'Pesa zetu zilizo M-Pesa hazilingani na vitabu.',
  'That account is not suspended.': 'Akaunti hiyo haijasimamishwa.',
  'You have asked five times for a code to another phone today. Try again tomorrow.':
    'Umeomba msimbo kwa simu nyingine mara tano leo. Jaribu tena kesho.',
  'That phone has had three such codes today. Try again tomorrow.':
    'Simu hiyo imepata misimbo mitatu kama hiyo leo. Jaribu tena kesho.',
  'Wallet {account} may now send M-Pesa prompts to your phone. You can end it in the settings.':
    'Pochi {account} sasa inaweza kutuma maombi ya M-Pesa kwa simu yako. Unaweza kusitisha kwenye mipangilio.',
  'M-Pesa could not be reached. Nothing was taken from you. Try again in a few minutes.':
    'M-Pesa haikupatikana. Hakuna kilichokatwa kwako. Jaribu tena baada ya dakika chache.',
  'Another M-Pesa prompt is open on that phone. If you did not ask for it, cancel it there. Then try again.':
    'Ombi lingine la M-Pesa liko wazi kwenye simu hiyo. Kama hukuliomba, likatae huko. Kisha ujaribu tena.',
  'M-Pesa is busy. Nothing was taken from you. Try again in a few minutes.':
    'M-Pesa ina shughuli nyingi. Hakuna kilichokatwa kwako. Jaribu tena baada ya dakika chache.',
  'M-Pesa did not accept that phone or amount. Nothing was taken from you.':
    'M-Pesa haikukubali simu hiyo au kiasi hicho. Hakuna kilichokatwa kwako.',
  'M-Pesa refused us. We have been told, and nothing was taken from you.':
    'M-Pesa imetukatalia. Tumearifiwa, na hakuna kilichokatwa kwako.',
  'Many of your top-ups were not paid. Wait a little before you ask for another.':
    'Maombi yako mengi ya kuweka pesa hayakulipwa. Subiri kidogo kabla ya kuomba lingine.',
  'That phone has had many prompts from others than its owner. Try again later.':
    'Simu hiyo imepata maombi mengi kutoka kwa watu wasio mwenyewe. Jaribu tena baadaye.',
  'That action does not fit this exception.': 'Kitendo hicho hakifai kwa jambo hili.',
  'Say whom to credit: nobody has that id.': 'Sema nani apewe pesa: hakuna mwenye nambari hiyo.',
  '{amount} is in your wallet after our review.': '{amount} zimeingia kwenye pochi yako baada ya ukaguzi wetu.',
  '{amount} that you paid us (M-Pesa {receipt}) was sent back to your phone. If it did not come, write to us.':
    '{amount} ulizotulipa (M-Pesa {receipt}) zimerudishwa kwenye simu yako. Zisipofika, tuandikie.',
  'It was not paid. Your money is back in your wallet.': 'Haikulipwa. Pesa zako zimerudi kwenye pochi yako.',
  'Your account was suspended before the money left.': 'Akaunti yako ilisimamishwa kabla pesa hazijatoka.',
  'That payment is in your wallet already.': 'Malipo hayo tayari yako kwenye pochi yako.',
  'That payment has been credited already.': 'Malipo hayo yameshaingizwa.',
  'That payment was sent back to its payer.': 'Malipo hayo yalirudishwa kwa mlipaji.',
  'The payment is real, and it was not made from your confirmed phone. Our team will look at it.':
    'Malipo hayo ni ya kweli, lakini hayakutoka kwa simu yako iliyothibitishwa. Timu yetu itayaangalia.',
  'That was a withdrawal, not a deposit.': 'Huo ulikuwa utoaji pesa, si uwekaji.',
  'M-Pesa says that this payment was not completed.': 'M-Pesa inasema malipo haya hayakukamilika.',
  'That payment was not made to us.': 'Malipo hayo hayakufanywa kwetu.',
  'That payment was not made from the phone number that you entered.':
    'Malipo hayo hayakutoka kwa nambari ya simu uliyoweka.',
  'The payer claimed it by its receipt.': 'Mlipaji aliyadai kwa risiti yake.',
  'M-Pesa did not tell us enough about that payment. Our team will look at it.':
    'M-Pesa haikutueleza vya kutosha kuhusu malipo hayo. Timu yetu itayaangalia.',
  '{receipt}: {explanation}': '{receipt}: {explanation}',
  'M-Pesa reported something else than was asked for. We are checking it with M-Pesa.':
    'M-Pesa imeripoti tofauti na kilichoombwa. Tunaangalia na M-Pesa.',
  'M-Pesa did not say what became of it. If money left the phone, confirm the deposit with its receipt.':
    'M-Pesa haikusema kilichotokea. Ikiwa pesa zilitoka kwenye simu, thibitisha kwa risiti yake.',
  '{amount}, paid to the paybill, is in your wallet.': '{amount} ulizolipa kwa paybill zimeingia kwenye pochi yako.',
  'M-Pesa did not pay it. Your money is back in your wallet.':
    'M-Pesa haikulipa. Pesa zako zimerudi kwenye pochi yako.',
  'Paid to your phone.': 'Zimetumwa kwa simu yako.',
  '{amount} was sent to your phone.': '{amount} zimetumwa kwa simu yako.',
  'Your withdrawal of {amount} did not go through. {why}': 'Kutoa {amount} hakukufaulu. {why}',
  'M-Pesa has said what became of it.': 'M-Pesa imesema kilichotokea.',
  'The first day must not be after the last.': 'Siku ya kwanza isiwe baada ya siku ya mwisho.',
  'A statement spans at most {days}.': 'Taarifa haizidi {days}.',
  'That is more than fits in one statement. Choose fewer days.':
    'Miamala ni mingi mno kwa taarifa moja. Chagua siku chache.',
  'Check your phone and enter your M-Pesa PIN.': 'Angalia simu yako na uweke PIN yako ya M-Pesa.',
  'The owner of the phone {phone} enters their M-Pesa PIN there.':
    'Mwenye simu {phone} anaweka PIN yake ya M-Pesa kwenye simu hiyo.',
  'We are checking the payment with M-Pesa.': 'Tunakagua malipo na M-Pesa.',
  'The money is set aside. M-Pesa is sending it to your phone.': 'Pesa zimetengwa. M-Pesa inazituma kwa simu yako.',
  'Request sent.': 'Ombi limetumwa.',
  'Request Send... Please wait as we process': 'Ombi limetumwa... Tafadhali subiri tunaposhughulikia',
  'We sent a code to that phone. Ask its owner for it.': 'Tumetuma msimbo kwa simu hiyo. Mwombe mwenyewe akupe.',
  'That phone may now pay into your wallet.': 'Simu hiyo sasa inaweza kulipa kwenye pochi yako.',
  'No more prompts go from this wallet to that phone.':
    'Hakuna maombi zaidi yatakayotumwa kutoka pochi hii kwa simu hiyo.',
  'Request sent. M-Pesa will confirm by SMS when the money has arrived.':
    'Ombi limetumwa. M-Pesa itathibitisha kwa SMS pesa zikifika.',
  'Enter an amount between Ksh. {least} and Ksh. {most}.': 'Weka kiasi kati ya Ksh. {least} na Ksh. {most}.',
  'You can withdraw {free} now. {rest} is from share sales and check-offs, and can be withdrawn from {at}.':
    'Unaweza kutoa {free} sasa. {rest} zinatokana na mauzo ya hisa au makato ya mshahara, na zinaweza kutolewa kuanzia {at}.',
  'You have made {n} withdrawals today. You can make the next one tomorrow.':
    'Umetoa pesa mara {n} leo. Unaweza kutoa tena kesho.',
  'You can withdraw {amount} more today, and the rest tomorrow.':
    'Unaweza kutoa {amount} zaidi leo, na zilizobaki kesho.',
  'M-Pesa could not carry it out just now. Try again in a few minutes.':
    'M-Pesa haikuweza kutekeleza kwa sasa. Jaribu tena baada ya dakika chache.',
  'Paid.': 'Imelipwa.',
  'The M-Pesa balance of that phone is not enough.': 'Salio la M-Pesa la simu hiyo halitoshi.',
  "The amount is below M-Pesa's minimum.": 'Kiasi kiko chini ya kiwango cha chini cha M-Pesa.',
  "The amount is above M-Pesa's maximum for one transaction.": 'Kiasi kinazidi kikomo cha M-Pesa kwa muamala mmoja.',
  'That would pass the daily M-Pesa limit of that phone.': 'Hilo lingevuka kikomo cha siku cha M-Pesa cha simu hiyo.',
  'That would pass your daily M-Pesa limit.': 'Hilo lingevuka kikomo chako cha M-Pesa cha siku.',
  'Our paybill cannot take that amount now. We have been told.':
    'Paybill yetu haiwezi kupokea kiasi hicho kwa sasa. Tumearifiwa.',
  'M-Pesa takes the same amount from the same phone only once in two minutes.':
    'M-Pesa hupokea kiasi kilekile kutoka simu ileile mara moja tu kwa dakika mbili.',
  'Another M-Pesa transaction is under way on that phone. Wait a few minutes.':
    'Muamala mwingine wa M-Pesa unaendelea kwenye simu hiyo. Subiri dakika chache.',
  'The request expired before it was answered.': 'Muda wa ombi uliisha kabla halijajibiwa.',
  'M-Pesa could not show the prompt on that phone. Try again.':
    'M-Pesa haikuweza kuonyesha ombi kwenye simu hiyo. Jaribu tena.',
  'The request was cancelled on the phone.': 'Ombi limekataliwa kwenye simu.',
  'The phone could not be reached, or nobody answered. Nothing was taken.':
    'Simu haikupatikana, au hakuna aliyejibu. Hakuna kilichokatwa.',
  'The M-Pesa PIN was wrong.': 'PIN ya M-Pesa haikuwa sahihi.',
  'The M-Pesa PIN of that phone is locked. Its owner calls M-Pesa to unlock it.':
    'PIN ya M-Pesa ya simu hiyo imefungwa. Mwenye simu apigie M-Pesa ili waifungue.',
  'M-Pesa is still working on it.': 'M-Pesa bado inalishughulikia.',
  'M-Pesa refused this phone.': 'M-Pesa imeikataa simu hii.',
  'We could not pay out just now. Your money is back in your wallet.':
    'Hatukuweza kulipa kwa sasa. Pesa zako zimerudi kwenye pochi yako.',
  'That would pass the most that your M-Pesa account may hold.':
    'Hilo lingevuka kikomo cha salio la akaunti yako ya M-Pesa.',
  'That M-Pesa account is not active.': 'Akaunti hiyo ya M-Pesa haitumiki.',
  'That number is not registered for M-Pesa.': 'Nambari hiyo haijasajiliwa kwa M-Pesa.',
  'M-Pesa does not know that number.': 'M-Pesa haiijui nambari hiyo.',
  'M-Pesa refused us. We have been told, and your money is back in your wallet.':
    'M-Pesa imetukatalia. Tumearifiwa, na pesa zako zimerudi kwenye pochi yako.',
  'M-Pesa is busy. Your money is back in your wallet. Try again in a few minutes.':
    'M-Pesa ina shughuli nyingi. Pesa zako zimerudi kwenye pochi yako. Jaribu tena baada ya dakika chache.',
  'M-Pesa did not carry it out.': 'M-Pesa haikutekeleza.',
  'M-Pesa has not said clearly whether it paid. We are finding out.':
    'M-Pesa haijasema wazi kama ililipa. Tunafuatilia.',
  // The history, the receipt and the statement of a wallet.
  '{what} from {phone}': '{what} kutoka {phone}',
  '{what}, {phone}': '{what}, {phone}',
  '{what} · {sacco}': '{what} · {sacco}',
  '{amount} into the wallet': '{amount} ziliingia kwenye pochi',
  '{amount} out of the wallet': '{amount} zilitoka kwenye pochi',
  'Of it for M-Pesa’s charge: {amount}': 'Kati yake ada ya M-Pesa: {amount}',
  '{at} (Nairobi)': '{at} (Nairobi)',
  'Reference: {reference}': 'Nambari ya kumbukumbu: {reference}',
  'M-Pesa receipt: {receipt}': 'Risiti ya M-Pesa: {receipt}',
  'ushirika-statement-{from}-to-{to}': 'ushirika-taarifa-{from}-hadi-{to}',
  'Wallet statement': 'Taarifa ya pochi',
  '{name}, ID number {number}': '{name}, nambari ya kitambulisho {number}',
  '{from} to {to}': '{from} hadi {to}',
  'Opening balance': 'Salio la kuanzia',
  'Closing balance': 'Salio la mwisho',
  'Money in': 'Pesa zilizoingia',
  'Money out': 'Pesa zilizotoka',
  'No money moved in this time.': 'Hakuna pesa zilizoingia wala kutoka kipindi hiki.',
  'Made {at} (Nairobi). All amounts in Kenya shillings. Page {page} of {pages}':
    'Imeandaliwa {at} (Nairobi). Pesa zote ni shilingi za Kenya. Ukurasa {page} kati ya {pages}',
  'Date (Nairobi)': 'Tarehe (Nairobi)',
  Date: 'Tarehe',
  Description: 'Maelezo',
  Receipt: 'Risiti',
  'M-Pesa receipt': 'Risiti ya M-Pesa',
  In: 'Ziliingia',
  Out: 'Zilitoka',
  Balance: 'Salio',
  'The two agree again.': 'Sasa zinalingana tena.',
} as const;
