/**
 * The rate a month on the balance that a flat rate comes to: the one at which equal instalments repay the amount. Percent in
 * and out. It is found by halving; 60 steps are exact to the last shown digit.
 */
export function trueRateOfFlat(percent: number, months: number): number {
  if (percent <= 0 || months < 1) return 0;
  const instalment = 1 / months + percent / 100;
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const rate = (low + high) / 2;
    const worth = rate === 0 ? months : (1 - (1 + rate) ** -months) / rate;
    if (worth * instalment > 1) low = rate;
    else high = rate;
  }
  return ((low + high) / 2) * 100;
}

/** `1.25%`, without trailing zeros. */
export const percentWords = (percent: number): string => `${Number(percent.toFixed(4))}%`;
