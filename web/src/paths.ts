/** Every address of the web client, but for those of a domain's own pages, which its folder has. Links are made here and there. */
export const paths = {
  home: () => '/',
  saccos: () => '/saccos',
  saccosList: () => '/saccos-list',
  sacco: (id: string) => `/saccos/${encodeURIComponent(id)}`,
  /** The log of the platform's books; a sacco's is under its own page. */
  log: () => '/log',
  pools: () => '/pools',
  guarantorPools: () => '/guarantor-pools',
  guarantorPool: (id: string) => `/guarantor-pools/${encodeURIComponent(id)}`,
  referrals: () => '/referrals',
  votingProposals: () => '/voting-proposals',
  votingProposal: (id: string) => `/voting-proposals/${encodeURIComponent(id)}`,
  shareTrading: () => '/share-trading',
  login: () => '/auth/login',
  register: (referralCode?: string) =>
    referralCode ? `/auth/register?ref=${encodeURIComponent(referralCode)}` : '/auth/register',
  forgotPassword: () => '/auth/forgot-password',
  resetPassword: () => '/auth/reset-password',
  mySaccos: () => '/my-saccos',
  profile: () => '/profile',
  /** The wallet's history, for who has not chosen a sacco. */
  wallet: () => '/profile/wallet',
  /** All of one’s movements, checked and added up. */
  proofs: () => '/profile/proofs',
  /** The proof of one movement, by its journal. */
  proofOf: (journal: string) => `/profile/proofs/${encodeURIComponent(journal)}`,
  /** Where anybody checks a receipt. */
  verify: () => '/verify',
  /** The account's settings without a chosen sacco. */
  settings: () => '/profile/settings',
  operator: () => '/operator',
  operatorSaccos: (status: string, search = '') =>
    `/operator?${new URLSearchParams({ status, ...(search ? { search } : {}) })}`,
  operatorMoney: () => '/operator/money',
  operatorMoneyResolved: () => '/operator/money?status=resolved',
  operatorProposals: () => '/operator/proposals',
  operatorProposalsClosed: () => '/operator/proposals?status=closed',
  operatorReferrals: () => '/operator/referrals',
  operatorPeople: () => '/operator/people',
  operatorPools: (review = '') => `/operator/pools${review ? `?review=${review}` : ''}`,
  /** Where a payer objects with the code of an SMS, with or without an account. */
  objection: () => '/objection',
  operatorHealth: () => '/operator/health',
  operatorLog: () => '/operator/log',
  /** The account's settings without a chosen sacco: an operator may have none. */
  operatorSettings: () => '/operator/settings',
  client: () => '/client',
  clientGuarantorPools: () => '/client/guarantor-pools',
  /** Where members, and officials, draft a change of the sacco's terms. */
  clientDraftTerms: (kind: string, product?: string) =>
    `/client/voting-proposals/new?kind=${kind}${product ? `&product=${encodeURIComponent(product)}` : ''}`,
  clientShareTrading: () => '/client/share-trading',
  clientReferrals: () => '/client/referrals',
  clientWallet: () => '/client/wallet',
  clientMembers: (card: '' | 'unseen' = '') => `/client/members${card ? `?card=${card}` : ''}`,
  clientProfile: () => '/client/profile',
  clientSettings: () => '/client/settings',
} as const;
