import type { Database } from '../../db/tx.ts';
import { type SmsGateway, sendSms, settleAbandonedSms } from './send-sms.ts';

export interface NotificationsTaskDependencies {
  readonly database: Database;
  readonly sms: SmsGateway;
}

export function notificationsTasks({ database, sms }: NotificationsTaskDependencies) {
  return {
    send_sms: (payload: unknown) => sendSms(database, sms, payload),
    settle_abandoned_sms: () => settleAbandonedSms(database),
  };
}

export const notificationsSchedules = [{ task: 'settle_abandoned_sms', everySeconds: 60 }];
