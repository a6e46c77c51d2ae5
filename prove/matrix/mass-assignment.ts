import type { Answer } from '../support/product.ts';
import type { Examination } from './examine.ts';
import { type Cell, cellsOf, nameOf, type Prepared, prepare, type Subject, sendPrepared } from './requests.ts';
import { COUNTED } from './state.ts';

/** Who acts, in this order of preference: the first of them whom the policy lets act on something. */
const ACTORS = [
  'owner',
  'fellow',
  'stranger',
  'chair of A',
  'credit_committee of A',
  'supervisory_committee of A',
  'founder',
  'operator',
  'leaver',
  'other',
  'nobody',
];

/** What an act did: the answer, and for each table and column the values that came and went. */
type Effect = ReadonlyMap<string, string>;

/**
 * Fields that nobody declared must make no difference. What an act does by itself is learnt by doing it twice from the
 * same state (times, ids and hashes differ); then it is done with fields that would make the asker rich or mighty, in the
 * body, in the address and in headers, and everything that did not differ before must be the same still.
 */
export async function assignInMasses(examination: Examination): Promise<{ acts: number; polluted: number }> {
  const { subjects, findings } = examination;
  const acting = subjects.filter(({ route }) => route.bodyType !== 'none' && route.caller !== 'provider');
  let acts = 0;
  for (const subject of acting) {
    const cell = actOf(subject, examination);
    if (!cell) {
      findings.violations.push(
        `${subject.route.name}: nobody of the cast may do it, so that nothing can be added to it`,
      );
      continue;
    }
    const plain = prepare(cell, examination);
    const [first, second] = [await effectOf(examination, cell, plain), await effectOf(examination, cell, plain)];
    for (const added of withExtras(plain, examination, subject)) {
      const third = await effectOf(examination, cell, added);
      const different = [...new Set([...first.keys(), ...third.keys()])].filter(
        (place) => first.get(place) === second.get(place) && first.get(place) !== third.get(place),
      );
      if (different.length === 0) continue;
      const shown = different.slice(0, 3).map((place) => `${place}: ${first.get(place)} became ${third.get(place)}`);
      findings.violations.push(`${nameOf(cell)}: fields that nobody declared made a difference at ${shown.join('; ')}`);
    }
    acts += 1;
  }
  const polluted = await pollute(examination, acting);
  return { acts, polluted };
}

function actOf(subject: Subject, examination: Examination): Cell | undefined {
  const cells = cellsOf(subject, examination, false).filter(
    ({ expected }) =>
      expected !== null && (expected.status < 400 || subject.lines.every(({ then }) => !then.startsWith('2'))),
  );
  return ACTORS.map((name) =>
    cells.find(({ identity, expected }) => identity.name === name && (expected?.status ?? 401) !== 401),
  ).find(Boolean);
}

async function effectOf(examination: Examination, cell: Cell, prepared: Prepared): Promise<Effect> {
  const { state, product } = examination;
  const answer = await sendPrepared(cell.subject.route, prepared, product);
  const effect = new Map<string, string>();
  flatten('answer', bodyOf(answer), effect);
  for (const [table, { came, went }] of await state.moved(await state.changes())) {
    for (const [what, rows] of [
      ['came', came],
      ['went', went],
    ] as const) {
      effect.set(`${table} rows that ${what}`, String(rows.length));
      for (const column of Object.keys(rows[0] ?? {})) {
        effect.set(
          `${table}.${column} that ${what}`,
          rows
            .map((row) => JSON.stringify(row[column]))
            .sort()
            .join(' '),
        );
      }
    }
  }
  await state.restore();
  return effect;
}

function bodyOf({ status, body }: Answer): unknown {
  return { status, body };
}

function flatten(path: string, value: unknown, into: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) into.set(path, String(value));
  else for (const [name, inner] of Object.entries(value)) flatten(`${path}.${name}`, inner, into);
}

