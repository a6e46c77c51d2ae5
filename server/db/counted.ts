import type { Fragment } from 'postgres';
import type { Database } from './tx.ts';

/** A query of one row and one whole number, as a part of another statement. */
export type Counted = (sql: Database['sql']) => Fragment;
