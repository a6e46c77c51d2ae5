import { asked, type Hand, type Lending, memberId, type Name, product, type Signature } from './lenders.ts';

const AMOUNT = 1_000;
const PLEDGED = 500;
const MONTHS = 12;
const TERMS = { amount: AMOUNT, months: MONTHS, purpose: 'A second stall.', net_income: 50_000 };
/** The same by the kinds of pools.ts. */
const TERMS_BY_KIND = { amount: AMOUNT, month: MONTHS, purpose: TERMS.purpose, net_income: TERMS.net_income };

interface Applied {
  readonly by: Hand;
  readonly id: string;
  readonly hash: string;
  readonly guarantee: string;
}

/** Loans in every state from the application to the last instalment, and what each is ready for. Nobody has three open applications. */
export async function applications(lending: Lending): Promise<Signature[]> {
  const { pools, sacco, hands } = lending;
  const [alone, guaranteed] = [await product(lending, 0), await product(lending, 1)];
  for (const id of [alone, guaranteed]) pools.add('product', id);
  const neighbour = await memberId(lending, hands.neighbour);
  for (const route of ['quoteLoan', 'applyForLoan']) {
    pools.ready(route, 'member', { sacco, product: alone, member: neighbour, ...TERMS_BY_KIND });
  }
  const apply = (by: Name) => applied(lending, hands[by], { ...TERMS, product: alone });
  await ownApplications(lending, { apply, neighbour });
  await decided(lending, apply);
  await owed(lending);
  const guarantors = [{ member: neighbour, amount: PLEDGED }];
  return guarantees(lending, (by) => applied(lending, hands[by], { ...TERMS, product: guaranteed, guarantors }));
}

async function applied(lending: Lending, by: Hand, body: object): Promise<Applied> {
  const { loan } = await asked(lending, by, ['POST', '/loans'], { sacco: lending.sacco, body });
  return { by, id: loan.id, hash: loan.key_facts.hash, guarantee: loan.guarantees[0]?.id ?? '' };
}

type Apply = (by: Name) => Promise<Applied>;

/** What a borrower does before it is handed in. */
async function ownApplications(
  { pools, sacco }: Lending,
  { apply, neighbour }: { readonly apply: Apply; readonly neighbour: string },
): Promise<void> {
  const { id: open } = await apply('member');
  for (const route of ['readLoan', 'changeLoan', 'readRestructure']) {
    pools.ready(route, 'member', { sacco, loan: open, ...TERMS_BY_KIND });
  }
  pools.ready('askGuarantor', 'member', { sacco, loan: open, member: neighbour, amount: PLEDGED });
  for (const route of ['submitLoan', 'withdrawLoan']) {
    pools.ready(route, 'neighbour', { sacco, loan: (await apply('neighbour')).id });
  }
}

/** Each is a step further: handed in, approved, accepted, ordered to be paid out. */
async function decided(lending: Lending, apply: Apply): Promise<void> {
  const { pools, sacco, hands } = lending;
  const [submitted, approved] = [await apply('guest'), await apply('official')];
  const [accepted, ordered] = [await apply('guest'), await apply('backer')];
  for (const { by, id } of [submitted, approved, accepted, ordered]) {
    await asked(lending, by, ['POST', `/loans/${id}/submission`], { sacco });
  }
  for (const { id, hash } of [approved, accepted, ordered]) {
    const body = { decision: 'approve', reason: 'She pays.', terms_hash: hash };
    for (const hand of [hands.one, hands.two]) {
      await asked(lending, hand, ['POST', `/sacco/loans/${id}/review`], { sacco, body });
    }
  }
  for (const { by, id, hash } of [accepted, ordered]) {
    await asked(lending, by, ['POST', `/loans/${id}/acceptance`], { sacco, body: { terms_hash: hash } });
  }
  const body = { terms_hash: ordered.hash };
  await asked(lending, hands.secretary, ['POST', `/sacco/loans/${ordered.id}/disbursement`], { sacco, body });
  const ready = ({ id, hash }: Applied) => ({ sacco, loan: id, terms_hash: hash });
  for (const as of ['official', 'secretary']) pools.ready('readDeskLoan', as, ready(submitted));
  pools.ready('reviewLoan', 'official', ready(submitted));
  pools.ready('acceptLoan', 'official', ready(approved));
  pools.ready('orderDisbursement', 'secretary', ready(accepted));
  pools.ready('checkDisbursement', 'official', ready(ordered));
}

