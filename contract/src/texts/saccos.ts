/** Sentences of saccos and their officials: the English ICU text, and its Swahili. */
export const saccosTexts = {
  'Members elect the supervisory committee, since it examines the others. Draft an election under Voting.':
    'Wanachama huchagua kamati ya usimamizi, kwa kuwa inawakagua wengine. Andika rasimu ya uchaguzi chini ya Kura.',
  'The sacco is {state}: only a pending one is activated.': 'Sacco hii {state}: ni inayosubiri pekee inayowezeshwa.',
  'Still open: {points}.': 'Bado: {points}.',
  'Not asked of a chama.': 'Haihitajiki kwa chama.',
  'Not asked of an investment club.': 'Haihitajiki kwa klabu ya uwekezaji.',
  'A registration number that no other sacco has': 'Nambari ya usajili ambayo hakuna sacco nyingine inayo',
  'At least 3 officials, a chair, a secretary and a treasurer among them':
    'Angalau maafisa 3, wakiwemo mwenyekiti, katibu na mweka hazina',
  'Missing: {offices}.': 'Hawapo: {offices}.',
  '{n, plural, one {# person holds} other {# people hold}} offices.':
    '{n, plural, one {Mtu # ana wadhifa.} other {Watu # wana nyadhifa.}}',
  'Every official has confirmed a phone number by SMS code':
    'Kila afisa amethibitisha nambari ya simu kwa msimbo wa SMS',
  '{n} have not.': '{n} bado.',
  '{name}: the change of {change} could not be made any more. Propose it anew.':
    '{name}: mabadiliko ya {change} hayakuwezekana tena. Yapendekeze upya.',
  '{name}: nobody confirmed the change of {change} within 7 days. It is closed.':
    '{name}: hakuna aliyethibitisha mabadiliko ya {change} ndani ya siku 7. Yamefungwa.',
  'The sacco is {state}: it cannot become {to}.': 'Sacco hii {state}: haiwezi kuwa “{to}”.',
  '{name} is active: people can join it and buy its shares.':
    '{name} inatumika: watu wanaweza kujiunga nayo na kununua hisa zake.',
  '{name} was not accepted: {reason} Mend it and submit it again.':
    '{name} haikukubaliwa: {reason} Rekebisha kisha uiwasilishe tena.',
  '{name} is suspended. Read why on its page. Joining, buying, selling, saving and new loans have stopped. You can still repay, withdraw and vote. This ends on {day}, unless a second operator upholds it.':
    '{name} imesimamishwa. Soma sababu kwenye ukurasa wake. Kujiunga, kununua, kuuza, kuweka akiba na mikopo mipya vimesimama. Bado unaweza kulipa mikopo, kutoa pesa na kupiga kura. Hii itaisha {day}, isipokuwa mwendeshaji wa pili akiidhinisha.',
  '{name} is active again: its suspension has ended.': '{name} inatumika tena: kusimamishwa kwake kumeisha.',
  '{name}: a second operator has upheld the suspension. It stands until two operators end it.':
    '{name}: mwendeshaji wa pili ameidhinisha kusimamishwa. Kutaendelea hadi waendeshaji wawili wakuondoe.',
  '{name} is suspended. Read why on its page. Joining, buying, selling, saving and new loans have stopped. You can still repay, withdraw and vote. Two operators agreed on it, and it stands until two operators end it.':
    '{name} imesimamishwa. Soma sababu kwenye ukurasa wake. Kujiunga, kununua, kuuza, kuweka akiba na mikopo mipya vimesimama. Bado unaweza kulipa mikopo, kutoa pesa na kupiga kura. Waendeshaji wawili walikubaliana, na kutaendelea hadi waendeshaji wawili wakuondoe.',
  'Who suspended it is no operator any more. It ends by itself; then two operators may suspend it again.':
    'Aliyeisimamisha si mwendeshaji tena. Itaisha yenyewe; kisha waendeshaji wawili wanaweza kuisimamisha tena.',
  '{name}: another operator has suspended it. Look at it. Uphold the suspension, or it ends on {day}.':
    '{name}: mwendeshaji mwingine ameisimamisha. Iangalie. Idhinisha usimamishaji huo, la sivyo utaisha {day}.',
  'This suspension does not lapse: it began before they had an end.':
    'Usimamishaji huu hauishi wenyewe: ulianza kabla ya kuwekewa mwisho.',
  'This sacco is not suspended.': 'Sacco hii haijasimamishwa.',
  '{name} waits for its activation again.': '{name} inasubiri tena kuwezeshwa.',
  'There is no such change.': 'Hakuna badiliko kama hilo.',
  'Confirmed. It holds from now on.': 'Imethibitishwa. Inatumika kuanzia sasa.',
  'Confirmed. It takes effect in 24 hours.': 'Imethibitishwa. Itaanza kutumika baada ya saa 24.',
  'Refused. Nothing changes.': 'Imekataliwa. Hakuna kinachobadilika.',
  'Taken back. Nothing changes.': 'Pendekezo limeondolewa. Hakuna kinachobadilika.',
  'Your account and that of the official who proposed this look like one person’s. Another official must confirm it.':
    'Akaunti yako na ya afisa aliyependekeza hili zinaonekana kuwa za mtu mmoja. Afisa mwingine lazima athibitishe.',
  'You have proposed this: another official confirms it.':
    'Wewe ndiye uliyependekeza: afisa mwingine ndiye anathibitisha.',
  'The terms have changed since this was proposed.': 'Masharti yamebadilika tangu hili lipendekezwe.',
  '{name}: the change of {change} that you proposed is in force.':
    '{name}: mabadiliko ya {change} uliyopendekeza yameanza kutumika.',
  'You have refused the same within the last 30 days. This time another official must say no.':
    'Umekataa jambo hili hili ndani ya siku 30 zilizopita. Safari hii afisa mwingine lazima akatae.',
  'That is decided already.': 'Hilo limeshaamuliwa.',
  '{proposer} has taken it back.': '{proposer} ameyaondoa.',
  'An official has said no.': 'Afisa amesema hapana.',
  '{name}: the change of {change} does not come. {why}': '{name}: mabadiliko ya {change} hayatafanyika. {why}',
  name: 'jina',
  'Another official of your sacco has that name, and members must be able to tell you apart. Add a further name of yours.':
    'Afisa mwingine wa sacco yako ana jina hilo, na wanachama lazima waweze kuwatofautisha. Ongeza jina lako jingine.',
  'The sacco is suspended. Take the office up once it is active again.':
    'Sacco imesimamishwa. Chukua wadhifa huu itakapoanza kutumika tena.',
  'This sacco takes up no officials in this way any more.': 'Sacco hii haipokei tena maafisa kwa njia hii.',
  'You are now recorded as {office} of {name}.': 'Sasa umeandikishwa kuwa {office} wa {name}.',
  chair: 'mwenyekiti',
  secretary: 'katibu',
  treasurer: 'mweka hazina',
  'vice chair': 'makamu mwenyekiti',
  'the end of an office': 'kumaliza wadhifa',
  'Nobody holds this office in this sacco any more.': 'Hakuna anayeshika wadhifa huu katika sacco hii tena.',
  manager: 'meneja',
  'credit committee member': 'mjumbe wa kamati ya mikopo',
  'supervisory committee member': 'mjumbe wa kamati ya usimamizi',
  'The office of {office} is already held.': 'Wadhifa wa {office} tayari una mtu.',
  'An official of a sacco has that name, and they must not be mistaken for you. Add a further name of yours.':
    'Afisa wa sacco ana jina hilo, na asichanganywe nawe. Ongeza jina lako jingine.',
  'You hold an office: another official confirms your new name, and there is none yet. Ask our support to name one, on the strength of your minutes. What else you change here needs nobody’s word.':
    'Una wadhifa: afisa mwingine huthibitisha jina lako jipya, na bado hayupo. Iombe timu yetu imtaje mmoja, kwa kutumia kumbukumbu za mkutano wenu. Mengine unayobadilisha hapa hayahitaji idhini ya mtu mwingine.',
  'That holds already.': 'Hilo tayari linatumika.',
  'It opens again by itself, unless members vote to keep it closed.':
    'Litafunguliwa tena lenyewe, isipokuwa wanachama wapige kura libaki limefungwa.',
  '{name}: another official asks you to confirm a change of {change}. Look at it and say yes or no within 7 days.':
    '{name}: afisa mwingine anakuomba uthibitishe mabadiliko ya {change}. Yaangalie na useme ndiyo au hapana ndani ya siku 7.',
  'Another chair, secretary or treasurer has to confirm this, and your sacco has none besides you who may act now. Let your members elect one and keep the minutes of that meeting: on their strength an operator of Ushirika names that person, who takes the office up with a code sent by SMS.':
    'Mwenyekiti, katibu au mweka hazina mwingine lazima athibitishe hili, na sacco yenu haina mwingine zaidi yako anayeweza kuchukua hatua sasa. Wanachama wenu wamchague mmoja, na mtunze kumbukumbu za mkutano huo: kwa kumbukumbu hizo mwendeshaji wa Ushirika humtaja mtu huyo, naye huchukua wadhifa kwa msimbo uliotumwa kwa SMS.',
  'Another chair or treasurer has to confirm this, and your sacco has none besides you who may act now. Let your members elect one and keep the minutes of that meeting: on their strength an operator of Ushirika names that person, who takes the office up with a code sent by SMS.':
    'Mwenyekiti au mweka hazina mwingine lazima athibitishe hili, na sacco yenu haina mwingine zaidi yako anayeweza kuchukua hatua sasa. Wanachama wenu wamchague mmoja, na mtunze kumbukumbu za mkutano huo: kwa kumbukumbu hizo mwendeshaji wa Ushirika humtaja mtu huyo, naye huchukua wadhifa kwa msimbo uliotumwa kwa SMS.',
  'Members have voted for other terms, which are to hold soon. Registration fee: {fee}. Share value: {value}. Minimum shares: {shares}.':
    'Wanachama wamepigia kura masharti mengine yatakayoanza hivi karibuni. Ada ya kujiunga: {fee}. Thamani ya hisa: {value}. Hisa za chini: {shares}.',
  'Members have voted for other terms, from {day} on at the earliest. Registration fee: {fee}. Share value: {value}. Minimum shares: {shares}.':
    'Wanachama wamepigia kura masharti mengine, kuanzia {day} mapema kabisa. Ada ya usajili: {fee}. Thamani ya hisa: {value}. Hisa za chini kabisa: {shares}.',
  'Members vote that you leave an office of this sacco, or voted so in the last three years: only an election brings you back.':
    'Wanachama wanapiga kura kwamba uache wadhifa kwenye sacco hii, au waliamua hivyo ndani ya miaka mitatu iliyopita: uchaguzi pekee ndio unaokurudisha.',
  'A share keeps its value: what members paid for one buys one.':
    'Hisa inabaki na thamani yake: kile wanachama walicholipa kwa hisa moja hununua hisa moja.',
  'Members of {name} vote on the value of a share. The sacco sells shares again once that is decided and carried out.':
    'Wanachama wa {name} wanapigia kura thamani ya hisa. Sacco itauza hisa tena baada ya uamuzi kutekelezwa.',
  'Another change is already waiting. Decide on that first.': 'Badiliko lingine tayari linasubiri. Amueni hilo kwanza.',
  'This sacco has no logo.': 'Sacco hii haina nembo.',
  'The application was rejected; it must be submitted again first.':
    'Ombi lilikataliwa; lazima kwanza liwasilishwe tena.',
  'Only the founder names the first officials.': 'Mwanzilishi pekee hutaja maafisa wa kwanza.',
  'Officials are named here only while the sacco waits for its activation.':
    'Maafisa hutajwa hapa wakati sacco inasubiri kuwezeshwa pekee.',
  'You have named ten people in a day. Go on tomorrow.': 'Umewataja watu kumi kwa siku. Endelea kesho.',
  'Another operator must decide about a sacco of yours.': 'Mwendeshaji mwingine lazima aamue kuhusu sacco yako.',
  '{name} is registered and waits for its activation.': '{name} imesajiliwa na inasubiri kuwezeshwa.',
  '{n} of your saccos wait for their activation. Submit another when one of them is decided.':
    'Sacco zako {n} zinasubiri kuwezeshwa. Wasilisha nyingine moja ikishaamuliwa.',
  'A sacco with that name is already registered.': 'Sacco yenye jina hilo imeshasajiliwa.',
  'The operator who proposed it may name nobody in this sacco now. Nobody was asked.':
    'Mwendeshaji aliyependekeza hawezi kumteua mtu katika sacco hii sasa. Hakuna aliyeulizwa.',
  'You have named this person three times in 30 days. Talk to them instead.':
    'Umemteua mtu huyu mara tatu ndani ya siku 30. Zungumza naye badala yake.',
  'A sacco with a name that looks the same is already registered.': 'Sacco yenye jina linalofanana imeshasajiliwa.',
  'A sacco with that registration number is already registered.': 'Sacco yenye nambari hiyo ya usajili imeshasajiliwa.',
  'The sacco is {state}: only one that is pending can become rejected.':
    'Sacco hii {state}: ni inayosubiri pekee inayoweza kukataliwa.',
  'Only a rejected application can be submitted again.': 'Ni ombi lililokataliwa pekee linaloweza kuwasilishwa tena.',
  'You can list your own saccos only.': 'Unaweza kuorodhesha sacco zako pekee.',
  'Your office is recorded.': 'Wadhifa wako umeandikwa.',
  'If somebody with that ID number is registered here, an SMS asks them to accept.':
    'Kama kuna mtu aliyejisajili hapa kwa nambari hiyo ya kitambulisho, SMS inamwomba akubali.',
  'Noted.': 'Imeandikwa.',
  'You register a sacco in your own name only.': 'Unasajili sacco kwa jina lako mwenyewe pekee.',
  'Your sacco is registered. It becomes active once an operator has checked it.':
    'Sacco yako imesajiliwa. Itaanza kutumika mwendeshaji akishaikagua.',
  'Submitted again. It becomes active once an operator has checked it.':
    'Imewasilishwa tena. Itaanza kutumika mwendeshaji akishaikagua.',
  'You are now an official of {name}.': 'Sasa wewe ni afisa wa {name}.',
  'The certificate of registration has been seen': 'Cheti cha usajili kimeonekana',
  'The by-laws have been seen': 'Sheria ndogo zimeonekana',
  'The KRA PIN has been seen': 'PIN ya KRA imeonekana',
  'SASRA authorisation, or a declared exemption': 'Idhini ya SASRA, au msamaha uliotangazwa',
  'Proof of the bank account or paybill has been seen': 'Uthibitisho wa akaunti ya benki au paybill umeonekana',
  'The registration number was found in the public register': 'Nambari ya usajili imepatikana kwenye rejista ya umma',
  'At least 10 founder members': 'Angalau wanachama waanzilishi 10',
  'A test deposit of Ksh. 1 arrived': 'Ksh. 1 ya majaribio imefika',
  'The sacco is {state}: only one that is active can become suspended.':
    'Sacco hii {state}: ni inayotumika pekee inayoweza kusimamishwa.',
  'You invite somebody else: that is your own ID number.':
    'Unaalika mtu mwingine: hiyo ni nambari yako ya kitambulisho.',
  'Another official confirms an invitation, and your sacco has none besides you who may act now.':
    'Afisa mwingine huthibitisha mwaliko, na sacco yako haina mwingine ila wewe anayeweza kuchukua hatua sasa.',
  '{name}: the chair wants to invite somebody as {office}. Look at it under Members and say yes or no within 7 days.':
    '{name}: mwenyekiti anataka kumwalika mtu awe {office}. Angalia kwenye Wanachama na ukubali au ukatae ndani ya siku 7.',
  'Somebody is invited to that office already. Take that back first.':
    'Kuna mtu aliyeshaalikwa kwa wadhifa huo. Ondoa mwaliko huo kwanza.',
  'Your account and that of the official who invited them look like one person’s. Another official must confirm it.':
    'Akaunti yako na ya afisa aliyemwalika zinaonekana kuwa za mtu mmoja. Afisa mwingine lazima athibitishe.',
  'You have invited them: another official confirms it.': 'Wewe ndiye uliyemwalika: afisa mwingine anathibitisha.',
  'It is you who is invited: another official confirms it.': 'Wewe ndiye uliyealikwa: afisa mwingine anathibitisha.',
  '{name}: your invitation to be {office} was confirmed.': '{name}: mwaliko wako wa kuwa {office} umethibitishwa.',
  '{name}: {person} has said no to whoever is named as {office}. The reason: “{reason}”':
    '{name}: {person} amemkataa aliyetajwa awe {office}. Sababu: “{reason}”',
  '{name}: {person} says no to whoever is named as {office}. Another official must say no too. The reason: “{reason}”':
    '{name}: {person} anamkataa aliyetajwa awe {office}. Afisa mwingine lazima akatae pia. Sababu: “{reason}”',
  '{name}: an operator of Ushirika has taken back whom they named as {office}.':
    '{name}: mwendeshaji wa Ushirika amemwondoa aliyemtaja awe {office}.',
  'You have said no already. Another official must say no too.': 'Umeshakataa. Afisa mwingine lazima akatae pia.',
  'Your account and that of the official who said no first look like one person’s. Another official must say no too.':
    'Akaunti yako na ya afisa aliyekataa kwanza zinaonekana kuwa za mtu mmoja. Afisa mwingine lazima akatae pia.',
  'Your no is recorded. You have refused somebody for this office lately, so another official must say no too.':
    'Kukataa kwako kumeandikwa. Umemkataa mtu kwa wadhifa huu hivi karibuni, kwa hiyo afisa mwingine lazima akatae pia.',
  'Taken back. Whoever was asked cannot take the office up any more.':
    'Umeondoa jina hilo. Aliyeulizwa hawezi tena kuchukua wadhifa huo.',
  '{name}: {person} is now {office}.': '{name}: {person} sasa ni {office}.',
  '{name}: an operator of Ushirika names somebody as {office}. Look at it under Members: you may refuse it until it is taken up.':
    '{name}: mwendeshaji wa Ushirika amemtaja mtu awe {office}. Angalia kwenye Wanachama: unaweza kukataa hadi achukue wadhifa huo.',
  'The officials of the sacco may refuse this for a day, as an operator named you. Take the office up from {when} on.':
    'Maafisa wa sacco wanaweza kukataa kwa siku moja, kwa kuwa ulitajwa na mwendeshaji. Chukua wadhifa huo kuanzia {when}.',
  'Join the sacco first, and buy the minimum shares: only members in full rights hold an office.':
    'Jiunge kwanza na sacco, na ununue kiwango cha chini cha hisa: ni wanachama kamili pekee wanaoshika wadhifa.',
  'Buy the minimum shares first: only members in full rights hold an office.':
    'Nunua kwanza kiwango cha chini cha hisa: ni wanachama kamili pekee wanaoshika wadhifa.',
  'You have given notice: only members in full rights hold an office.':
    'Umetoa notisi ya kuondoka: ni wanachama kamili pekee wanaoshika wadhifa.',
  'Written down. Nobody is asked before a second official confirms it.':
    'Imeandikwa. Hakuna anayeulizwa kabla afisa wa pili hajathibitisha.',
  'Confirmed. If somebody with that ID number is registered here, an SMS asks them to accept.':
    'Imethibitishwa. Kama kuna aliyejisajili hapa na nambari hiyo ya kitambulisho, SMS itamwomba akubali.',
  'As chair.': 'Kama mwenyekiti.',
  'As secretary.': 'Kama katibu.',
  'As treasurer.': 'Kama mweka hazina.',
  'As vice chair.': 'Kama makamu mwenyekiti.',
  'As manager.': 'Kama meneja.',
  'As credit committee member.': 'Kama mjumbe wa kamati ya mikopo.',
  'As supervisory committee member.': 'Kama mjumbe wa kamati ya usimamizi.',
  'Confirmed. It is closed from now on, for 14 days unless members decide otherwise.':
    'Imethibitishwa. Imefungwa kuanzia sasa kwa siku 14, wanachama wasipoamua vingine.',
  'You have suspended an official of this sacco. Until 90 days after that, other operators name its officials.':
    'Umesimamisha afisa wa sacco hii. Hadi siku 90 baada ya hapo, waendeshaji wengine ndio wanaotaja maafisa wake.',
  'You name somebody else: that is your own ID number.':
    'Unataja mtu mwingine: hiyo ni nambari yako mwenyewe ya kitambulisho.',
  'The sacco is {state}: nobody is named there.': 'Sacco hii {state}: hakuna anayetajwa humo.',
} as const;
