import { API_BASE } from '@ushirika/contract/constants';
import {
  getPreferences as getPreferencesRoute,
  listNotifications as listNotificationsRoute,
  readNotifications as readNotificationsRoute,
  setPreferences as setPreferencesRoute,
  smsDelivery as smsDeliveryRoute,
} from '@ushirika/contract/notifications';
import { sentence } from '@ushirika/contract/sentence';
import type { Database } from '../../db/tx.ts';
import { type Binding, bindHandler, bindVerb } from '../../http/bind.ts';
import { assertSecret } from './assert-secret.ts';
import { notificationsOf, preferencesOf, unreadCount } from './notifications.queries.ts';
import { readNotifications } from './read-notifications.ts';
import { receiveDelivery } from './receive-delivery.ts';
import { setPreferences } from './set-preferences.ts';

export interface NotificationsDependencies {
  readonly database: Database;
  readonly publicUrl: string;
  /** The secret part of the address of the SMS provider's reports. */
  readonly smsReportSecret: string;
}

export function notificationsRoutes({ database, publicUrl, smsReportSecret }: NotificationsDependencies): Binding[] {
  return [
    bindHandler(getPreferencesRoute, ({ actor }) => preferencesOf(database.sql, actor.userId)),
    bindVerb(setPreferencesRoute, async (tx, { actor, body }) => {
      await setPreferences(tx, actor, body);
      return { success: true as const, message: sentence('Your preferences are saved.'), preferences: body };
    }),
    bindHandler(listNotificationsRoute, async ({ actor, query }) => {
      const page = await notificationsOf(database.sql, actor.userId, query);
      const next =
        page.nextCursor &&
        `${publicUrl}${API_BASE}/client/notifications?limit=${query.limit}&cursor=${page.nextCursor}`;
      return { count: page.count, next, previous: null, results: page.rows, unread: page.unread };
    }),
    bindVerb(readNotificationsRoute, async (tx, { actor, body }) => {
      await readNotifications(tx, actor, body);
      return {
        success: true as const,
        message: sentence('Marked as read.'),
        unread: await unreadCount(tx.sql, actor.userId),
      };
    }),
    bindHandler(smsDeliveryRoute, async ({ params, body }) => {
      assertSecret(params.secret, smsReportSecret);
      await database.transaction((tx) => receiveDelivery(tx, body));
      return { success: true as const };
    }),
  ] as Binding[];
}
