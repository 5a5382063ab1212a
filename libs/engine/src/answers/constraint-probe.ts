import { createHash } from 'node:crypto';

import { EngineError } from '../errors.js';
import { type GenerationRequest, PLAIN_REQUEST } from '../decode/batch/generation-request.js';
import type { ConstraintSource } from '../decode/constraints/constraint.js';
import type { Generate } from './tool-calls/tool-stages.js';

const MAX_KNOWN = 256;
/** Codes of errors that say something about the constraint itself. */
const CONSTRAINT_ERROR = /^engine\.constraint_(unsupported|invalid|too_large|timeout)$/;
const PROBE: GenerationRequest = { ...PLAIN_REQUEST, promptIds: [0], maxTokens: 1 };

/** Finds out whether constraints compile on one base model, before a request with them starts. */
export class ConstraintProbe {
  /** Digests of constraints that compiled, the oldest first. */
  private readonly known = new Set<string>();

  constructor(private readonly generate: Generate) {}

  /**
   * Generates one token under the constraint: the engine compiles constraints only as part of a generation.
   *
   * @param priority of the request that has the constraint
   * @returns why it does not compile; null: it does, or the engine failed for another reason, which the request meets
   */
  async reasonAgainst(source: ConstraintSource, priority: number): Promise<string | null> {
    const key = createHash('sha256').update(JSON.stringify(source)).digest('base64');
    if (this.known.has(key)) return null;
    try {
      for await (const _ of this.generate({ ...PROBE, constraint: source, priority }));
    } catch (error) {
      return error instanceof EngineError && CONSTRAINT_ERROR.test(error.code) ? error.message : null;
    }
    this.remember(key);
    return null;
  }

  private remember(key: string): void {
    this.known.add(key);
    if (this.known.size <= MAX_KNOWN) return;
    const [oldest] = this.known;
    this.known.delete(oldest as string);
  }
}
