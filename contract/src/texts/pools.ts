/** Sentences of guarantor pools: the English ICU text, and its Swahili. */
export const poolsTexts = {
  'Your other pool waits for its review. Join a sacco to create more meanwhile.':
    'Kikundi chako kingine kinasubiri ukaguzi. Jiunge na sacco ili uunde vingine.',
  'Accept the terms of the pool to join it.': 'Kubali masharti ya kikundi ili ujiunge.',
  'Accept the memorandum to sign it.': 'Kubali hati ya makubaliano ili uitie sahihi.',
  'Say what the guarantee is for.': 'Sema dhamana ni ya nini.',
  FORMING: 'KINAUNDWA',
  OPEN: 'KIMEFUNGULIWA',
  SUSPENDED: 'KIMESIMAMISHWA',
  CLOSING: 'KINAFUNGWA',
  CLOSED: 'KIMEFUNGWA',
  'The pool was created and is forming.': 'Kikundi kimeundwa na kinakusanya wanachama.',
  'The pool went from {from} to {to}.': 'Hali ya kikundi imebadilika kutoka {from} hadi {to}.',
  'The terms were changed by a vote of the members.': 'Masharti yalibadilishwa kwa kura ya wanachama.',
  'The settings were changed by a vote of the members.': 'Mipangilio ilibadilishwa kwa kura ya wanachama.',
  'Your pool has been created. Others see it after a review, or once it has five members.':
    'Kikundi chako kimeundwa. Wengine watakiona baada ya kukaguliwa, au kikiwa na wanachama watano.',
  'Another operator must decide about a pool of yours.': 'Msimamizi mwingine lazima aamue kuhusu kikundi chako.',
  'Everybody can see your pool {name} now.': 'Kila mtu sasa anaweza kuona kikundi chako cha udhamini, {name}.',
  'Your pool {name} is not shown to others: {reason}':
    'Kikundi chako cha udhamini, {name}, hakionyeshwi kwa wengine: {reason}',
} as const;
