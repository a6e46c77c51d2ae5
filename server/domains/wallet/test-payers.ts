import type { TestDatabase } from '../../db/test-copy.ts';

/** The holder of a phone has given their consent: this person may have prompts sent to it. */
export async function agreed(database: TestDatabase, userId: string, phone: string): Promise<void> {
  const now = database.now();
  await database.owner`
    insert into prompt_consents (id, user_id, phone, code_hash, created_at, expires_at, given_at)
    values (${database.newId()}, ${userId}, ${phone}, ${'a'.repeat(43)}, ${now}, ${new Date(now.getTime() + 1)}, ${now})
    on conflict do nothing`;
}
