/** What the schemas of the contract say of a field that is not filled in as it should be. */
export const checkTexts = {
  'This is too short.': 'Hii ni fupi mno.',
  'This is too long.': 'Hii ni ndefu mno.',
  'This is too small.': 'Hii ni ndogo mno.',
  'This is too large.': 'Hii ni kubwa mno.',
  'This is required.': 'Hii inahitajika.',
  'This is not filled in as it should be.': 'Sehemu hii haijajazwa ipasavyo.',
  'There are characters in it that a text cannot have.': 'Kuna alama zisizokubalika kwenye maandishi.',
  'Use at most 100 characters.': 'Herufi zisizidi 100.',
  'That cursor is not one of ours.': 'Alama hiyo ya ukurasa si yetu.',
  'That page is not there. Start from the first.': 'Ukurasa huo haupo. Anza kutoka wa kwanza.',
  'Write it on one line.': 'Andika kwa mstari mmoja.',
  'A name has no web address and no phone number in it.': 'Jina halina anwani ya tovuti wala nambari ya simu.',
  'Write it in words.': 'Andika kwa maneno.',
  'All members are told it: write no web address. After a full stop there is a space.':
    'Wanachama wote huambiwa maneno haya: usiandike anwani ya tovuti. Baada ya nukta kuna nafasi.',
  'All members are told it: write no phone number. An amount has commas: 1,500,000.':
    'Wanachama wote huambiwa maneno haya: usiandike nambari ya simu. Kiasi cha pesa huwa na koma: 1,500,000.',
  'Enter a whole number from {least} to {most}.': 'Weka nambari kamili kuanzia {least} hadi {most}.',
  'Enter a number from {least} to {most} with at most two decimals.':
    'Weka nambari kuanzia {least} hadi {most}, isiyozidi desimali mbili.',
  'Enter an amount in shillings with at most two decimals.': 'Weka kiasi kwa shilingi, kisichozidi desimali mbili.',
  'Enter an amount above zero.': 'Weka kiasi kilicho zaidi ya sufuri.',
  'Enter a date such as 2026-11-20.': 'Weka tarehe kama 2026-11-20.',
  // Identity.
  'An ID has digits only. With a passport, choose “Passport”.':
    'Kitambulisho kina tarakimu pekee. Ukiwa na pasipoti, chagua “Pasipoti”.',
  'A passport has letters before its digits, such as AK123456.':
    'Pasipoti ina herufi kabla ya tarakimu zake, kama AK123456.',
  'Letters in it: is that a zero or a one? A national ID has digits only.':
    'Kuna herufi ndani yake: je, ni sufuri au moja? Kitambulisho cha taifa kina tarakimu tu.',
  'Enter the number of your national ID (7 or 8 digits), alien ID or passport, such as 12345678 or AK123456. With a passport of another country, choose the country.':
    'Weka nambari ya kitambulisho cha taifa (tarakimu 7 au 8), cha mgeni au ya pasipoti, kama 12345678 au AK123456. Kwa pasipoti ya nchi nyingine, chagua nchi.',
  'Enter a valid phone number, such as 254712345678 or 0712345678.':
    'Weka nambari sahihi ya simu, kama 254712345678 au 0712345678.',
  'A Kenyan number has ten digits, such as 0712345678.': 'Nambari ya Kenya ina tarakimu kumi, kama 0712345678.',
  'A Kenyan mobile number begins with 07 or 01, such as 0712345678.':
    'Nambari ya simu ya mkononi ya Kenya huanza na 07 au 01, kama 0712345678.',
  'That is no Kenyan number. Write it with the code of its country, such as +256 772 123456.':
    'Hiyo si nambari ya Kenya. Iandike pamoja na msimbo wa nchi yake, kama +256 772 123456.',
  'Enter a valid email address.': 'Weka anwani sahihi ya barua pepe.',
  'Password is required.': 'Nenosiri linahitajika.',
  'That password is too long.': 'Nenosiri hilo ni refu mno.',
  'ID number is required.': 'Nambari ya kitambulisho inahitajika.',
  'That ID number is too long.': 'Nambari hiyo ya kitambulisho ni ndefu mno.',
  'Enter the code from your authenticator app.': 'Weka msimbo kutoka kwenye programu yako ya uthibitishaji.',
  'That code is too long.': 'Msimbo huo ni mrefu mno.',
  'That referral code is too long.': 'Msimbo huo wa mwaliko ni mrefu mno.',
  'Reset code is required.': 'Msimbo wa kuweka nenosiri upya unahitajika.',
  'Enter the code from the SMS.': 'Weka msimbo ulio kwenye SMS.',
  // Names.
  'First name': 'Jina la kwanza',
  'Last name': 'Jina la mwisho',
  'A name': 'Jina',
  "letters, ' - . and /": "herufi, ' - . na /",
  'letters, digits and . , & ( ) + / -': 'herufi, tarakimu na . , & ( ) + / -',
  '{label} is required.': '{label} linahitajika.',
  '{label} has at least {least} letters.': '{label} lisipungue herufi {least}.',
  '{label} has at most {most} letters.': '{label} lisizidi herufi {most}.',
  '{label} has characters that cannot be seen. Type it anew.': '{label} lina herufi zisizoonekana. Liandike upya.',
  '{label} cannot have a web address in it. After a dot there is a space.':
    '{label} lisiwe na anwani ya tovuti. Baada ya nukta weka nafasi.',
  '{label} has no digits.': '{label} lisiwe na tarakimu.',
  '{label} cannot have “{sign}” in it. Use {signs}.': '{label} lisiwe na “{sign}”. Tumia {signs}.',
  '{label} may have {most} digits at most.': '{label} lisizidi tarakimu {most}.',
  '{label} has letters.': '{label} liwe na herufi.',
  '{label} has too many accents on one letter.': '{label} lina alama nyingi mno kwenye herufi moja.',
  '{label} mixes the letters of two alphabets. Type it anew in one of them.':
    '{label} linachanganya herufi za alfabeti mbili. Liandike upya kwa moja pekee.',
  // Saccos, shares and the rest.
  'Say what is to change.': 'Sema kinachopaswa kubadilika.',
  'A step is at most Ksh. 1,000.': 'Hatua isizidi Ksh. 1,000.',
  'The least fee is at most Ksh. 50.': 'Ada ya chini isizidi Ksh. 50.',
  'Enter a whole ID number or phone.': 'Weka nambari kamili ya kitambulisho au simu.',
  'Enter an ID number or a phone.': 'Weka nambari ya kitambulisho au simu.',
  'Say why.': 'Sema kwa nini.',
  'Say why, in at least 5 characters.': 'Sema kwa nini, kwa herufi zisizopungua 5.',
  'Keep the reason within 500 characters.': 'Sababu isizidi herufi 500.',
  'Enter the code of the SMS.': 'Weka msimbo wa SMS.',
  'Keep the message within {most} characters.': 'Ujumbe usizidi herufi {most}.',
  'Write the message on one line.': 'Andika ujumbe kwa mstari mmoja.',
  'Leave links out: your referral link is added by itself.':
    'Usiweke viungo: kiungo chako cha mwaliko huongezwa chenyewe.',
  'A reward is at most Ksh. 10,000.': 'Zawadi isizidi Ksh. 10,000.',
  'Say what the sacco is for.': 'Sema sacco ni ya nini.',
  'Enter the registration number.': 'Weka nambari ya usajili.',
  'The registration fee is at most Ksh. 100,000.': 'Ada ya usajili isizidi Ksh. 100,000.',
  'A share is worth at most Ksh. 1,000,000.': 'Thamani ya hisa isizidi Ksh. 1,000,000.',
  'Say what was seen.': 'Sema kilichoonekana.',
  'Enter the number.': 'Weka nambari.',
  'There are two receipts. Paste one.': 'Kuna risiti mbili. Bandika moja.',
  'Enter the 10 characters of the M-Pesa transaction id.': 'Weka herufi 10 za nambari ya muamala wa M-Pesa.',
  'The committee decides Ksh. 50,000 to 1,000,000 alone.': 'Kamati inaamua Ksh. 50,000 hadi 1,000,000 peke yake.',
  'The manager decides Ksh. 50,000 alone at most.': 'Meneja anaamua peke yake hadi Ksh. 50,000, si zaidi.',
} as const;
