import { calendarDays } from '@ushirika/contract/calendar-days';
import { now } from '../clock.ts';

/** Days of the Nairobi calendar until a moment: 0 today, 1 tomorrow, below zero once its day is over. */
export const daysUntil = (iso: string): number => calendarDays(now(), Date.parse(iso));
