/** Sentences of votes: the English ICU text, and its Swahili. */
export const votingTexts = {
  'Write five characters or more.': 'Andika herufi tano au zaidi.',
  'vote {n} ({kind})': 'kura namba {n} ({kind})',
  'election: {office}': 'uchaguzi: {office}',
  'a resolution': 'azimio',
  'There is no such vote.': 'Hakuna kura kama hiyo.',
  '{name}: the supervisory committee holds the result of {vote}. Read why under Voting.':
    '{name}: kamati ya usimamizi imezuia matokeo ya {vote}. Soma sababu chini ya Kura.',
  '{name}: the supervisory committee has voided the result of {vote}. It is never carried out. Read why under Voting.':
    '{name}: kamati ya usimamizi imebatilisha matokeo ya {vote}. Hayatatekelezwa kamwe. Soma sababu chini ya Kura.',
  'This vote is about you: others sign it.': 'Kura hii inakuhusu: wengine ndio wanaoitia saini.',
  'Signed. It is published by itself once another vote is counted: as many as may be are under way.':
    'Umetia saini. Itatangazwa yenyewe kura nyingine ikihesabiwa: kura zinazoendelea zimefikia idadi ya juu.',
  'A vote of members is taken back by whoever drafted it, together with another signer.':
    'Kura ya wanachama huondolewa na aliyeiandika, pamoja na mwingine aliyeitia saini.',
  'Only whoever drafted this takes it back.': 'Aliyeandika rasimu pekee ndiye anayeiondoa.',
  'A published vote is taken back by two who have signed it, and who might sign it now.':
    'Kura iliyotangazwa huondolewa na wawili walioitia saini, na ambao wangeweza kuitia saini sasa.',
  'Somebody stands for this election already. It goes on.': 'Kuna anayegombea katika uchaguzi huu tayari. Unaendelea.',
  '{name}: somebody who has signed {vote} asks to take it back. Do you agree?':
    '{name}: aliyetia saini {vote} anaomba iondolewe. Je, unakubali?',
  'You have asked to take it back. Another one who has signed it must agree.':
    'Umeomba iondolewe. Mwingine aliyeitia saini lazima akubali.',
  'This is a draft of the board: another of its officials signs it.':
    'Hii ni rasimu ya bodi: afisa mwingine wa bodi ndiye anayeitia saini.',
  'Show your ID card to an official first: nobody drafts a vote under a name whose card was not seen.':
    'Kwanza mwonyeshe afisa kitambulisho chako: hakuna anayeandika rasimu ya kura kwa jina ambalo kitambulisho chake hakijaonwa.',
  'Three drafts of yours wait for signatures. Take one back first.':
    'Rasimu zako tatu zinasubiri saini. Ondoa mojawapo kwanza.',
  '{name}: an official asks you to sign the draft of {vote}. It is published once you sign.':
    '{name}: afisa anakuomba utie saini rasimu ya {vote}. Itatangazwa ukitia saini.',
  'Your account and that of somebody who has signed this look like one person’s. Somebody else must sign it.':
    'Akaunti yako na ya aliyetia saini zinaonekana kuwa za mtu mmoja. Mtu mwingine lazima atie saini.',
  'Too few could vote: {able} of {members} who joined 30 days ago or more. Let officials see {n, plural, one {1 more ID card} other {# more ID cards}} of members who have confirmed their phone.':
    'Wanaoweza kupiga kura ni wachache mno: {able} kati ya {members} waliojiunga siku 30 zilizopita au zaidi. Maafisa waone {n, plural, one {kitambulisho 1 zaidi} other {vitambulisho # zaidi}} vya wanachama waliothibitisha simu zao.',
  'Only who could vote on it drafts and signs: whoever joined 30 days ago or more, has confirmed their phone, and whose ID card an official has seen.':
    'Anayeandika rasimu na kutia saini ni anayeweza kuipigia kura tu: aliyejiunga siku 30 zilizopita au zaidi, aliyethibitisha simu yake, na ambaye kitambulisho chake kimeonwa na afisa.',
  'You help another vote of this pool. Draft or sign the next one once voting on it begins, or, if you drafted it, once it is counted.':
    'Unasaidia kura nyingine ya kikundi hiki. Andika rasimu au tia saini nyingine upigaji kura wake ukianza, au, kama wewe uliandika rasimu yake, ikishahesabiwa.',
  'You are a steward of this pool, owe it money, or it is asked to pay for you: others of the supervisory committee examine its votes.':
    'Wewe ni msimamizi wa kikundi hiki, au unadaiwa nacho, au kimeombwa kukulipia: wengine wa kamati ya usimamizi ndio wanaochunguza kura zake.',
  'Your account looks like the second one of somebody whom this vote is about, or who is a steward of its pool or owes it: others of the supervisory committee examine it.':
    'Akaunti yako inaonekana kuwa ya pili ya mtu ambaye kura hii inamhusu, au aliye msimamizi wa kikundi chake au anayedaiwa nacho: wengine wa kamati ya usimamizi ndio wanaoichunguza.',
  'Only who could vote on it drafts and signs: whoever has money in the pool that is not under notice, and joined it 30 days ago or more.':
    'Anayeandika rasimu na kutia saini ni anayeweza kuipigia kura tu: mwenye pesa kwenye kikundi ambazo hazijatolewa notisi, aliyejiunga nacho siku 30 zilizopita au zaidi.',
  'You have no money in the pool that is not under notice. Those whose money stays in it vote.':
    'Huna pesa kwenye kikundi ambazo hazijatolewa notisi. Wanaopiga kura ni wale ambao pesa zao zinabaki humo.',
  'you have money in the pool, but not the full rights of a member of its sacco.':
    'una pesa kwenye kikundi, lakini huna haki kamili za mwanachama wa sacco yake.',
  'operators of Ushirika do not vote.': 'waendeshaji wa Ushirika hawapigi kura.',
  'you joined less than 30 days ago.': 'ulijiunga chini ya siku 30 zilizopita.',
  'no official of this sacco has seen your ID card.': 'hakuna afisa wa sacco hii aliyeona kitambulisho chako.',
  'you have not confirmed your phone.': 'hujathibitisha simu yako.',
  'two operators have suspended your account.': 'waendeshaji wawili wamesimamisha akaunti yako.',
  'another account that looks like yours is on it.': 'akaunti nyingine inayoonekana kuwa yako imo ndani yake.',
  'You have taken back three drafts or votes in 24 hours. Draft another one tomorrow.':
    'Umeondoa rasimu au kura tatu ndani ya saa 24. Andika nyingine kesho.',
  'What it changes has changed since it was drafted. Draft it anew.':
    'Kinachobadilishwa kimebadilika tangu rasimu ilipoandikwa. Iandike upya.',
  'Signed. It is published by itself once the other vote on the same is over.':
    'Umetia saini. Itatangazwa yenyewe kura nyingine kuhusu jambo hilo hilo ikiisha.',
  'You took a vote on the same matter back. For 90 days after that you neither draft nor sign one on it.':
    'Uliondoa kura kuhusu jambo hilo hilo. Kwa siku 90 baada ya hapo huandiki rasimu wala kutia saini kura kulihusu.',
  'A draft on the same that you have signed waits already. Sign this one once that is published.':
    'Rasimu kuhusu jambo hilo hilo uliyotia saini inasubiri tayari. Tia saini hii baada ya hiyo kutangazwa.',
  'Members have elected somebody for this office meanwhile.':
    'Wakati huo huo wanachama wamemchagua mtu mwingine kwa wadhifa huu.',
  '{name}: an official asks you to sign the draft of {vote}. It can be published once {other} is over, on the same.':
    '{name}: afisa anakuomba utie saini rasimu ya {vote}. Inaweza kutangazwa {other} ikiisha, inayohusu jambo hilo hilo.',
  'You have changed your vote 20 times. It stays as it is now.': 'Umebadilisha kura yako mara 20. Inabaki ilivyo sasa.',
  'Your account and that of the official who holds this look like one person’s. Another official must release it.':
    'Akaunti yako na ya afisa aliyelisimamisha zinaonekana kuwa za mtu mmoja. Afisa mwingine lazima aliachilie.',
  'Whoever holds this is not of the supervisory committee any more. Hold it yourself: another member then voids it.':
    'Aliyelisimamisha si mjumbe wa kamati ya usimamizi tena. Lisimamishe wewe: kisha mjumbe mwingine analibatilisha.',
  '{name}: {vote} was taken back. Nobody votes on it.': '{name}: {vote} imeondolewa. Hakuna atakayeipigia kura.',
  '{name}: {vote} is coming. You are not on its roll: {reason}':
    '{name}: {vote} inakuja. Humo katika orodha yake ya wapiga kura: {reason}',
  'This is about a place on your own committee. You may hold it for 14 days, and not void it.':
    'Hili linahusu nafasi katika kamati yenu wenyewe. Mnaweza kulisimamisha kwa siku 14, lakini si kulibatilisha.',
  '{name}: strangers read the title of {vote} again, which you drafted. Read why on its page.':
    '{name}: wasio wanachama wanasoma tena kichwa cha {vote}, uliyoiandika. Soma sababu kwenye ukurasa wake.',
  '{name}: an operator has hidden the title of {vote} from strangers, which you drafted. Members read it as before. Read why on its page.':
    '{name}: mwendeshaji amewaficha wasio wanachama kichwa cha {vote}, uliyoiandika. Wanachama wanakisoma kama awali. Soma sababu kwenye ukurasa wake.',
  'Strangers read the title again.': 'Wasio wanachama wanakisoma kichwa tena.',
  'Strangers do not read the title.': 'Wasio wanachama hawakisomi kichwa.',
  'Strangers never read the title of a vote of a guarantor pool.':
    'Watu wa nje hawasomi kamwe kichwa cha kura ya kikundi cha udhamini.',
  'Strangers never read the title of a vote about a person.':
    'Wasio wanachama hawasomi kamwe kichwa cha kura inayomhusu mtu.',
  'You hold this: another member of the supervisory committee voids it.':
    'Wewe ndiye uliyelisimamisha: mjumbe mwingine wa kamati ya usimamizi ndiye anayelibatilisha.',
  'Your account and that of the official who holds this look like one person’s. Another official must void it.':
    'Akaunti yako na ya afisa aliyelisimamisha zinaonekana kuwa za mtu mmoja. Afisa mwingine lazima alibatilishe.',
  'What it was to change has changed since members saw it.':
    'Kilichokusudiwa kubadilishwa kimebadilika tangu wanachama walipokiona.',
  'Drafted. It is published once it has its signatures.': 'Rasimu imeandikwa. Itatangazwa ikipata saini zake.',
  'Signed.': 'Umetia saini.',
  'Taken back. Nobody votes on it.': 'Imeondolewa. Hakuna atakayeipigia kura.',
  'Your vote is in. You may change it until voting ends.':
    'Kura yako imepokelewa. Unaweza kuibadilisha hadi upigaji kura uishe.',
  'Your ballot paper of this vote was given out already. Vote on the device on which you asked for it.':
    'Karatasi yako ya kura hii imeshatolewa. Piga kura kwenye kifaa ulichoiombea.',
  'Your page shows another round of this vote. Load it again, then vote.':
    'Ukurasa wako unaonyesha duru nyingine ya kura hii. Ufungue upya, kisha piga kura.',
  'This number cannot be signed.': 'Nambari hii haiwezi kutiwa saini.',
  'A ballot with this serial was cast already. A secret ballot cannot be changed.':
    'Kura yenye nambari hii imeshapigwa. Kura ya siri haiwezi kubadilishwa.',
  'The ballot of this vote is secret already.': 'Kura hii ni ya siri tayari.',
  'You have asked for a secret ballot.': 'Umeomba kura ya siri.',
  'Your ballot paper is signed.': 'Karatasi yako ya kura imetiwa saini.',
  'Your vote is in. After the count nothing that is stored ties it to you.':
    'Kura yako imepokelewa. Baada ya kuhesabu hakuna kilichohifadhiwa kinachoihusisha nawe.',
  'Held for 14 days at most.': 'Imesimamishwa kwa siku 14 zisizozidi.',
  'Released. It is carried out when its time has come.': 'Imeachiliwa. Itatekelezwa wakati wake ukifika.',
  'Voided. It is never carried out.': 'Imebatilishwa. Haitatekelezwa kamwe.',
  '{name}: {vote} is coming. You vote from {from} to {until}.':
    '{name}: {vote} inakuja. Utapiga kura kuanzia {from} hadi {until}.',
  '{name}: {vote} has begun. Vote until {until}.': '{name}: {vote} imeanza. Piga kura hadi {until}.',
  '{name}: too few voted on {vote}. You vote once more, from {from} to {until}.':
    '{name}: waliopiga {vote} ni wachache mno. Utapiga kura tena, kuanzia {from} hadi {until}.',
  '{name}: {vote} {outcome}. Read the result under Voting.': '{name}: {vote} {outcome}. Soma matokeo chini ya Kura.',
  'Only who stands for this election shows a picture, while members may stand.':
    'Anayegombea katika uchaguzi huu pekee ndiye anayeonyesha picha, wakati wanachama wanaweza kugombea.',
  'Your picture stands beside your name.': 'Picha yako iko kando ya jina lako.',
  'There is no such picture.': 'Hakuna picha kama hiyo.',
  'Fifty members stand already.': 'Wanachama hamsini wanagombea tayari.',
  'You stand under the name under which your ID card was seen before this vote was published. Yours has changed since.':
    'Unagombea kwa jina ambalo kitambulisho chako kilionwa nalo kabla ya kura hii kutangazwa. Jina lako limebadilika tangu hapo.',
  'No official has seen the ID card of whoever was elected under their present name.':
    'Hakuna afisa aliyeona kitambulisho cha aliyechaguliwa chenye jina lake la sasa.',
  'Whoever was elected has not confirmed their phone.': 'Aliyechaguliwa hajathibitisha simu yake.',
  'Nobody is of the supervisory committee and holds another office too: it examines the others.':
    'Hakuna anayekuwa mjumbe wa kamati ya usimamizi na kushika wadhifa mwingine pia: kamati hiyo huwachunguza wengine.',
  'Whoever was elected is no member in full rights any more.': 'Aliyechaguliwa si mwanachama mwenye haki kamili tena.',
  'Somebody who works for Ushirika has the name of whoever was elected.':
    'Mtu anayefanya kazi Ushirika ana jina la aliyechaguliwa.',
  'The account of whoever was elected is suspended.': 'Akaunti ya aliyechaguliwa imesimamishwa.',
  '{name}: members have elected you. You are now recorded as {office}.':
    '{name}: wanachama wamekuchagua. Sasa umerekodiwa kuwa {office}.',
  '{name}: members have elected somebody else as {office}. Your office has ended.':
    '{name}: wanachama wamemchagua mwingine kuwa {office}. Wadhifa wako umeisha.',
  'An election changes nothing else.': 'Uchaguzi haubadilishi kitu kingine.',
  'Members elect somebody for this office already.': 'Wanachama wanamchagua mtu wa wadhifa huu tayari.',
  'You stand for this election.': 'Unagombea katika uchaguzi huu.',
  'the rules of votes': 'kanuni za kura',
  'the by-laws': 'sheria ndogo',
  'Write the whole by-laws: 200 characters or more.': 'Andika sheria ndogo zote: herufi 200 au zaidi.',
  'These by-laws are in force already.': 'Sheria ndogo hizi tayari zinatumika.',
  'Your account and that of the official who recorded this look like one person’s. Another official must record it.':
    'Akaunti yako na ya afisa aliyerekodi zinaonekana kuwa za mtu mmoja. Afisa mwingine lazima arekodi.',
  'By-laws are registered after members have voted for them, and not in the future.':
    'Sheria ndogo husajiliwa baada ya wanachama kuzipigia kura, wala si siku zijazo.',
  '{name}: an official has recorded that the by-laws are registered. Record it too, from the certificate: then they hold.':
    '{name}: afisa amerekodi kwamba sheria ndogo zimesajiliwa. Rekodi pia, ukiangalia cheti: hapo zinaanza kutumika.',
  'The by-laws are in force.': 'Sheria ndogo zinatumika.',
  'Recorded. They hold once another official has recorded the same.':
    'Imerekodiwa. Zitatumika afisa mwingine akisharekodi vivyo hivyo.',
  'You do not stand for this election any more.': 'Hugombei tena katika uchaguzi huu.',
  'Your answer stands beside the vote.': 'Jibu lako linaonekana pamoja na kura.',
  'Only the person whom this vote is about answers it.': 'Anayehusika na kura hii pekee ndiye anayejibu.',
  'This vote is answered from its publication until voting begins.':
    'Kura hii inajibiwa tangu inapotangazwa hadi kura zianze kupigwa.',
  'This vote would be about you: another member drafts it.':
    'Kura hii ingekuhusu wewe: mwanachama mwingine ndiye anayeandika rasimu yake.',
  'This vote is about you: others of the supervisory committee examine it.':
    'Kura hii inakuhusu wewe: wajumbe wengine wa kamati ya usimamizi ndio wanaoichunguza.',
  '{name}: {vote} is about you. You may answer it until {from}. All members read your answer.':
    '{name}: {vote} inakuhusu. Unaweza kuijibu hadi {from}. Wanachama wote watasoma jibu lako.',
  'had no candidates': 'haikuwa na wagombea',
  'has passed': 'imepita',
  'was voted down': 'imekataliwa',
  'had too few votes to count': 'ilikuwa na kura chache mno kuhesabika',
  'Members change this by a vote. Draft one under Voting Proposals.':
    'Wanachama hubadilisha hili kwa kura. Andika rasimu chini ya Mapendekezo ya Kura.',
  'Officials have closed this lately. Now members decide on it, by a vote.':
    'Maafisa walilifunga hivi karibuni. Sasa wanachama ndio wanaoamua, kwa kura.',
  '{name}: members did not confirm by a vote that the share market is closed. It is open again.':
    '{name}: wanachama hawakuthibitisha kwa kura kufungwa kwa soko la hisa. Limefunguliwa tena.',
  '{name}: members did not confirm by a vote that the loan {loan} is not offered. Members can apply for it again.':
    '{name}: wanachama hawakuthibitisha kwa kura kwamba mkopo {loan} hautolewi. Wanachama wanaweza kuuomba tena.',
};