/** Everything by which somebody could try to be somebody else, or more than they are. */
function extrasFor(examination: Examination): Record<string, unknown> {
  const { cast } = examination;
  const victim = cast.person('bystander').id;
  const ids = ['id', 'user', 'user_id', 'userId', 'owner', 'owner_id', 'ownerId', 'member', 'member_id', 'created_by'];
  const acts = ['caused_by', 'recorded_by', 'changed_by', 'confirmed_by', 'actor', 'referrer_id', 'credited_user_id'];
  return {
    ...Object.fromEntries([...ids, ...acts].map((name) => [name, victim])),
    saccoId: cast.saccos.B,
    sacco_id: cast.saccos.B,
    role: 'operator',
    roles: ['operator', 'official'],
    offices: ['chair', 'treasurer'],
    isOperator: true,
    is_operator: true,
    is_staff: true,
    is_member: true,
    admin: true,
    balance: 1_000_000,
    wallet: { amount: 1_000_000, available: 1_000_000 },
    amount_cents: 1,
    amountCents: 1,
    reg_fee_cents: 0,
    price: 0,
    state: 'active',
    status: 'active',
    review: 'released',
    phone_confirmed_at: '2026-01-01T00:00:00Z',
    is_verified: true,
    second_factor_at: '2026-01-01T00:00:00Z',
    expires_at: '2099-01-01T00:00:00Z',
    created_at: '2001-01-01T00:00:00Z',
    joined_at: '2001-01-01T00:00:00Z',
    payout_held_until: null,
    token: 'x'.repeat(43),
    password_hash: '$argon2id$',
  };
}

/** A form takes thirty fields at most: there the extras come in parts. */
const FORM_EXTRAS = 18;

function withExtras(plain: Prepared, examination: Examination, { parameters, route }: Subject): Prepared[] {
  const declared = new Set(parameters.map(({ name }) => name));
  const extras = Object.entries(extrasFor(examination)).filter(([name]) => !declared.has(name));
  const query = new URLSearchParams(extras.map(([name, value]): [string, string] => [name, String(value)]));
  const victim = examination.cast.person('bystander').id;
  const mighty = { 'x-user-id': victim, 'x-forwarded-user': victim, 'x-role': 'operator' };
  const size = route.bodyType === 'multipart' ? FORM_EXTRAS : extras.length;
  return Array.from({ length: Math.ceil(extras.length / size) }, (_, part) => ({
    ...plain,
    path: `${plain.path}${plain.path.includes('?') ? '&' : '?'}${query}`,
    headers: { ...plain.headers, ...mighty, 'x-http-method-override': 'DELETE' },
    fields: { ...Object.fromEntries(extras.slice(part * size, (part + 1) * size)), ...plain.fields },
  }));
}

const POLLUTED = [
  '"__proto__":{"isOperator":true,"isMember":true}',
  '"constructor":{"prototype":{"isOperator":true,"isMember":true}}',
  '"deep":{"__proto__":{"isOperator":true}}',
];

/** Keys that would give every object of the process a field: refused, without effect, and no object has the field. */
async function pollute(examination: Examination, acting: readonly Subject[]): Promise<number> {
  const { product, state, findings } = examination;
  let sent = 0;
  for (const subject of acting.filter(({ route }) => route.bodyType === 'json')) {
    const cell = actOf(subject, examination);
    if (!cell) continue;
    const { method, path, headers, fields } = prepare(cell, examination);
    const rest = JSON.stringify(fields ?? {}).slice(1);
    for (const key of POLLUTED) {
      const raw = `{${key}${rest === '}' ? '' : ','}${rest}`;
      const answer = await product.call(method, path, {
        raw,
        headers: { ...headers, 'content-type': 'application/json' },
      });
      sent += 1;
      if (answer.status !== 400 || answer.body?.code !== 'malformed_request') {
        findings.violations.push(
          `${nameOf(cell)}: a body with ${key} is answered ${answer.status} ${answer.body?.code}`,
        );
      }
    }
  }
  const changed = await state.changes(COUNTED);
  if (changed.length > 0)
    findings.violations.push(`Bodies with __proto__ or constructor changed ${changed.join(', ')}`);
  await polluteByForms(examination, acting);
  if (({} as { isOperator?: unknown }).isOperator !== undefined)
    findings.violations.push('Every object is an operator now');
  await state.restore();
  return sent;
}

/** The same as a form writes it, which is read by no route. */
async function polluteByForms(examination: Examination, acting: readonly Subject[]): Promise<void> {
  const form = new URLSearchParams({ '__proto__[isOperator]': 'true', 'constructor[prototype][isOperator]': 'true' });
  for (const subject of acting.filter(({ route }) => route.bodyType === 'json')) {
    const cell = actOf(subject, examination);
    if (!cell) continue;
    const { method, path, headers } = prepare(cell, examination);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    await examination.product.call(method, path, { raw: form.toString(), headers: { ...headers, ...type } });
  }
  await examination.state.restore();
}
