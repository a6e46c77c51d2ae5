import { z } from 'zod';

/** The body of every refusal; `detail` repeats `message` because the profile screen reads it. */
export const refusalBody = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  detail: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
});
export type RefusalBody = z.infer<typeof refusalBody>;
