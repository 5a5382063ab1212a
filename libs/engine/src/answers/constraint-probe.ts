import { createHash } from 'node:crypto';

import { type GenerationRequest, PLAIN_REQUEST } from '../decode/batch/generation-request.js';
import type { ConstraintSource } from '../decode/constraints/constraint.js';
import { EngineError } from '../errors.js';
import type { Generate } from './tool-calls/tool-stages.js';

const MAX_KNOWN = 256;
/** Codes of errors that say something about the constraint itself. */
const CONSTRAINT_ERROR = /^engine\.constraint_(unsupported|invalid|too_large|timeout)$/;
/** A constraint that took too long is tried again after this time: the machine may be less busy. */
const TIMEOUT_KNOWN_MS = 60_000;
const PROBE: GenerationRequest = { ...PLAIN_REQUEST, promptIds: [0], maxTokens: 1 };

/** Why the engine does not compile a constraint. */
export interface ConstraintRefusal {
  readonly message: string;
  /** JSON pointer of the keyword of the schema that is to blame; null: there is no single one. */
  readonly keyword: string | null;
}

/** The cached result of a probe. */
interface Verdict {
  /** Null: it compiles. */
  readonly refusal: ConstraintRefusal | null;
  /** `performance.now()` until which the result is valid. */
  readonly untilMs: number;
}

/** Finds out whether constraints compile on one base model, before a request with them starts. */
export class ConstraintProbe {
  /** Results by the digest of the constraint, the oldest first. */
  private readonly known = new Map<string, Verdict>();
  /** Probes under way (single-flight). */
  private readonly probing = new Map<string, Promise<ConstraintRefusal | null>>();

  constructor(private readonly generate: Generate) {}

  /**
   * Generates one token under the constraint: the engine compiles constraints only as part of a generation.
   *
   * @param priority of the request that has the constraint
   * @returns why it does not compile; null: it does, or the engine failed for another reason, which the request meets
   */
  async reasonAgainst(source: ConstraintSource, priority: number): Promise<string | null> {
    return (await this.refusal(source, priority))?.message ?? null;
  }

  /** The same with the keyword to blame. */
  async refusal(source: ConstraintSource, priority: number): Promise<ConstraintRefusal | null> {
    const key = createHash('sha256').update(JSON.stringify(source)).digest('base64');
    const verdict = this.known.get(key);
    if (verdict !== undefined && performance.now() < verdict.untilMs) return verdict.refusal;
    const probing = this.probing.get(key) ?? this.probe(key, source, priority);
    this.probing.set(key, probing);
    return probing.finally(() => this.probing.delete(key));
  }

  private async probe(key: string, source: ConstraintSource, priority: number): Promise<ConstraintRefusal | null> {
    try {
      for await (const _ of this.generate({ ...PROBE, constraint: source, priority }));
    } catch (error) {
      if (!(error instanceof EngineError) || !CONSTRAINT_ERROR.test(error.code)) return null;
      const isTimeout = error.code === 'engine.constraint_timeout';
      const { message, keyword } = error as EngineError & { keyword?: string };
      const refusal = { message, keyword: keyword ?? null };
      this.remember(key, refusal, isTimeout ? performance.now() + TIMEOUT_KNOWN_MS : Infinity);
      return refusal;
    }
    this.remember(key, null, Infinity);
    return null;
  }

  private remember(key: string, refusal: ConstraintRefusal | null, untilMs: number): void {
    this.known.delete(key);
    this.known.set(key, { refusal, untilMs });
    if (this.known.size <= MAX_KNOWN) return;
    const [oldest] = this.known.keys();
    this.known.delete(oldest as string);
  }
}
