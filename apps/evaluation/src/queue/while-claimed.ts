/** After so long without renewal, another process takes over: whoever had the claim has died. */
export const CLAIM_SECONDS = 15;
const RENEW_MS = 4_000;

/** Keeps a claim while work goes on, however long it takes. @param renew moves the end of the claim on */
export async function whileClaimed(renew: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  // A renewal that fails is made up for by the next one; who lost the claim finds out when it stores something.
  const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}
