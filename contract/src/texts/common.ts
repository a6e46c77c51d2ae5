/** What more than one domain says. */
export const commonTexts = {
  '{parts}': '{parts}',
  '{text}': '{text}',
  '{what}: {written}': '{what}: {written}',
  '{n, plural, one {# share} other {# shares}}': 'hisa {n, plural, other {#}}',
  '{n, plural, one {# day} other {# days}}': 'siku {n}',
  '{n, plural, one {# minute} other {# minutes}}': 'dakika {n}',
  '{n, plural, one {# hour} other {# hours}}': 'saa {n}',
  'a minute': 'dakika moja',
  'There is no such sacco.': 'Hakuna sacco kama hiyo.',
  'No member may hold more than one fifth of the shares. You can buy at most {most} now.':
    'Hakuna mwanachama anayeweza kumiliki zaidi ya moja ya tano ya hisa. Sasa unaweza kununua {most}, si zaidi.',
  'No member may hold more than one fifth of the shares. You can buy none now.':
    'Hakuna mwanachama anayeweza kumiliki zaidi ya moja ya tano ya hisa. Sasa huwezi kununua hata moja.',
  'The first purchase in {name} is at least {shares}.': 'Ununuzi wa kwanza katika {name} ni {shares} au zaidi.',
  pending: 'inasubiri kuwezeshwa',
  active: 'inatumika',
  suspended: 'imesimamishwa',
  rejected: 'imekataliwa',
  'This is open too many times already. Close some of your pages.':
    'Hii imefunguliwa mara nyingi mno. Funga baadhi ya kurasa zako.',
} as const;
