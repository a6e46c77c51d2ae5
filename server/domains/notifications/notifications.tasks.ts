import type { Database } from '../../db/tx.ts';
import { type SmsGateway, type SmsSettings, sendSms, settleAbandonedSms } from './send-sms.ts';

export interface NotificationsTaskDependencies {
  readonly database: Database;
  readonly sms: SmsGateway;
  readonly smsSettings: SmsSettings;
}

export function notificationsTasks({ database, sms, smsSettings }: NotificationsTaskDependencies) {
  return {
    send_sms: (payload: unknown) => sendSms(database, sms, payload, smsSettings),
    settle_abandoned_sms: () => settleAbandonedSms(database),
  };
}

export const notificationsSchedules = [{ task: 'settle_abandoned_sms', everySeconds: 60 }];
