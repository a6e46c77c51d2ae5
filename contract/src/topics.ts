import type { Words } from './words.ts';

/*
 * What a notification can be about, declared once: the list in the app, the choices in the settings and their rows in the
 * database follow. No schema stands here: the web client loads this file.
 */

interface Topic {
  /** Of the web's icons. */
  readonly icon: string;
  /** How the settings offer it; without, it is always sent. */
  readonly choice?: { readonly name: Words; readonly detail: Words };
}

export const topics = {
  /** Codes and warnings about the account: always sent by SMS. The others a person may do without. */
  security: { icon: 'shield' },
  money: {
    icon: 'wallet',
    choice: {
      name: ['Money', 'Pesa'],
      detail: [
        'Top-ups, withdrawals and what comes into your wallet.',
        'Kuweka, kutoa na kinachoingia kwenye pochi yako.',
      ],
    },
  },
  saccos: {
    icon: 'people',
    choice: {
      name: ['Saccos', 'Sacco'],
      detail: ['Joining, shares, offices and exits.', 'Kujiunga, hisa, nyadhifa na kuondoka.'],
    },
  },
  loans: {
    icon: 'book',
    choice: {
      name: ['Loans', 'Mikopo'],
      detail: [
        'Your loans, and what you have pledged for others. Formal notices of late loans always come.',
        'Mikopo yako, na dhamana ulizowapa wengine. Notisi rasmi za mikopo iliyochelewa hutumwa daima.',
      ],
    },
  },
  pools: {
    icon: 'hands',
    choice: {
      name: ['Guarantor Pools', 'Vikundi vya Udhamini'],
      detail: ['Your pools, and guarantees that are asked of you.', 'Vikundi vyako, na dhamana unazoombwa.'],
    },
  },
  referrals: {
    icon: 'share',
    choice: {
      name: ['Referrals', 'Mialiko'],
      detail: ['People you invited, and your rewards.', 'Watu uliowaalika, na zawadi zako.'],
    },
  },
} as const satisfies Readonly<Record<string, Topic>>;

export type NotificationTopic = keyof typeof topics;
export const NOTIFICATION_TOPICS = Object.keys(topics) as readonly NotificationTopic[];

/** The topics of which a person chooses whether they come by SMS. */
export type SmsTopic = {
  [Name in NotificationTopic]: (typeof topics)[Name] extends { choice: object } ? Name : never;
}[NotificationTopic];
export const SMS_TOPICS = NOTIFICATION_TOPICS.filter((name) => 'choice' in topics[name]) as readonly SmsTopic[];

/** One value for each topic that is chosen. */
export function byTopic<T>(value: (topic: SmsTopic) => T): Record<SmsTopic, T> {
  return Object.fromEntries(SMS_TOPICS.map((topic) => [topic, value(topic)])) as Record<SmsTopic, T>;
}

/** Every text of this file. */
export const topicTexts: readonly Words[] = SMS_TOPICS.flatMap((topic) => Object.values(topics[topic].choice));
