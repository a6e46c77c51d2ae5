import { Refusal } from '@ushirika/contract/refusal';
import type { ChecklistPoint, SaccoDetail, SaccoType } from '@ushirika/contract/saccos';
import type { Unsaid } from '@ushirika/contract/said';
import { sentence, several } from '@ushirika/contract/sentence';
import type { Database, Tx } from '../../db/tx.ts';
import { officeSaid } from './offices.ts';
import { isWaivedFor, POINTS_BY_HAND, POINTS_SEEN, type PointByHand } from './saccos.rules.ts';

const OFFICIALS_MIN = 3;
const NEEDED_OFFICES = ['chair', 'secretary', 'treasurer'] as const;

interface ChecklistRow {
  readonly id: string;
  readonly type: SaccoType;
  readonly reg_no: string;
  readonly officials: { office: string; user_id: string; has_confirmed_phone: boolean }[];
  readonly checks: { point: PointByHand; note: string; by: string }[];
}

/** What must be so before a sacco is activated (domain.md 4.9), point by point, with what was found. */
export async function activationChecklist(
  reader: Pick<Tx, 'sql'> | Pick<Database, 'sql'>,
  saccoId: string,
): Promise<Unsaid<ChecklistPoint>[]> {
  const points = (await activationChecklists(reader, [saccoId])).get(saccoId);
  if (!points) throw new Refusal('not_found', { message: sentence('There is no such sacco.') });
  return points;
}

/** The same for a page of saccos in one statement. */
export async function activationChecklists(
  reader: Pick<Tx, 'sql'> | Pick<Database, 'sql'>,
  saccoIds: readonly string[],
): Promise<Map<string, Unsaid<ChecklistPoint>[]>> {
  const sql = reader.sql as Database['sql'];
  const rows = await sql<ChecklistRow[]>`
    select s.id, s.type, s.reg_no,
      coalesce((
        select jsonb_agg(jsonb_build_object('office', o.office, 'user_id', o.user_id,
                                            'has_confirmed_phone', u.has_confirmed_phone))
        from offices o join people u on u.id = o.user_id where o.sacco_id = s.id and o.ended_at is null
      ), '[]') as officials,
      coalesce((
        select jsonb_agg(jsonb_build_object('point', c.point, 'note', c.note, 'by', operator_name(c.checked_by)))
        from sacco_checks c where c.sacco_id = s.id
      ), '[]') as checks
    from saccos s where s.id = any (${[...saccoIds]}::uuid[])`;
  return new Map(rows.map((row) => [row.id, pointsOf(row)]));
}

const NOT_ASKED = {
  sacco: null,
  chama: sentence('Not asked of a chama.'),
  investment_club: sentence('Not asked of an investment club.'),
} as const;

function pointsOf(row: ChecklistRow): Unsaid<ChecklistPoint>[] {
  const people = new Set(row.officials.map(({ user_id }) => user_id));
  const missing = NEEDED_OFFICES.filter((office) => !row.officials.some((official) => official.office === office));
  const unconfirmed = row.officials.filter(({ has_confirmed_phone }) => !has_confirmed_phone).length;
  const seen: Unsaid<ChecklistPoint>[] = [
    {
      point: 'registration_number',
      label: sentence(POINTS_SEEN.registration_number),
      met: true,
      detail: sentence('{text}', { text: row.reg_no }),
    },
    {
      point: 'officials',
      label: sentence(POINTS_SEEN.officials),
      met: people.size >= OFFICIALS_MIN && missing.length === 0,
      detail:
        missing.length > 0
          ? sentence('Missing: {offices}.', { offices: several(missing.map(officeSaid), ', ') })
          : sentence('{n, plural, one {# person holds} other {# people hold}} offices.', { n: people.size }),
    },
    {
      point: 'officials_confirmed',
      label: sentence(POINTS_SEEN.officials_confirmed),
      met: people.size > 0 && unconfirmed === 0,
      detail: unconfirmed > 0 ? sentence('{n} have not.', { n: unconfirmed }) : null,
    },
  ];
  const byHand = (Object.keys(POINTS_BY_HAND) as PointByHand[]).map((point): Unsaid<ChecklistPoint> => {
    const check = row.checks.find((found) => found.point === point);
    const isWaived = !check && isWaivedFor(point, row.type);
    const detail = check
      ? sentence('{text}', { text: `${check.note} (${check.by})` })
      : isWaived
        ? NOT_ASKED[row.type]
        : null;
    return { point, label: sentence(POINTS_BY_HAND[point]), met: isWaived || check !== undefined, detail };
  });
  return [...seen, ...byHand];
}

const LABELS = { ...POINTS_SEEN, ...POINTS_BY_HAND };

/** The points that were open when an operator activated a sacco, in words; none where all were met. */
export async function openAtActivation(
  { sql }: Pick<Database, 'sql'>,
  saccoId: string,
): Promise<Unsaid<SaccoDetail['open_at_activation']>> {
  const [row] = await sql<{ open_points: (keyof typeof LABELS)[] }[]>`
    select open_points from sacco_state_changes
    where sacco_id = ${saccoId} and from_state = 'pending' and to_state = 'active' order by id desc limit 1`;
  return (row?.open_points ?? []).map((point) => sentence(LABELS[point]));
}
