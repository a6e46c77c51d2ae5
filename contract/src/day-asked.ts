import { z } from 'zod';
import { check } from './checks.ts';

/** A calendar day in Nairobi that somebody asks about, `2026-11-20`. */
export const dayAsked = z.iso
  .date(check('Enter a date such as 2026-11-20.'))
  // The year 0 is a date to ISO 8601 and none to PostgreSQL.
  .refine((text) => text >= '1970-01-01', check('Enter a date such as 2026-11-20.'));
