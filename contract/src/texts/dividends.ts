/** Sentences of dividends: the English ICU text, and its Swahili. */
export const dividendsTexts = {
  'Say which paper you saw, in at least 5 characters.': 'Taja hati uliyoiona, kwa angalau herufi 5.',
  'Keep it within 200 characters.': 'Isizidi herufi 200.',
  'Another official records where you live.': 'Kiongozi mwingine ndiye anayeandika mahali unapoishi.',
  'That is recorded already.': 'Hilo limeandikwa tayari.',
  'You recorded that they live abroad. Another official records that they live in Kenya again.':
    'Wewe uliandika kwamba anaishi nje ya nchi. Kiongozi mwingine ndiye anayeandika kwamba anaishi Kenya tena.',
  'You recorded that before, and another official corrected it. Another official records it.':
    'Uliandika hivyo awali, na kiongozi mwingine akasahihisha. Kiongozi mwingine ndiye anayeandika.',
  '{name} of {sacco} recorded that you live abroad: dividends are taxed as the law has it for members abroad. If that is not true, write a complaint about {sacco}.':
    '{name} wa {sacco} ameandika kwamba unaishi nje ya nchi: gawio hukatwa kodi kama sheria inavyosema kwa wanachama walio nje. Kama si kweli, andika lalamiko kuhusu {sacco}.',
  '{name} of {sacco} recorded that you live in Kenya: dividends are taxed as the law has it for members in Kenya. If that is not true, write a complaint about {sacco}.':
    '{name} wa {sacco} ameandika kwamba unaishi Kenya: gawio hukatwa kodi kama sheria inavyosema kwa wanachama walio Kenya. Kama si kweli, andika lalamiko kuhusu {sacco}.',
  'The sacco’s capital is already below the minimum that the law asks for: nothing may be distributed.':
    'Mtaji wa sacco tayari uko chini ya kiwango cha chini cha sheria: hakuna kinachoweza kugawanywa.',
  'Enter a percentage from 0 to 100 with at most two decimals.':
    'Weka asilimia kuanzia 0 hadi 100, isiyozidi desimali mbili.',
  'The year {year} is not over yet.': 'Mwaka {year} haujaisha bado.',
  'Members vote on the dividend of the year before, or it waits to be carried out. After that this year can be closed.':
    'Wanachama wanapiga kura kuhusu gawio la mwaka uliotangulia, au linasubiri kutekelezwa. Baada ya hapo mwaka huu unaweza kufungwa.',
  'the closing of a year': 'kufungwa kwa mwaka',
  'Years are closed once and in order: {year} is next.':
    'Miaka hufungwa mara moja na kwa mpangilio: unaofuata ni {year}.',
  'The figures have changed since this was proposed. Propose it anew.':
    'Hesabu zimebadilika tangu pendekezo hili. Pendekeza upya.',
  'a dividend': 'gawio',
  'That record date is over. Choose a later one.': 'Tarehe hiyo ya kumbukumbu imepita. Chagua ya baadaye.',
  'Two officials close {year}. Then no dividend of the year before can be declared.':
    'Maafisa wawili wanafunga mwaka {year}. Baada ya hapo gawio la mwaka uliotangulia haliwezi kutangazwa.',
  'The record date is from {earliest} to {latest}.': 'Tarehe ya kumbukumbu ni kuanzia {earliest} hadi {latest}.',
  'By law {shares}% is withheld of dividends then, and {savings}% of interest.':
    'Kwa sheria {shares}% inakatwa kwenye gawio wakati huo, na {savings}% kwenye faida ya akiba.',
  'Only of the last year that two officials closed can a dividend be declared.':
    'Gawio linaweza kuamuliwa kwa mwaka wa mwisho pekee ambao maafisa wawili waliufunga.',
  'No dividend is declared of that year.': 'Hakuna gawio lililoamuliwa la mwaka huo.',
  'A dividend of that year is declared already.': 'Gawio la mwaka huo limeshaamuliwa.',
  'What each member’s shares and savings count for is still being reckoned. Try again in a minute.':
    'Hesabu ya hisa na akiba ya kila mwanachama bado inafanywa. Jaribu tena baada ya dakika moja.',
  'Nothing may be distributed: the closed years have left no surplus.':
    'Hakuna kinachoweza kugawanywa: miaka iliyofungwa haikuacha ziada.',
  'At these rates nobody would get anything.': 'Kwa viwango hivi hakuna atakayepata kitu.',
  'That costs {cost}, and {amount} may be distributed.':
    'Hiyo inagharimu {cost}, na kinachoweza kugawanywa ni {amount}.',
  'That costs {cost}, and the sacco holds {amount}: the rest is lent out.':
    'Hiyo inagharimu {cost}, na sacco ina {amount}: zilizobaki zimekopeshwa.',
  'It would bring the sacco’s capital below the minimum that the law asks for.':
    'Ingeshusha mtaji wa sacco chini ya kiwango kinachotakiwa na sheria.',
  '{sacco}: of your dividend and interest of {year}, {net} after tax, {arrears} paid loans that were due.':
    '{sacco}: kwenye gawio na faida ya akiba yako ya {year}, {net} baada ya kodi, {arrears} zimelipa mikopo iliyofika wakati wake.',
  '{sacco}: of your dividend and interest of {year}, {net} after tax, {refunded} was paid back to those who guaranteed your loans, and {arrears} paid what was due of them.':
    '{sacco}: kwenye gawio na faida ya akiba yako ya {year}, {net} baada ya kodi, {refunded} zimerudishwa kwa waliodhamini mikopo yako, na {arrears} zimelipa deni lililobaki la mikopo hiyo.',
  '{sacco}: of your dividend and interest of {year}, {net} after tax, {refunded} was paid back to those who guaranteed your loans.':
    '{sacco}: kwenye gawio na faida ya akiba yako ya {year}, {net} baada ya kodi, {refunded} zimerudishwa kwa waliodhamini mikopo yako.',
  '{sacco}: your dividend and interest of {year} is {net} after tax. It bought {shares, plural, one {# share} other {# shares}}; the rest is in your wallet.':
    '{sacco}: gawio na faida ya akiba yako ya {year} ni {net} baada ya kodi. Zimenunua hisa {shares}; zilizobaki ziko kwenye pochi yako.',
  '{sacco}: your dividend and interest of {year}, {net} after tax, is in your wallet.':
    '{sacco}: gawio na faida ya akiba yako ya {year}, {net} baada ya kodi, ziko kwenye pochi yako.',
  'The record date has passed: a dividend is being paid. Choose for the next one once it is paid.':
    'Tarehe ya kumbukumbu imepita: gawio linalipwa. Chagua kwa ajili ya linalofuata likishalipwa.',
  'Chosen. It holds for every later dividend.': 'Umechagua. Inatumika kwa kila gawio litakalofuata.',
  'There is no such closed year.': 'Hakuna mwaka kama huo uliofungwa.',
  'You have no part in such a dividend.': 'Huna sehemu katika gawio kama hilo.',
} as const;
