import { z } from 'zod';
import { acted, listOf, pageQuery, route } from './route.ts';
import { instant } from './time.ts';
import { byTopic, NOTIFICATION_TOPICS } from './topics.ts';

export const LANGUAGES = ['en', 'sw'] as const;
export type Language = (typeof LANGUAGES)[number];

export const preferences = z.object({
  language: z.enum(LANGUAGES),
  /** Whether the person wants SMS, by topic. Messages about security are always sent. */
  sms: z.object(byTopic(() => z.boolean())),
});
export type Preferences = z.infer<typeof preferences>;

export const getPreferences = route({
  name: 'getPreferences',
  method: 'GET',
  path: '/client/preferences',
  summary: 'Language and notification choices.',
  caller: 'signed_in',
  repetition: 'read',
  reply: preferences,
});

export const setPreferences = route({
  name: 'setPreferences',
  method: 'PUT',
  path: '/client/preferences',
  summary: 'Set language and notification choices.',
  caller: 'signed_in',
  repetition: 'natural',
  body: preferences,
  reply: acted({ preferences }),
});

export const notification = z.object({
  id: z.uuid(),
  topic: z.enum(NOTIFICATION_TOPICS),
  /** What kind of message it is, in snake case: `deposit_received`. Pages link to what it is about by it. */
  template: z.string(),
  text: z.string(),
  created_at: instant,
  read_at: instant.nullable(),
});
export type Notification = z.infer<typeof notification>;

export const listNotifications = route({
  name: 'listNotifications',
  method: 'GET',
  path: '/client/notifications',
  summary: 'What the platform told this person, newest first. `unread` counts up to 100.',
  caller: 'signed_in',
  repetition: 'read',
  query: z.object(pageQuery),
  reply: listOf(notification).extend({ unread: z.number().int().nonnegative() }),
});

export const readNotifications = route({
  name: 'readNotifications',
  method: 'POST',
  path: '/client/notifications/read',
  summary: 'Mark notifications as read: those named, or all when none are named.',
  caller: 'signed_in',
  repetition: 'natural',
  body: z.object({ ids: z.array(z.uuid()).max(100).optional() }),
  reply: acted({ unread: z.number().int().nonnegative() }),
});

export const smsDelivery = route({
  name: 'smsDelivery',
  method: 'POST',
  path: '/integrations/sms/callback/{secret}/delivery',
  summary: 'The SMS provider reports that a message did not reach its phone. The report changes that message alone.',
  caller: 'provider',
  repetition: 'natural',
  params: z.object({ secret: z.string().min(1).max(200) }),
  /** The fields of the provider’s form: `id`, `status`, `phoneNumber`, `failureReason` and others, which are ignored. */
  body: z.record(z.string(), z.unknown()),
  reply: z.object({ success: z.literal(true) }),
});

export const notificationsContract = [
  getPreferences,
  setPreferences,
  listNotifications,
  readNotifications,
  smsDelivery,
] as const;
