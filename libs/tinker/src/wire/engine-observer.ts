/**
 * How a request to a server ended. `pending`: the result that it asked for is not there yet. `unavailable`: no answer, or
 * one that passes by itself, as a 5xx. `refused`: any other status that is not good.
 */
export type RequestOutcome = 'ok' | 'pending' | 'unavailable' | 'refused';

/** Wall time of one gradient step, in seconds. */
export interface StepSeconds {
  /** From the moment that the server has a request to that of its result. */
  readonly engine: number;
  /** Encoding and decoding of passes. */
  readonly wire: number;
  /** The remaining time: loss, coefficients, metrics. */
  readonly loss: number;
}

/** Metrics that a process collects of its training servers. */
export interface EngineObserver {
  /** @param call name of the call in the Tinker protocol, or `archive` */
  request(engine: string, call: string, outcome: RequestOutcome): void;
  step(engine: string, seconds: StepSeconds): void;
}

export const NO_OBSERVER: EngineObserver = { request: () => undefined, step: () => undefined };
