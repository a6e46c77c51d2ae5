import { type DemoPerson, members, secondOfficial, wanjiru } from '../people.ts';

/*
 * The loans of the demonstration: who borrows in Mwangaza, with whose guarantee, and what became of it. One in each state.
 */

const person = (place: number) => members[place] as DemoPerson;
const own = (place: number, firstName: string, lastName: string): DemoPerson => ({
  idNumber: String(36_204_118 + place * 71_317),
  firstName,
  lastName,
  phone: `2547${String(41_220_164 + place * 163_071)}`,
});

/** Members who are there for the loans alone: four pay late or not at all, five stand behind others, five hold an office. */
export const lateBorrowers = {
  mbugua: own(0, 'Mbugua', 'Kariithi'),
  halake: own(1, 'Halake', 'Guyo'),
  sironka: own(2, 'Sironka', 'Lemayian'),
  tabitha: own(3, 'Tabitha', 'Muthengi'),
} as const;
export const guarantors = {
  wamalwa: own(4, 'Wamalwa', 'Sifuna'),
  esther: own(5, 'Esther', "Ng'endo"),
  rotino: own(6, 'Rotino', 'Lokwang'),
  nasimiyu: own(7, 'Nasimiyu', 'Khisa'),
  kassim: own(8, 'Kassim', 'Bakari'),
} as const;

/** The credit committee beside the secretary, the supervisory committee, and the manager. */
export const committee = {
  first: own(9, 'Kiplagat', 'Chumo'),
  second: own(10, 'Wangui', 'Mathenge'),
  supervisor: own(11, 'Ochola', 'Were'),
  secondSupervisor: own(14, 'Naserian', 'Sankale'),
  manager: own(13, 'Nekesa', 'Wafula'),
} as const;
const amani = own(12, 'Amani', 'Mwadime');
/** Who borrowed and has paid. */
export const earlyBorrowers = [amani] as const;

export type ProductName = 'stock' | 'fees' | 'emergency';

/** How far an application got; what is paid out goes on with `repaid`. */
export type Ending =
  | 'pending'
  | 'submitted'
  | 'returned'
  | 'approved'
  | 'accepted'
  | 'disbursing'
  | 'rejected'
  | 'withdrawn'
  | 'paid_out';

export interface DemoLoan {
  readonly by: DemoPerson;
  /** The day of the story on which it is applied for. */
  readonly day: number;
  readonly product: ProductName;
  readonly shillings: number;
  readonly months: number;
  readonly purpose: string;
  readonly guarantors?: readonly (readonly [
    who: DemoPerson,
    shillings: number,
    answer?: 'signs' | 'refuses' | 'waits',
  ])[];
  readonly ending: Ending;
  /** The manager decides it alone. */
  readonly isByManager?: true;
  /** Voices for it that were given, where it is still with the committee. */
  readonly voices?: number;
  /** Why the committee sent it back or rejected it. */
  readonly reason?: string;
  /** Instalments that were paid, each on its day. */
  readonly repaid?: number;
  /** Instalments that were paid in advance after these, which excuses the next ones. */
  readonly ahead?: number;
  /** Paid off after the last of these, or from a new loan. */
  readonly isPaidOff?: true;
  readonly refinances?: DemoLoan;
}

const { mbugua, halake, sironka, tabitha } = lateBorrowers;
const { wamalwa, esther, rotino, nasimiyu, kassim } = guarantors;

/** Nobody pays it: its guarantors were called, and got a little back. */
export const recovered: DemoLoan = {
  by: mbugua,
  day: 195,
  product: 'stock',
  shillings: 9_000,
  months: 9,
  purpose: 'Second-hand clothes from Mombasa, two bales for the long rains.',
  guarantors: [
    [wamalwa, 3_600],
    [esther, 2_400],
    [rotino, 1_500],
  ],
  ending: 'paid_out',
};

/** Its borrower's savings were taken, and the interest that was left is given up. */
export const writtenOff: DemoLoan = {
  by: halake,
  day: 110,
  product: 'emergency',
  shillings: 3_000,
  months: 3,
  purpose: 'Hospital bill of a child.',
  ending: 'paid_out',
};

/** In default, with the final notice out. */
export const defaulted: DemoLoan = {
  by: sironka,
  day: 208,
  product: 'stock',
  shillings: 6_000,
  months: 6,
  purpose: 'A motor for the posho mill.',
  guarantors: [
    [nasimiyu, 2_500],
    [kassim, 2_500],
  ],
  ending: 'paid_out',
};

/** Two instalments paid, two missed. */
export const inArrears: DemoLoan = {
  by: tabitha,
  day: 232,
  product: 'stock',
  shillings: 6_000,
  months: 6,
  purpose: 'Charcoal for the cold months, bought before the price rises.',
  guarantors: [
    [nasimiyu, 2_000],
    [rotino, 2_000],
  ],
  ending: 'paid_out',
  repaid: 2,
};

