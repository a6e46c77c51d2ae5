/** A person's phone, through the simulator's script interface. */

interface Message {
  id: string;
  phone: string;
  text: string;
  sent_at: string;
}
interface Prompt {
  id: string;
  phone: string;
  amount: number;
  account_reference: string;
  status: 'open' | 'approved' | 'cancelled' | 'timed_out' | 'insufficient_funds' | 'failed';
  receipt: string | null;
}
export type Answer = 'approve' | 'cancel' | 'timeout' | 'insufficient_funds';

const base = () => `${process.env.E2E_URL}/simulator/api`;
const control = () => `${process.env.E2E_URL}/simulator/__control`;

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  const reply = await fetch(`${base()}${path}`, init);
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 15_000;
  while (performance.now() < deadline) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`waited 15 s in vain for ${what}`);
}

/** The newest message to a phone that matches; waits for it. */
export function message(phone: string, matching: RegExp): Promise<Message> {
  return until(`an SMS to ${phone}`, async () => {
    const { results } = await json<{ results: Message[] }>(`/messages?phone=${phone}`);
    return results.find(({ text }) => matching.test(text));
  });
}

/** How many messages a phone has received. */
export async function messageCount(phone: string): Promise<number> {
  return (await json<{ results: Message[] }>(`/messages?phone=${phone}`)).results.length;
}

/** The open STK prompt on a phone; waits for it. */
export function openPrompt(phone: string): Promise<Prompt> {
  return until(`a prompt on ${phone}`, async () => {
    const { results } = await json<{ results: Prompt[] }>(`/prompts?phone=${phone}`);
    return results.find(({ status }) => status === 'open');
  });
}

/** All prompts that a phone has ever had, newest first. */
export async function prompts(phone: string): Promise<Prompt[]> {
  return (await json<{ results: Prompt[] }>(`/prompts?phone=${phone}`)).results;
}

const OUTCOME = {
  approve: 'approved',
  cancel: 'cancelled',
  timeout: 'timed_out',
  insufficient_funds: 'insufficient_funds',
} as const;

/** Answers a prompt as the person holding the phone would; gives the receipt of an approved one. */
export async function answerPrompt(id: string, action: Answer): Promise<string> {
  const { receipt, status } = await post<{ receipt: string | null; status: string }>(`${base()}/prompts/${id}`, {
    action,
  });
  if (status !== OUTCOME[action]) throw new Error(`M-Pesa did not let it be ${OUTCOME[action]}: ${status}`);
  return receipt ?? '';
}

/** Pays the paybill by hand, from the phone's own menu; gives the receipt. */
export async function payPaybill(phone: string, amount: number, account_reference: string): Promise<string> {
  return (await post<{ receipt: string }>(`${base()}/payments`, { phone, amount, account_reference })).receipt;
}

/** Bad luck that lies ready for the next call of this kind for this phone: docs/simulator.md. */
export async function layFault(call: string, faults: string, phone: string): Promise<void> {
  await post(`${control()}/faults`, { call, faults, phone });
}

/** The phones to which the SMS provider refuses each message from now on, and no others. */
export async function refuseSms(phones: readonly string[]): Promise<void> {
  await post(`${control()}/settings`, { sms_refused: phones });
}

/** The phones whose SMS the provider takes, and reports a moment later not to have arrived; no others. */
export async function loseSms(phones: readonly string[]): Promise<void> {
  await post(`${control()}/settings`, { sms_undelivered: phones });
}

async function post<T>(url: string, body: object): Promise<T> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
}