/** Loans that are paid out. */
async function owed(lending: Lending): Promise<void> {
  const { pools, sacco, hands, late } = lending;
  const terms = { sacco, borrower: hands.member.id, amountCents: AMOUNT * 100, months: MONTHS };
  const loan = () => late.loan(terms);
  const guaranteed = (by: Hand) => late.loan({ ...terms, pledges: [{ guarantor: by.id, cents: PLEDGED * 100 }] });
  const running = await loan();
  for (const route of [
    'repayLoan',
    'previewRepayment',
    'setSurplus',
    'promptRepayment',
    'readPayoff',
    'setStandingRepayment',
    'listLoanMovements',
  ]) {
    pools.ready(route, 'member', { sacco, loan: running, amount: 10 });
  }
  pools.ready('listDeskLoanMovements', 'official', { sacco, loan: running });
  const over = await loan();
  const { amount } = await asked(lending, hands.member, ['GET', `/loans/${over}/payoff`], { sacco });
  pools.ready('payOffLoan', 'member', { sacco, loan: over, amount });
  const guest = await memberId(lending, hands.guest);
  const left = await pledgeOf(lending, await guaranteed(hands.neighbour));
  const replaced = await pledgeOf(lending, await guaranteed(hands.backer));
  pools.ready('askToBeReplaced', 'neighbour', { sacco, guarantee: left });
  pools.ready('replaceGuarantor', 'member', { sacco, guarantee: left, member: guest });
  pools.ready('decideSubstitution', 'official', { sacco, guarantee: await substitute(lending, replaced, guest) });
}

async function pledgeOf({ crowd }: Lending, loan: string): Promise<string> {
  const [row] = await crowd.product.database.owner<{ id: string }[]>`
    select id::text from loan_guarantees where loan_id = ${loan} and kind = 'member' order by asked_at desc, id desc limit 1`;
  return row?.id ?? '';
}

/** What a guarantor is shown, and signs. */
async function termsOf(lending: Lending, guarantor: Hand, guarantee: string): Promise<{ terms_hash: string }> {
  const { sacco } = lending;
  const { terms_hash } = await asked(lending, guarantor, ['GET', `/loans/guarantees/${guarantee}`], { sacco });
  return { terms_hash };
}

/** Whoever is to stand in for another has signed; the committee has to confirm it. */
async function substitute(lending: Lending, replaced: string, guest: string): Promise<string> {
  const { sacco, hands, crowd } = lending;
  const { database } = crowd.product;
  const substitution = ['POST', `/loans/guarantees/${replaced}/substitution`] as const;
  await asked(lending, hands.member, substitution, { sacco, body: { member: guest } });
  const [next] = await database.owner<{ id: string }[]>`
    select id::text from loan_guarantees where replaces_id = ${replaced}`;
  const path = `/loans/guarantees/${next?.id}`;
  const signed = await termsOf(lending, hands.guest, next?.id ?? '');
  await asked(lending, hands.guest, ['POST', `${path}/code`], { sacco, body: signed });
  const [sms] = await database.owner<{ text: string }[]>`
    select text from sms_messages where user_id = ${hands.guest.id} and template = 'loan_guarantee_code'
    order by created_at desc, id desc limit 1`;
  const code = /\d{4} \d{4}/.exec(sms?.text ?? '')?.[0] ?? '';
  await asked(lending, hands.guest, ['POST', `${path}/acceptance`], { sacco, body: { ...signed, code } });
  return next?.id ?? '';
}

/** Applications that wait for `neighbour`: one to sign, one to refuse, and one that is taken back. */
async function guarantees(lending: Lending, apply: Apply): Promise<Signature[]> {
  const { pools, sacco, hands } = lending;
  const [signed, refused, dropped] = [await apply('backer'), await apply('saver'), await apply('official')];
  const body = await termsOf(lending, hands.neighbour, signed.guarantee);
  const values = { sacco, guarantee: signed.guarantee, ...body };
  for (const route of ['readGuaranteeRequest', 'askGuaranteeCode']) pools.ready(route, 'neighbour', values);
  pools.ready('refuseGuarantee', 'neighbour', { sacco, guarantee: refused.guarantee });
  pools.ready('dropGuarantor', 'official', { sacco, loan: dropped.id, guarantee: dropped.guarantee });
  const path = `/loans/guarantees/${signed.guarantee}/code`;
  const how = { template: 'loan_guarantee_code', path, sacco, body } as const;
  return [{ route: 'acceptGuarantee', as: 'neighbour', ...how, values }];
}
