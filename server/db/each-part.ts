/**
 * Does each part of a job whatever becomes of the others: one that cannot go on stops nobody else. What went wrong is thrown once all
 * are done.
 */
export async function eachPart(parts: Iterable<() => Promise<unknown>>): Promise<void> {
  const errors: unknown[] = [];
  for (const part of parts) {
    try {
      await part();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts of the job went wrong.`);
}
