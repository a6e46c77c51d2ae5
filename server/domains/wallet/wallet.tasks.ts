import { z } from 'zod';
import { askStatus } from './ask-status.ts';
import { askBalance } from './compare-float.ts';
import { pushDeposit } from './push-deposit.ts';
import { readPaymentList } from './read-payment-list.ts';
import { registerPaybill } from './register-paybill.ts';
import { sendWithdrawal } from './send-withdrawal.ts';
import { settleStatus } from './settle-status.ts';
import { pruneCallbackLog, sweepClaims, sweepDeposits, sweepReversals, sweepWithdrawals } from './sweep.ts';
import { verifyDeposit } from './verify-deposit.ts';
import type { WalletDeps } from './wallet.deps.ts';

const about = z.object({ id: z.uuid() });

/**
 * The wallet's jobs by name. A job that runs twice, or again after it was interrupted, has the same result as one run.
 */
export function walletTasks(deps: WalletDeps): Record<string, (payload: unknown) => Promise<void>> {
  const ofOne = (run: (deps: WalletDeps, id: string) => Promise<void>) => (payload: unknown) =>
    run(deps, about.parse(payload).id);
  const ofTime = (run: (deps: WalletDeps, now: Date) => Promise<void>) => () => run(deps, deps.database.now());
  return {
    push_deposit: ofOne(pushDeposit),
    verify_deposit: ofOne(verifyDeposit),
    send_withdrawal: ofOne(sendWithdrawal),
    ask_status: ofOne(askStatus),
    settle_status: ofOne(settleStatus),
    register_paybill: () => registerPaybill(deps),
    sweep_deposits: ofTime(sweepDeposits),
    sweep_withdrawals: ofTime(sweepWithdrawals),
    sweep_claims: ofTime(sweepClaims),
    sweep_reversals: ofTime(sweepReversals),
    read_payment_list: ofTime(readPaymentList),
    compare_float: () => askBalance(deps),
    prune_callback_log: ofTime(pruneCallbackLog),
  };
}

export const walletSchedules = [
  { task: 'sweep_deposits', everySeconds: 10 },
  { task: 'sweep_withdrawals', everySeconds: 30 },
  { task: 'sweep_claims', everySeconds: 15 },
  { task: 'sweep_reversals', everySeconds: 60 },
  { task: 'read_payment_list', everySeconds: 120 },
  { task: 'register_paybill', everySeconds: 86_400 },
  // Runs often, but asks M-Pesa once a day, or more where the day has no verdict yet.
  { task: 'compare_float', everySeconds: 60 },
  { task: 'prune_callback_log', everySeconds: 600 },
] as const;
