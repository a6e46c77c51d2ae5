/** The share market's sentences: the English ICU text, and its Swahili. */
export const marketTexts = {
  // Refusals.
  'Join {name} before you trade its shares.': 'Jiunge na {name} kabla ya kununua au kuuza hisa zake.',
  'You have given notice to {name}: you can sell shares there, and buy none.':
    'Umetoa notisi ya kuondoka {name}: unaweza kuuza hisa huko, lakini huwezi kununua.',
  'Shares are not bought or sold for 24 hours after a change of password or phone. You can still cancel your orders.':
    'Hisa hazinunuliwi wala kuuzwa kwa saa 24 baada ya kubadilisha nenosiri au simu. Bado unaweza kufuta maagizo yako.',
  'The rules of this market have changed since you looked. See the new ones and confirm again.':
    'Kanuni za soko hili zimebadilika tangu ulipoangalia. Tazama kanuni mpya kisha uthibitishe tena.',
  'Shares are traded here by {lot}: {lot}, {twice} and so on.':
    'Hapa hisa huuzwa kwa mafungu ya {lot}: {lot}, {twice} na kuendelea.',
  'That time is past already. Choose a later one.': 'Wakati huo umeshapita. Chagua wa baadaye.',
  'An order here waits for {days} at most.': 'Agizo hapa halisubiri zaidi ya {days}.',
  'You have {shares} of {name} that you can sell.': 'Una {shares} za {name} unazoweza kuuza.',
  'Members keep at least {shares} of {name}: you can sell at most {most} now. Who gives notice to leave may sell all.':
    'Wanachama hubaki na angalau {shares} za {name}: sasa unaweza kuuza hadi {most}. Anayetoa notisi ya kuondoka anaweza kuuza zote.',
  'Members keep at least {shares} of {name}: you can sell none now. Who gives notice to leave may sell all.':
    'Wanachama hubaki na angalau {shares} za {name}: sasa huwezi kuuza hata moja. Anayetoa notisi ya kuondoka anaweza kuuza zote.',
  'Not enough money in your wallet: this order needs {needed}, its fee included, and you have {available}.':
    'Pesa hazitoshi kwenye pochi yako: agizo hili linahitaji {needed} pamoja na ada, nawe una {available}.',
  'You have {n} alerts waiting here. Take one back first.': 'Una arifa {n} zinazosubiri hapa. Ondoa moja kwanza.',
  'You have an alert at {price} already.': 'Tayari una arifa ya {price}.',
  '{name} is not active: its shares are not traded now.': '{name} haitumiki: hisa zake haziuzwi kwa sasa.',
  'Shares are traded at their value here: {value}.': 'Hapa hisa huuzwa kwa thamani yake: {value}.',
  'Prices here are from {floor} to {ceiling}, in steps of {tick}.':
    'Bei hapa ni kuanzia {floor} hadi {ceiling}, kwa hatua za {tick}.',
  'A lot is at most {most} here, the minimum shares: else members could not sell.':
    'Fungu hapa lisizidi hisa {most}, kiwango cha chini cha hisa: la sivyo wanachama wangeshindwa kuuza.',
  'There is no such offer.': 'Hakuna agizo kama hilo la kuuza.',
  'There is no such order.': 'Hakuna agizo kama hilo.',
  'That is your own offer.': 'Hilo ni agizo lako mwenyewe la kuuza.',
  '{n} are traded already: keep more than that, or cancel what is left.':
    'Hisa {n} tayari zimenunuliwa au kuuzwa: weka zaidi ya hizo, au futa zilizobaki.',
  'That order has expired.': 'Muda wa agizo hilo umekwisha.',
  'That order is filled.': 'Agizo hilo limetimizwa.',
  'That order is cancelled.': 'Agizo hilo limefutwa.',
  'That would buy your own shares: you offer some at that price or below. Cancel that order first.':
    'Hilo lingenunua hisa zako mwenyewe: unauza baadhi kwa bei hiyo au chini. Futa agizo hilo kwanza.',
  'That would sell to yourself: you have an order to buy at that price or above. Cancel that order first.':
    'Hilo lingekuuzia wewe mwenyewe: una agizo la kununua kwa bei hiyo au zaidi. Futa agizo hilo kwanza.',
  // Replies.
  'You will be told when shares are offered at {price} or less.': 'Utaarifiwa hisa zikiuzwa kwa {price} au chini.',
  'The alert is taken back.': 'Arifa imeondolewa.',
  'Proposed. Another official must confirm it.': 'Imependekezwa. Afisa mwingine lazima athibitishe.',
  'Your order is changed.': 'Agizo lako limebadilishwa.',
  'Your order is cancelled. The shares that it held are free.': 'Agizo lako limefutwa. Hisa lilizoshikilia ziko huru.',
  'Your order is cancelled. The money that it held is back in your wallet.':
    'Agizo lako limefutwa. Pesa lilizoshikilia zimerudi kwenye pochi yako.',
  'Your order to buy {shares} at {price} waits in the book.':
    'Agizo lako la kununua {shares} kwa {price} linasubiri kwenye daftari.',
  'Your order to sell {shares} at {price} waits in the book.':
    'Agizo lako la kuuza {shares} kwa {price} linasubiri kwenye daftari.',
  'You have bought {shares}.': 'Umenunua {shares}.',
  'You have sold {shares}.': 'Umeuza {shares}.',
  'You have bought {shares}. {left} more wait in the book at {price}.':
    'Umenunua {shares}. {left} zaidi zinasubiri kwenye daftari kwa {price}.',
  'You have sold {shares}. {left} more wait in the book at {price}.':
    'Umeuza {shares}. {left} zaidi zinasubiri kwenye daftari kwa {price}.',
  'Order to buy {shares} of {name}: {parts}': 'Agizo la kununua {shares} za {name}: {parts}',
  'Order to sell {shares} of {name}: {parts}': 'Agizo la kuuza {shares} za {name}: {parts}',
  '{n} bought': '{n} zimenunuliwa',
  '{n} sold': '{n} zimeuzwa',
  '{n} waiting': '{n} zinasubiri',
  // Notices.
  'Your order to buy {shares} of {name} at {price} is closed: {why}. Its money is back in your wallet.':
    'Agizo lako la kununua {shares} za {name} kwa {price} limefungwa: {why}. Pesa zake zimerudi kwenye pochi yako.',
  'Your order to sell {shares} of {name} at {price} is closed: {why}. Its shares are free.':
    'Agizo lako la kuuza {shares} za {name} kwa {price} limefungwa: {why}. Hisa zake ziko huru.',
  'its time is over': 'muda wake umekwisha',
  'it no longer fits the new rules of the market': 'halifuati kanuni mpya za soko',
  'you would have held more than one fifth of the shares': 'ungemiliki zaidi ya moja ya tano ya hisa',
  'you would have kept fewer than the minimum shares': 'ungebaki na hisa chini ya kiwango cha chini',
  'you are leaving the sacco': 'unaondoka kwenye sacco',
  'you cannot trade shares there now': 'huwezi kununua wala kuuza hisa huko kwa sasa',
  '{n} of your orders in {name} were filled: {parts}.': 'Maagizo yako {n} katika {name} yametimizwa: {parts}.',
  '{n} of your orders were filled: {parts}.': 'Maagizo yako {n} yametimizwa: {parts}.',
  '{shares} sold for {amount}': 'umeuza {shares} kwa {amount}',
  '{shares} bought for {amount}': 'umenunua {shares} kwa {amount}',
  'You have sold {shares} of {name} for {amount}.': '{name}: umeuza {shares} kwa {amount}.',
  'You have bought {shares} of {name} for {amount}.': '{name}: umenunua {shares} kwa {amount}.',
  '{n} more wait in the book.': '{n} zaidi zinasubiri kwenye daftari.',
  'Shares of {name} are offered at {offered}. You asked to be told at {wanted} or below.':
    'Hisa za {name} zinauzwa kwa {offered}. Uliomba kuarifiwa kwa {wanted} au chini.',
  'Two members of {name} sold {shares} back to one another within a week. These trades do not move the price. Who they are is under Share Trading.':
    'Wanachama wawili wa {name} wameuziana tena {shares} ndani ya wiki moja. Mauzo hayo hayabadilishi bei. Majina yao yako kwenye Biashara ya Hisa.',
  '{n} pairs of members of {name} sold {shares} back to one another within a week. These trades do not move the price. Who they are is under Share Trading.':
    'Jozi {n} za wanachama wa {name} wameuziana tena {shares} ndani ya wiki moja. Mauzo hayo hayabadilishi bei. Majina yao yako kwenye Biashara ya Hisa.',
  // A change of the market's rules.
  'the rules of your share market': 'kanuni za soko lenu la hisa',
  '{name}: the rules of the share market change from {at}. {changes} {fate}':
    '{name}: kanuni za soko la hisa zitabadilika kuanzia {at}. {changes} {fate}',
  'Your open orders keep the fee they were placed with; those that no longer fit will be closed, and what they hold will be free.':
    'Maagizo yako yaliyo wazi yanabaki na ada yake; yasiyofuata kanuni mpya yatafungwa, na pesa au hisa zilizoshikiliwa zitakuwa huru.',
  'Your open orders stay, and keep the fee they were placed with.':
    'Maagizo yako yaliyo wazi yanabaki, na ada yake pia.',
  '{name}: the new rules of the share market that were to begin on {at} do not come. The rules stay as they are, and no order is closed for them.':
    '{name}: kanuni mpya za soko la hisa zilizotarajiwa kuanza {at} hazitakuja. Kanuni zinabaki zilivyo, na hakuna agizo litakalofungwa kwa sababu yake.',
  'The fee will be {fee}.': 'Ada itakuwa {fee}.',
  'The least fee of an order will be {least}.': 'Ada ya chini ya agizo itakuwa {least}.',
  'Prices will go in steps of {tick}.': 'Bei zitakwenda kwa hatua za {tick}.',
  'An order will wait {days} at most.': 'Agizo litasubiri {days} tu.',
  'Shares will be traded at their value only, {value}.': 'Hisa zitauzwa kwa thamani yake tu, {value}.',
  'Prices will be from {floor} to {ceiling}.': 'Bei zitakuwa kuanzia {floor} hadi {ceiling}.',
  'Any number of shares will be traded.': 'Hisa zitauzwa kwa idadi yoyote.',
  'Shares will be traded in lots of {lot}.': 'Hisa zitauzwa kwa mafungu ya {lot}.',
  'The market will be closed: open orders wait, and can be cancelled.':
    'Soko litafungwa: maagizo yaliyo wazi yatasubiri, na yanaweza kufutwa.',
  '{name}: the share market is closed from now on. Your open orders wait. You can cancel them.':
    '{name}: soko la hisa limefungwa kuanzia sasa. Maagizo yako yaliyo wazi yanasubiri. Unaweza kuyafuta.',
  '{name}: the share market is open again. Your open orders can be filled.':
    '{name}: soko la hisa limefunguliwa tena. Maagizo yako yaliyo wazi yanaweza kutimizwa.',
  'The market will be open again.': 'Soko litafunguliwa tena.',
  'The share market of {name} is closed: nobody buys or sells shares of other members now.':
    'Soko la hisa la {name} limefungwa: hakuna anayenunua au kuuza hisa za wanachama wengine sasa.',
  'the terms of your sacco': 'masharti ya sacco yako',
  'Shares are traded in lots of {lot}: the minimum shares cannot be fewer. Vote on the lot first.':
    'Hisa zinauzwa kwa mafungu ya {lot}: kiwango cha chini cha hisa hakiwezi kupungua chini ya hapo. Pigieni kura fungu kwanza.',
  'Only {holding} of the {able} members who could vote hold {shares}. Two thirds must hold a new minimum already.':
    'Kati ya wanachama {able} wanaoweza kupiga kura, ni {holding} tu wanaoshikilia {shares}. Theluthi mbili lazima wawe wanashikilia kiwango kipya tayari.',
  '{name}: members hold at least {shares} from now on. Buy {missing} more by {until}: until then you keep your full rights.':
    '{name}: kuanzia sasa wanachama wanashikilia angalau {shares}. Nunua {missing} zaidi kufikia {until}: hadi wakati huo unabaki mwanachama kamili.',
} as const;
