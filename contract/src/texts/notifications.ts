/** Sentences of notifications: the English ICU text, and its Swahili. */
export const notificationsTexts = {
  'Your preferences are saved.': 'Mapendeleo yako yamehifadhiwa.',
  'Marked as read.': 'Zimesomwa.',
  'That number has been sent enough messages for now. Try again in {wait}.':
    'Nambari hiyo imetumiwa ujumbe wa kutosha kwa sasa. Jaribu tena baada ya {wait}.',
  'We can send SMS to mobile numbers of {countries} only. Use one of those: your codes go there.':
    'Tunaweza kutuma SMS kwa nambari za simu za {countries} pekee. Tumia moja ya hizo: misimbo yako hutumwa huko.',
  '{n} SMS have been sent today: more than usual. News stays in the app until tomorrow; codes go on. Look who causes them.':
    'SMS {n} zimetumwa leo: nyingi kuliko kawaida. Habari zitabaki kwenye programu hadi kesho; misimbo inaendelea. Angalia nani anazisababisha.',
} as const;