/** Running; one of its guarantors is to be replaced. */
export const substituted: DemoLoan = {
  by: person(0),
  day: 236,
  product: 'stock',
  shillings: 10_000,
  months: 12,
  purpose: 'A second stall at Marikiti, and its deposit.',
  guarantors: [
    [wamalwa, 3_000],
    [esther, 3_000],
  ],
  ending: 'paid_out',
  repaid: 4,
};

/** Who is to stand in for the second guarantor of it. */
export const standIn = person(23);

const wanjirus: DemoLoan = {
  by: wanjiru,
  day: 240,
  product: 'stock',
  shillings: 12_000,
  months: 12,
  purpose: 'Sewing machine and cloth for school uniforms.',
  guarantors: [
    [kassim, 2_500],
    [rotino, 2_500],
  ],
  ending: 'paid_out',
  repaid: 3,
};

const paidOff: DemoLoan = {
  by: amani,
  day: 190,
  product: 'emergency',
  shillings: 3_000,
  months: 3,
  purpose: 'Bus fare and food for a funeral at home.',
  ending: 'paid_out',
  repaid: 2,
  isPaidOff: true,
};

const refinanced: DemoLoan = {
  by: person(1),
  day: 226,
  product: 'fees',
  shillings: 6_000,
  months: 8,
  purpose: 'School fees of the second term.',
  guarantors: [
    [esther, 1_000],
    [nasimiyu, 1_000],
  ],
  ending: 'paid_out',
  repaid: 3,
};

export const demoLoans: readonly DemoLoan[] = [
  writtenOff,
  paidOff,
  recovered,
  defaulted,
  refinanced,
  inArrears,
  substituted,
  wanjirus,
  {
    by: person(1),
    day: 318,
    product: 'stock',
    shillings: 9_000,
    months: 12,
    purpose: 'What is left of the fees, and stock for the holidays.',
    guarantors: [
      [wamalwa, 1_200],
      [kassim, 1_200],
    ],
    ending: 'paid_out',
    repaid: 1,
    ahead: 2,
    refinances: refinanced,
  },
  {
    by: person(10),
    day: 300,
    product: 'fees',
    shillings: 4_000,
    months: 6,
    purpose: 'Uniform and books for January.',
    guarantors: [[rotino, 1_000, 'refuses']],
    ending: 'pending',
  },
  {
    by: person(6),
    day: 330,
    product: 'stock',
    shillings: 11_000,
    months: 12,
    purpose: 'A refrigerator for milk.',
    guarantors: [
      [wamalwa, 1_000],
      [nasimiyu, 1_000],
    ],
    ending: 'rejected',
    reason: 'The stall has no electricity yet. Apply again once the meter is in.',
  },
  {
    by: person(7),
    day: 338,
    product: 'fees',
    shillings: 5_000,
    months: 6,
    purpose: 'College fees of a daughter.',
    guarantors: [[kassim, 1_000]],
    ending: 'withdrawn',
  },
  {
    by: person(2),
    day: 352,
    product: 'stock',
    shillings: 10_000,
    months: 12,
    purpose: 'Maize and beans, forty bags, before the rains end.',
    guarantors: [
      [person(19), 1_500],
      [person(20), 1_500],
    ],
    ending: 'submitted',
    voices: 1,
  },
  {
    by: secondOfficial,
    day: 355,
    product: 'stock',
    shillings: 8_000,
    months: 10,
    purpose: 'A hand cart and its licence.',
    guarantors: [
      [person(21), 1_000],
      [kassim, 1_000],
    ],
    ending: 'submitted',
  },
  {
    by: person(4),
    day: 351,
    product: 'fees',
    shillings: 6_000,
    months: 10,
    purpose: 'School fees of January for three children.',
    guarantors: [[nasimiyu, 1_500]],
    ending: 'returned',
    reason:
      'The fees of three children come to Ksh. 4,500 by the school’s letter. Ask for that, or add what else it is for.',
  },
  {
    by: person(5),
    day: 348,
    product: 'stock',
    shillings: 9_000,
    months: 9,
    purpose: 'Cooking oil and sugar for December.',
    guarantors: [
      [person(18), 1_000],
      [person(22), 1_000],
    ],
    ending: 'approved',
  },
  {
    by: person(12),
    day: 350,
    product: 'fees',
    shillings: 5_000,
    months: 8,
    purpose: 'Driving school.',
    guarantors: [[person(22), 1_000]],
    ending: 'accepted',
    isByManager: true,
  },
  {
    by: person(9),
    day: 349,
    product: 'stock',
    shillings: 8_000,
    months: 8,
    purpose: 'Tarpaulin and shelves for the stall.',
    guarantors: [
      [person(19), 1_200],
      [nasimiyu, 1_200],
    ],
    ending: 'disbursing',
  },
  {
    by: person(15),
    day: 361,
    product: 'stock',
    shillings: 9_000,
    months: 12,
    purpose: 'Shoes for the Christmas market.',
    guarantors: [
      [wanjiru, 3_000, 'waits'],
      [person(21), 2_000],
    ],
    ending: 'pending',
  },
];
