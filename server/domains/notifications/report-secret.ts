import { createHash } from 'node:crypto';

/**
 * The secret part of the address of the SMS provider's delivery reports. Without a setting of its own it is a hash of the secret of
 * M-Pesa's callbacks.
 */
export const reportSecret = (setting: string | null, callbackSecret: string): string =>
  setting ?? createHash('sha256').update(`SMS reports ${callbackSecret}`).digest('hex');
