import { createHash } from 'node:crypto';

/**
 * The secret part of the address to which the SMS provider sends its delivery reports. Without a setting of its own it follows from that of
 * M-Pesa's callbacks, and does not tell it.
 */
export const reportSecret = (setting: string | null, callbackSecret: string): string =>
  setting ?? createHash('sha256').update(`SMS reports ${callbackSecret}`).digest('hex');
