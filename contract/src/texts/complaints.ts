/** Sentences of complaints: the English ICU text, and its Swahili. */
export const complaintsTexts = {
  '{sacco}: a member has complained. Read it under Complaints and answer before it is due.':
    '{sacco}: mwanachama amewasilisha lalamiko. Lisome chini ya Malalamiko na ujibu kabla ya tarehe ya mwisho.',
  'No official of {sacco} may answer your complaint, so Ushirika has it already. You will be told what is decided.':
    'Hakuna afisa wa {sacco} anayeweza kujibu lalamiko lako, kwa hiyo Ushirika tayari inalo. Utaarifiwa uamuzi.',
  '{sacco} works on your complaint. Read what its official says under Complaints.':
    '{sacco} inashughulikia lalamiko lako. Soma maelezo ya afisa wake chini ya Malalamiko.',
  '{sacco} has answered your complaint. Close it or appeal within 14 days; after that it closes by itself.':
    '{sacco} imejibu lalamiko lako. Lifunge au ukate rufaa ndani ya siku 14; baada ya hapo litajifunga lenyewe.',
  '{sacco}: a member does not accept the answer to a complaint. Ushirika decides now.':
    '{sacco}: mwanachama hakukubali jibu la lalamiko. Sasa Ushirika itaamua.',
  '{sacco} did not answer your complaint in time. Ushirika has it now and will decide.':
    '{sacco} haikujibu lalamiko lako kwa wakati. Sasa Ushirika inalo na itaamua.',
  '{sacco}: a complaint was not answered in time. Ushirika decides now, and the public page counts it.':
    '{sacco}: lalamiko halikujibiwa kwa wakati. Sasa Ushirika itaamua, na ukurasa wa umma unalihesabu.',
  '{sacco} did not settle your complaint in time. Ushirika has it now and will decide.':
    '{sacco} haikutatua lalamiko lako kwa wakati. Sasa Ushirika inalo na itaamua.',
  '{sacco}: a complaint was not settled in time. Ushirika decides now, and the public page counts it.':
    '{sacco}: lalamiko halikutatuliwa kwa wakati. Sasa Ushirika itaamua, na ukurasa wa umma unalihesabu.',
  '{sacco}: a member has closed a complaint.': '{sacco}: mwanachama amefunga lalamiko.',
  'Your complaint about {sacco} is closed: you did not appeal within 14 days of its answer.':
    'Lalamiko lako kuhusu {sacco} limefungwa: hukukata rufaa ndani ya siku 14 baada ya jibu lake.',
  '{sacco}: a complaint closed by itself. The member did not appeal against your answer.':
    '{sacco}: lalamiko limejifunga lenyewe. Mwanachama hakukata rufaa dhidi ya jibu lenu.',
  'Ushirika has decided about your complaint about {sacco}. Read the decision and its reasons under Complaints.':
    'Ushirika imeamua lalamiko lako kuhusu {sacco}. Soma uamuzi na sababu zake chini ya Malalamiko.',
  '{sacco}: Ushirika has decided about a complaint. Read the decision and its reasons under Complaints.':
    '{sacco}: Ushirika imeamua lalamiko. Soma uamuzi na sababu zake chini ya Malalamiko.',
  'You have said 5 times that you work on it. Give the final answer now.':
    'Umesema mara 5 kwamba unalishughulikia. Sasa toa jibu la mwisho.',
  'There is no such complaint.': 'Hakuna lalamiko kama hilo.',
  'Choose an official of this sacco.': 'Chagua afisa wa sacco hii.',
  'You have made 5 complaints today. Try again tomorrow.': 'Umewasilisha malalamiko 5 leo. Jaribu tena kesho.',
  'Your complaint is sent. You will be told of each step.': 'Lalamiko lako limetumwa. Utaarifiwa kila hatua.',
  'Answered. The member is told.': 'Limejibiwa. Mwanachama ameambiwa.',
  'Sent. The final answer is still due.': 'Limetumwa. Jibu la mwisho bado linadaiwa.',
  'Closed.': 'Limefungwa.',
  'Ushirika decides now. You will be told.': 'Sasa Ushirika itaamua. Utaarifiwa.',
  'Decided. Both sides are told.': 'Limeamuliwa. Pande zote mbili zimeambiwa.',
  'Looked at the complaints.': 'Aliangalia malalamiko.',
  'the time limits for complaints': 'muda wa kujibu malalamiko',
  'You have made 10 complaints about this sacco in 30 days. Call Ushirika instead.':
    'Umewasilisha malalamiko 10 kuhusu sacco hii ndani ya siku 30. Badala yake, pigia Ushirika simu.',
  'Looked at the picture of a complaint.': 'Aliangalia picha ya lalamiko.',
  'Read a complaint.': 'Alisoma lalamiko.',
  'Write at least 20 characters.': 'Andika angalau herufi 20.',
  'The final answer cannot be due before the first one.':
    'Siku ya jibu la mwisho haiwezi kuwa kabla ya jibu la kwanza.',
} as const;
