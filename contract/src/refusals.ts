interface RefusalKind {
  readonly status: number;
  /** Whether the very same request can succeed later without the person changing anything. */
  readonly retryable: boolean;
  /** The sentence that a person reads when the thrower gives none of its own, and its Swahili. */
  readonly message: string;
  readonly swahili: string;
}

const kind = <const Message extends string>(
  status: number,
  message: Message,
  swahili: string,
  retryable = false,
): RefusalKind & { readonly message: Message } => ({ status, retryable, message, swahili });

/**
 * The closed catalogue of refusals, in the order in which they are checked when several hold: the envelope of the
 * request first, then who asks, then what is asked for, then the rules of the domain. A domain adds its own here, in both languages. No schema
 * stands here: the web client's Swahili loads this file.
 */
export const refusals = {
  // The request itself.
  cross_site_request: kind(
    403,
    'That came from a page of another site. Open Ushirika itself and try again.',
    'Ombi hilo limetoka kwenye ukurasa wa tovuti nyingine. Fungua Ushirika yenyewe ujaribu tena.',
  ),
  too_many_requests: kind(
    429,
    'Too many requests. Wait a little and try again.',
    'Maombi ni mengi mno. Subiri kidogo kisha ujaribu tena.',
    true,
  ),
  unavailable: kind(
    503,
    'The service is busy. Try again in a moment.',
    'Huduma ina shughuli nyingi. Jaribu tena baada ya muda mfupi.',
    true,
  ),
  request_too_slow: kind(
    408,
    'The request took too long to arrive. Try again.',
    'Ombi lilichelewa mno kufika. Jaribu tena.',
    true,
  ),
  payload_too_large: kind(413, 'That is too large.', 'Hiyo ni kubwa mno.'),
  unsupported_media_type: kind(
    415,
    'That kind of content is not accepted here.',
    'Aina hiyo ya maudhui haikubaliki hapa.',
  ),
  malformed_request: kind(400, 'The request could not be read.', 'Ombi halikusomeka.'),
  validation_failed: kind(400, 'Some fields need attention.', 'Baadhi ya sehemu zinahitaji kurekebishwa.'),
  idempotency_key_reused: kind(
    409,
    'This Idempotency-Key was used for a different request.',
    'Idempotency-Key hii imetumika kwa ombi lingine.',
  ),
  // Who asks.
  not_signed_in: kind(401, 'Sign in to continue.', 'Ingia ili uendelee.'),
  session_ended: kind(401, 'Your session has ended. Sign in again.', 'Kipindi chako kimeisha. Ingia tena.'),
  invalid_credentials: kind(401, 'Invalid ID number or password', 'Nambari ya kitambulisho au nenosiri si sahihi'),
  account_suspended: kind(
    403,
    'Your account is suspended: you read, vote, complain and pay what you owe. Nothing else. Call Ushirika: we look at it with you.',
    'Akaunti yako imesimamishwa: unasoma, unapiga kura, unalalamika na kulipa unachodaiwa tu. Pigia Ushirika: tutaikagua pamoja nawe.',
  ),
  new_password_required: kind(
    403,
    'Your account was suspended. Set a new password first, with a code that comes to your phone.',
    'Akaunti yako ilisimamishwa. Kwanza weka nenosiri jipya, kwa msimbo unaokuja kwenye simu yako.',
  ),
  second_factor_required: kind(
    401,
    'Enter the code from your authenticator app.',
    'Weka msimbo kutoka kwenye programu yako ya uthibitishaji.',
  ),
  second_factor_invalid: kind(401, 'That code is not right or has been used.', 'Msimbo huo si sahihi au umeshatumika.'),
  // Of a withdrawal first, of an act that moves value to others last: of what cannot be done anyhow no proof is asked.
  proof_required: kind(403, 'Enter your password to go on.', 'Weka nenosiri lako ili uendelee.'),
  not_allowed: kind(403, 'You are not allowed to do this.', 'Huruhusiwi kufanya hivi.'),
  sacco_required: kind(400, 'Select Sacco!!', 'Chagua Sacco!!'),
  not_a_member: kind(403, 'You are not a member of this sacco.', 'Wewe si mwanachama wa sacco hii.'),
  // What is asked for.
  not_found: kind(404, 'Not found.', 'Haikupatikana.'),
  // Identity.
  user_type_not_allowed: kind(
    400,
    'Only client accounts can sign up or sign in here.',
    'Ni akaunti za wanachama pekee zinazoweza kujisajili au kuingia hapa.',
  ),
  account_held: kind(
    409,
    'For 24 hours after a password reset or a new phone, the phone and the authenticator app cannot be changed.',
    'Kwa saa 24 baada ya kuweka nenosiri upya au simu mpya, simu na programu ya uthibitishaji haziwezi kubadilishwa.',
    true,
  ),
  current_password_wrong: kind(400, 'Your current password is not right.', 'Nenosiri lako la sasa si sahihi.'),
  password_too_weak: kind(
    400,
    'Password has not satisfied the required specs',
    'Nenosiri halijatimiza masharti yanayohitajika',
  ),
  reset_code_invalid: kind(
    400,
    'That reset code is not valid or has expired.',
    'Msimbo huo si sahihi au muda wake umeisha.',
  ),
  phone_taken: kind(
    409,
    'Another account has confirmed that number. Enter another one under Profile.',
    'Akaunti nyingine imethibitisha nambari hiyo. Weka nyingine kwenye Wasifu.',
  ),
  phone_unconfirmed: kind(409, 'Confirm your phone number first.', 'Thibitisha nambari yako ya simu kwanza.'),
  phone_code_invalid: kind(400, 'That code is not valid or has expired.', 'Msimbo huo si sahihi au muda wake umeisha.'),
  phone_already_confirmed: kind(
    409,
    'This phone number is already confirmed.',
    'Nambari hii ya simu imeshathibitishwa.',
  ),
  second_factor_enrolment_required: kind(
    403,
    'Set up an authenticator app under settings before acting in your office.',
    'Weka programu ya uthibitishaji kwenye mipangilio kabla ya kutumia wadhifa wako.',
  ),
  second_factor_conflict: kind(
    409,
    'The authenticator app is not in a state that allows this.',
    'Programu ya uthibitishaji haiko katika hali inayoruhusu hili.',
  ),
  otp_not_accepted: kind(400, 'That code is not right or has been used.', 'Msimbo huo si sahihi au umeshatumika.'),
  own_card: kind(422, 'Somebody else sees your own ID card.', 'Mtu mwingine ndiye anayeona kitambulisho chako.'),
  card_not_of_account: kind(422, 'That is not the number of this account.', 'Hiyo si nambari ya akaunti hii.'),
  identity_check_conflict: kind(
    409,
    'That is recorded already, or was taken back.',
    'Hilo limeshaandikwa, au limeondolewa.',
  ),
  identity_checks_limit_reached: kind(
    429,
    'You have recorded 100 ID cards in a day. Go on tomorrow.',
    'Umeandika vitambulisho 100 kwa siku moja. Endelea kesho.',
    true,
  ),
  payout_held: kind(
    409,
    'Withdrawals are held for 24 hours after a change of password or phone.',
    'Kutoa pesa kumezuiwa kwa saa 24 baada ya kubadilisha nenosiri au simu.',
    true,
  ),
  // Money.
  insufficient_funds: kind(422, 'Not enough money in your wallet.', 'Pesa hazitoshi kwenye pochi yako.'),
  balance_limit_exceeded: kind(
    422,
    'That would take the account past its limit.',
    'Hilo lingevuka kikomo cha akaunti.',
  ),
  account_closed: kind(422, 'That account is closed.', 'Akaunti hiyo imefungwa.'),
  amount_not_whole_shillings: kind(
    400,
    'M-Pesa moves whole shillings only. Enter an amount without cents.',
    'M-Pesa huhamisha shilingi kamili pekee. Weka kiasi bila senti.',
  ),
  amount_out_of_range: kind(
    400,
    'Enter an amount between Ksh. 1 and Ksh. 250,000.',
    'Weka kiasi kati ya Ksh. 1 na Ksh. 250,000.',
  ),
  phone_not_kenyan: kind(
    400,
    'Mobile money goes to Kenyan numbers only, such as 254712345678 or 0712345678.',
    'Pesa za simu hutumwa kwa nambari za Kenya pekee, kama 254712345678 au 0712345678.',
  ),
  phone_not_yours: kind(
    403,
    'Withdrawals go to your own confirmed phone number only.',
    'Pesa hutolewa kwa nambari yako ya simu iliyothibitishwa pekee.',
  ),
  withdrawal_limit_reached: kind(
    429,
    'That is more than may be withdrawn in a day. Try again tomorrow.',
    'Hiyo ni zaidi ya inayoweza kutolewa kwa siku. Jaribu tena kesho.',
    true,
  ),
  phone_holder_not_asked: kind(
    403,
    'That phone is not yours. Ask its owner for the code that we send to it, once.',
    'Simu hiyo si yako. Mwombe mwenyewe msimbo tunaoutuma kwake, mara moja tu.',
  ),
  payer_known: kind(
    409,
    'That phone may pay into your wallet already.',
    'Simu hiyo tayari inaweza kulipa kwenye pochi yako.',
  ),
  deposit_in_progress: kind(
    409,
    'Your last request to that phone is still open. Wait a minute, then try again.',
    'Ombi lako la mwisho kwa simu hiyo bado liko wazi. Subiri dakika moja, kisha ujaribu tena.',
    true,
  ),
  receipt_already_claimed: kind(
    409,
    'That M-Pesa receipt has already been credited.',
    'Risiti hiyo ya M-Pesa tayari imeingizwa.',
  ),
  too_many_claims: kind(
    429,
    'You have 20 receipts being checked. Wait until they are settled.',
    'Una risiti 20 zinazokaguliwa. Subiri hadi zimalizike.',
    true,
  ),
  // Saccos and membership.
  sacco_inactive: kind(422, 'This sacco is not active.', 'Sacco hii haitumiki.'),
  sacco_name_taken: kind(
    409,
    'A sacco with that name or registration number is already registered.',
    'Sacco yenye jina au nambari hiyo ya usajili tayari imesajiliwa.',
  ),
  sacco_state_conflict: kind(409, 'The sacco is not in a state that allows this.', 'Hali ya sacco hairuhusu hili.'),
  terms_changed: kind(
    409,
    'The terms of this sacco have changed. Look at the new amounts and confirm again.',
    'Masharti ya sacco hii yamebadilika. Angalia viwango vipya na uthibitishe tena.',
  ),
  already_a_member: kind(409, 'You are already a member of this sacco.', 'Tayari wewe ni mwanachama wa sacco hii.'),
  minimum_shares_not_met: kind(
    422,
    'The first purchase must reach the minimum number of shares.',
    'Ununuzi wa kwanza lazima ufikie idadi ya chini ya hisa.',
  ),
  one_fifth_exceeded: kind(
    422,
    'No member may hold more than one fifth of the shares.',
    'Hakuna mwanachama anayeweza kumiliki zaidi ya moja ya tano ya hisa.',
  ),
  // The share market.
  trading_blocked: kind(
    422,
    'You cannot trade shares of this sacco now.',
    'Huwezi kununua wala kuuza hisa za sacco hii sasa.',
  ),
  order_closed: kind(409, 'That order is no longer open.', 'Agizo hilo haliko wazi tena.'),
  offer_gone: kind(
    409,
    'That offer is gone. Look at the offers again.',
    'Agizo hilo la kuuza halipo tena. Angalia mengine.',
  ),
  price_not_allowed: kind(
    422,
    'That price is outside what this sacco allows.',
    'Bei hiyo iko nje ya inayoruhusiwa na sacco hii.',
  ),
  lot_mismatch: kind(422, 'Orders are whole lots of shares.', 'Maagizo ni mafungu kamili ya hisa.'),
  expiry_not_allowed: kind(422, 'An order may wait for 90 days at most.', 'Agizo halisubiri zaidi ya siku 90.'),
  open_orders_limit_reached: kind(
    422,
    'You have 50 open orders here. Cancel one first.',
    'Una maagizo 50 yaliyo wazi hapa. Futa moja kwanza.',
  ),
  insufficient_shares: kind(422, 'You do not have that many free shares.', 'Huna hisa huru nyingi hivyo.'),
  minimum_holding: kind(
    422,
    'Keep at least the minimum shares, or give notice to leave.',
    'Baki na angalau kiwango cha chini cha hisa, au toa notisi ya kuondoka.',
  ),
  self_trade: kind(
    422,
    'That would buy your own shares. Cancel your other order first.',
    'Hilo lingenunua hisa zako mwenyewe. Futa agizo lako lingine kwanza.',
  ),
  alert_conflict: kind(409, 'You have that alert already, or ten others.', 'Tayari una arifa hiyo, au nyingine kumi.'),
  amount_mismatch: kind(
    409,
    'The amount does not match the shares and their value.',
    'Kiasi hakilingani na idadi na thamani ya hisa.',
  ),
  standing_order_conflict: kind(
    409,
    'There is already a standing order for this sacco.',
    'Tayari una akiba ya kila mwezi katika sacco hii.',
  ),
  full_rights_required: kind(422, 'That is for members in full rights only.', 'Hilo ni la wanachama kamili pekee.'),
  rating_too_early: kind(
    422,
    'Members may rate a sacco after 90 days of membership.',
    'Wanachama wanaweza kuipa sacco nyota baada ya siku 90 za uanachama.',
  ),
  exit_conflict: kind(409, 'An exit request is already open.', 'Tayari umetoa notisi ya kuondoka.'),
  too_many_notices: kind(
    429,
    'You have given notice here twice within 90 days.',
    'Umetoa notisi hapa mara mbili ndani ya siku 90.',
    true,
  ),
  office_conflict: kind(409, 'That office is already held.', 'Wadhifa huo tayari una mtu.'),
  change_conflict: kind(
    409,
    'Another change waits, or this one is decided already.',
    'Badiliko lingine linasubiri, au hili limeshaamuliwa.',
  ),
  changes_limit_reached: kind(
    429,
    'That was proposed five times in a day. Try again tomorrow.',
    'Hilo limependekezwa mara tano kwa siku moja. Jaribu tena kesho.',
    true,
  ),
  second_official_required: kind(409, 'A second official must confirm this.', 'Afisa wa pili lazima athibitishe hili.'),
  logo_not_accepted: kind(
    400,
    'The logo must be a PNG, JPEG or WebP picture of at most 2 MB.',
    'Nembo lazima iwe picha ya PNG, JPEG au WebP isiyozidi MB 2.',
  ),
  // Referrals.
  invitation_limit_reached: kind(429, 'You can send 5 invitations a day.', 'Unaweza kutuma mialiko 5 kwa siku.', true),
  invitation_already_sent: kind(409, 'You have invited that number today already.', 'Umeshaialika nambari hiyo leo.'),
  // Guarantor pools.
  pool_name_taken: kind(409, 'A pool with that name already exists.', 'Kikundi chenye jina hilo tayari kipo.'),
  pools_forming_limit_reached: kind(
    422,
    'You have 10 pools that are still forming. Let one open first.',
    'Una vikundi 10 ambavyo bado vinaundwa. Acha kimoja kifunguliwe kwanza.',
  ),
  pool_already_reviewed: kind(409, 'That pool has been reviewed already.', 'Kikundi hicho tayari kimekaguliwa.'),
  not_a_pool_member: kind(
    403,
    'The members of a pool are shown to its members only.',
    'Wanachama wa kikundi huonyeshwa kwa wanachama wake pekee.',
  ),
  pool_state_conflict: kind(
    409,
    'The pool is not in a state that allows this. Look again.',
    'Hali ya kikundi hairuhusu hili. Angalia tena.',
  ),
  already_in_pool: kind(409, 'You are a member of this pool already.', 'Tayari wewe ni mwanachama wa kikundi hiki.'),
  pool_amount_not_allowed: kind(
    422,
    'The pool’s terms do not allow that amount.',
    'Masharti ya kikundi hayaruhusu kiasi hicho.',
  ),
  pool_withdrawal_conflict: kind(
    409,
    'That notice is paid or cancelled already.',
    'Notisi hiyo tayari imelipwa au imefutwa.',
  ),
  pool_request_limit_reached: kind(
    429,
    'You have asked this pool ten times in a day. Try again tomorrow.',
    'Umeomba kikundi hiki mara kumi kwa siku. Jaribu tena kesho.',
    true,
  ),
  pool_request_conflict: kind(
    409,
    'The request is not in a state that allows this. Look again.',
    'Hali ya ombi hairuhusu hili. Angalia tena.',
  ),
  pool_quote_changed: kind(
    409,
    'The terms are not those that you saw. Look at them again.',
    'Masharti si yale uliyoyaona. Yaangalie tena.',
  ),
  signature_mismatch: kind(
    422,
    'Type your name as your account has it.',
    'Andika jina lako kama lilivyo kwenye akaunti yako.',
  ),
  guarantee_declined: kind(422, 'The pool cannot guarantee this now.', 'Kikundi hakiwezi kudhamini hili kwa sasa.'),
  pool_contract_conflict: kind(
    409,
    'The guarantee is not in a state that allows this. Look again.',
    'Hali ya dhamana hairuhusu hili. Angalia tena.',
  ),
  // Loans.
  loan_terms_not_met: kind(422, 'The terms of this loan do not allow that.', 'Masharti ya mkopo huu hayaruhusu hilo.'),
  loan_limit_exceeded: kind(422, 'That is above what you can borrow now.', 'Hiyo ni zaidi ya unachoweza kukopa sasa.'),
  loan_not_covered: kind(
    422,
    'Savings and signed guarantees do not cover this loan yet.',
    'Akiba na dhamana zilizotiwa sahihi bado hazitoshi kwa mkopo huu.',
  ),
  guarantor_not_accepted: kind(
    422,
    'That member cannot guarantee this loan.',
    'Mwanachama huyo hawezi kudhamini mkopo huu.',
  ),
  sacco_funds_insufficient: kind(422, 'The sacco does not have the money at hand.', 'Sacco haina pesa hizo kwa sasa.'),
  loan_overpaid: kind(422, 'That is more than is owed.', 'Hiyo ni zaidi ya deni.'),
  loan_terms_changed: kind(
    409,
    'The terms are not those that you saw. Look at them again.',
    'Masharti si yale uliyoyaona. Yaangalie tena.',
  ),
  guarantee_conflict: kind(
    409,
    'The guarantee is not in a state that allows this. Look again.',
    'Hali ya dhamana hairuhusu hili. Angalia tena.',
  ),
  loan_conflict: kind(
    409,
    'The loan is not in a state that allows this. Look again.',
    'Hali ya mkopo hairuhusu hili. Angalia tena.',
  ),
  check_off_lines_wrong: kind(
    422,
    'Some lines of the list are wrong. Mend them and send it again.',
    'Baadhi ya mistari ya orodha ina makosa. Irekebishe kisha uitume tena.',
  ),
  check_off_payer_unknown: kind(
    422,
    'Nobody has confirmed that phone number. The payer registers and confirms it first.',
    'Hakuna aliyethibitisha nambari hiyo ya simu. Mlipaji ajisajili na aithibitishe kwanza.',
  ),
  check_off_limit_reached: kind(
    429,
    'This payer has too many lists of your sacco that are not paid. Wait until one is over.',
    'Mlipaji huyu ana orodha nyingi mno za sacco yako ambazo hazijalipwa. Subiri moja iishe.',
    true,
  ),
  check_off_conflict: kind(
    409,
    'The check-off is not in a state that allows this. Look again.',
    'Hali ya makato ya mshahara hairuhusu hili. Angalia tena.',
  ),
  recovery_too_early: kind(
    422,
    'It is too early for this step. The recovery page says from when on it may be taken.',
    'Ni mapema mno kwa hatua hii. Ukurasa wa ukusanyaji wa deni unaonyesha inaweza kuchukuliwa kuanzia lini.',
  ),
  // Complaints.
  complaints_limit_reached: kind(
    429,
    'You have 3 open complaints about this sacco. Wait until one is over.',
    'Una malalamiko 3 ambayo hayajaisha kuhusu sacco hii. Subiri moja liishe.',
    true,
  ),
  complaint_conflict: kind(
    409,
    'The complaint is not in a state that allows this. Look again.',
    'Hali ya lalamiko hairuhusu hili. Angalia tena.',
  ),
  picture_not_accepted: kind(
    400,
    'The picture must be a PNG, JPEG or WebP of at most 2 MB.',
    'Picha lazima iwe PNG, JPEG au WebP isiyozidi MB 2.',
  ),
  // Votes.
  vote_conflict: kind(
    409,
    'The vote is not in a state that allows this. Look again.',
    'Hali ya kura hairuhusu hili. Angalia tena.',
  ),
  not_on_roll: kind(
    422,
    'You are not on the roll of this vote: it was fixed when the vote was published.',
    'Humo kwenye orodha ya wapiga kura: iliwekwa kura ilipotangazwa.',
  ),
  ballot_invalid: kind(
    422,
    'This ballot does not carry the signature of this vote.',
    'Kura hii haina saini ya upigaji kura huu.',
  ),
  votes_limit_reached: kind(
    409,
    'Too many votes are under way. Wait until one is over.',
    'Kura nyingi zinaendelea. Subiri mojawapo iishe.',
  ),
  // Dividends.
  dividend_conflict: kind(
    409,
    'The year is not in a state that allows this. Look again.',
    'Hali ya mwaka huo hairuhusu hili. Angalia tena.',
  ),
  // Operator.
  exception_already_resolved: kind(409, 'That exception has been resolved already.', 'Jambo hilo limeshatatuliwa.'),
  second_operator_required: kind(
    409,
    'A second operator must confirm this.',
    'Mwendeshaji wa pili lazima athibitishe.',
  ),
  suspension_not_allowed: kind(
    422,
    'Neither you nor another operator can be suspended here.',
    'Wewe wala mwendeshaji mwingine hamwezi kusimamishwa hapa.',
  ),
  suspension_conflict: kind(
    409,
    'The account is not in a state that allows this. Look again.',
    'Hali ya akaunti hairuhusu hili. Angalia tena.',
  ),
  suspension_limit_reached: kind(
    429,
    'You have suspended 20 accounts in a day. Another operator goes on.',
    'Umesimamisha akaunti 20 kwa siku. Mwendeshaji mwingine aendelee.',
    true,
  ),
  proposal_closed: kind(409, 'That proposal is not open any more.', 'Pendekezo hilo haliko wazi tena.'),
  payer_objected: kind(
    409,
    'The payer objected. The money can go to whose phone paid, or back.',
    'Mlipaji amepinga. Pesa zinaweza kwenda kwa mwenye simu iliyolipa, au kurudishwa.',
  ),
  // Ourselves.
  unknown_outcome: kind(
    503,
    'We could not tell whether that went through. Try again: it will not happen twice.',
    'Hatukuweza kujua kama imefanikiwa. Jaribu tena: haitafanyika mara mbili.',
    true,
  ),
  internal_error: kind(500, 'Something Went wrong, try again later.', 'Hitilafu imetokea, jaribu tena baadaye.', true),
} as const satisfies Record<string, RefusalKind>;

export type RefusalCode = keyof typeof refusals;

/** Those that any route may answer with, whatever it declares. */
export const sharedRefusals = [
  'cross_site_request',
  'too_many_requests',
  'unavailable',
  'request_too_slow',
  'payload_too_large',
  'unsupported_media_type',
  'malformed_request',
  'validation_failed',
  'not_found',
  'unknown_outcome',
  'internal_error',
] as const satisfies RefusalCode[];
