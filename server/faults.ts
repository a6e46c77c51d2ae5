/** Where the harnesses of `prove/` may let something go wrong that a network or a database does rarely. */
export type FaultPoint =
  /** The pool hands out a connection that had broken: no transaction begins. */
  | 'begin_lost'
  /** The transaction stands for a while before its COMMIT, holding its locks. */
  | 'commit_slow'
  /** The connection dies before COMMIT is sent. */
  | 'commit_never_sent'
  /** COMMIT succeeds, and its answer never comes. */
  | 'commit_reply_lost'
  /** The provider is not reached. */
  | 'gateway_unreached'
  /** The provider acts, and its answer never comes. */
  | 'gateway_answer_lost'
  /** The provider acts, and answers with a fault of its own. */
  | 'gateway_fault';

/**
 * Whether the fault of a point happens now: never. What the code imports as `#faults` is this file, unless the process
 * was started with `--conditions=proving`; then it is `faults.proving.ts`, and no other process ever loads that one.
 */
export const buggify = (_point: FaultPoint): boolean => false;

/**
 * The rules against abuse that a control of `prove/abuse/` leaves out, to see its story succeed. One name a rule; the
 * code that applies the rule asks `isGuarded` with it.
 */
export type Guard =
  /** Stewards decide with own money in the pool, and two of them above the automatic limit. */
  | 'pools.own_money_decides'
  | 'pools.suspension_lapses'
  /** What a session may not do without the password once it is a quarter of an hour old. */
  | 'fresh_password'
  /** What changes something is not taken from the page of another site. */
  | 'own_pages_only'
  /** Failures on a device where the owner has signed in are counted apart. */
  | 'known_devices_apart'
  /** The receipt of a ballot, a guarantee or an office is shown to the member whom it is about. */
  | 'proofs.own_receipts'
  /** A log is halted where its tree is damaged, and not where a connection broke as it was read. */
  | 'proofs.damage_alone'
  /** Paid by hand, only a confirmed phone and a number that we issued name a wallet. */
  | 'issued_account_numbers'
  /** Whose account is suspended does nothing in a session. */
  | 'suspended_accounts_rest'
  /** A password of before a suspension opens no session. */
  | 'new_password_after_suspension'
  /** People whose account is suspended vote. */
  | 'suspended_accounts_vote'
  /** A person named by operators takes no office while one operator alone keeps officials from refusing. */
  | 'saccos.heard_before_named'
  /** Another operator's suspension is lifted by two. */
  | 'lifted_by_two'
  /** How many SMS go to a phone, by an account and on a day. */
  | 'sms_bounds'
  /** News by SMS to confirmed phones alone. */
  | 'sms_to_confirmed_phones'
  /** SMS to the countries of SMS_COUNTRIES alone. */
  | 'sms_countries'
  /** How often an account may change its phone. */
  | 'phone_changes'
  /** A number that another account has written into its profile, and not confirmed, is free. */
  | 'unconfirmed_phones_are_free'
  /** A name in an SMS is that of a person, and of nobody else. */
  | 'checked_names_in_sms'
  /** The name of a sacco that no operator has looked at is in no SMS. */
  | 'reviewed_names_in_sms'
  /** One message for what a member traded in a quarter of an hour. */
  | 'bundled_trades'
  /** An order is not carried out at worse terms than its member was shown. */
  | 'terms_as_shown'
  /** A lot is at most the minimum shares. */
  | 'lot_within_minimum'
  /** Who has proposed a change of terms does not confirm it. */
  | 'second_official'
  /** The limit of one fifth holds on once ten members have held the minimum shares. */
  | 'one_fifth_stays'
  /** An order to buy of a provisional member is not made smaller than a first purchase. */
  | 'first_order_stays_whole'
  /** So many notices to leave of one membership within 90 days. */
  | 'notices_bounded'
  /** Only members in full rights rate. */
  | 'full_rights_rate'
  /** Members know the other side of a trade by a handle alone. */
  | 'handles'
  /** Trades to and fro, between related members, of one pair alone, and small ones print no price. */
  | 'figures_of_many'
  /** The prompts that a phone gets from others than its owner are counted, whoever they are. */
  | 'prompts_by_phone'
  /** The codes that come to a phone because others want to send prompts there are counted. */
  | 'codes_to_other_phones'
  /** The withdrawals of a person and a day are counted and added up. */
  | 'withdrawals_a_day'
  /** Two names that look alike are one name: only the first sacco or pool gets it. */
  | 'names_that_look_alike'
  /** Names of companies, authorities and the platform are not for saccos, pools and people. */
  | 'reserved_names'
  /** No official has an operator's name. */
  | 'operators_names'
  /** An official's new name waits for another official. */
  | 'official_names'
  /** Strangers see a pool once an operator has approved it, or five members stand behind it. */
  | 'pools_are_reviewed'
  /** Of a sacco that waits for its activation strangers see its name alone. */
  | 'saccos_are_reviewed'
  /** What such a session may not move to other people without the password. */
  | 'value_moved_by_old_session'
  /** What shares were sold for stays on the platform for a day. */
  | 'proceeds_held'
  /** Who proposed something at the operator's desk does not confirm it. */
  | 'second_operator'
  /** Money goes to somebody else than its payer only after the payer had time to object. */
  | 'payer_may_object'
  /** Rewards of a month are at most the earned fees of the month before. */
  | 'rewards_a_month'
  /** No operator decides about a sacco of their own. */
  | 'own_sacco'
  /** No operator suspends a sacco again within 90 days after a suspension of it ended. */
  | 'suspended_again'
  /** A domain's own, by the domain's name: `complaints.limits`. Where a name is wrong, its control does not turn red. */
  | `${string}.${string}`;

/** Whether a rule against abuse is applied: always, outside the processes of `prove/` (as `buggify`). */
export const isGuarded = (_guard: Guard): boolean => true;
