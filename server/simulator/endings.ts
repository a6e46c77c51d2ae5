/** With `auto = endings`, the last three digits of a phone say how it reacts (payments.md 6.2). */
const ENDINGS: Readonly<Record<string, { reaction: string; faults?: string; afterMs?: number }>> = {
  '001': { reaction: '1' },
  '006': { reaction: '8006' },
  '019': { reaction: '1019' },
  '032': { reaction: '1032' },
  '037': { reaction: '1037' },
  '201': { reaction: '2001' },
  '222': { reaction: 'approve', faults: 'duplicate' },
  '404': { reaction: 'approve', faults: 'drop' },
  '777': { reaction: 'approve', afterMs: 180_000 },
};

export function reactionOf(phone: string, autoDelayMs: number) {
  const { reaction = 'approve', faults = '', afterMs = autoDelayMs } = ENDINGS[phone.slice(-3)] ?? {};
  return { reaction, faults, afterMs };
}
