import { createHash } from 'node:crypto';

import {
  type ConstraintSource,
  EngineError,
  type GenerationRequest,
  PLAIN_REQUEST,
  type ServingEngine,
} from '@hone/engine';

import { placeInTools } from '../tools/call-schema.js';
import type { PreparedRequest } from './prepared-request.js';
import { wrongValue } from './request-issue.js';
import type { RefusalIssue } from '../../target.js';

const MAX_KNOWN = 256;
/** Codes of the engine's errors about constraints. */
const CONSTRAINT_ERROR = /^engine\.constraint_(unsupported|invalid|too_large|timeout)$/;
/** Before the reason stands the JSON pointer of the place. */
const POINTED = /^(\/\S*): (.*)$/s;

/** Says whether constraints compile, before a request is dispatched. */
export class ConstraintCheck {
  /** Digests of constraints that compiled, the oldest first. */
  private readonly known = new Set<string>();

  /** @param directory of the base model */
  constructor(
    private readonly engine: ServingEngine,
    private readonly directory: string,
  ) {}

  /** What does not compile of a request, where it stands. */
  async issues({ constraint, tools, generation }: PreparedRequest): Promise<RefusalIssue[]> {
    const issues: RefusalIssue[] = [];
    const text = constraint && (await this.reasonAgainst(constraint.source, generation));
    if (constraint && text) issues.push(wrongValue(constraint.loc, text));
    const call = tools && (await this.reasonAgainst(tools.call, generation));
    if (tools && call) {
      const [, pointer = '', reason = call] = POINTED.exec(call) ?? [];
      const place = placeInTools(pointer);
      const index = tools.tools[place.tool]?.index ?? 0;
      const msg = place.pointer === '' ? reason : `${place.pointer}: ${reason}`;
      issues.push(wrongValue(['tools', index, 'function', 'parameters'], msg));
    }
    return issues;
  }

  /** The engine compiles a constraint where it generates: so one token of an answer is generated with it. */
  private async reasonAgainst(source: ConstraintSource, { priority }: GenerationRequest): Promise<string | null> {
    const key = createHash('sha256').update(JSON.stringify(source)).digest('base64');
    if (this.known.has(key)) return null;
    try {
      const request = { ...PROBE, constraint: source, priority };
      for await (const _ of this.engine.generate({ base: this.directory, checkpoint: null }, request));
    } catch (error) {
      if (error instanceof EngineError && CONSTRAINT_ERROR.test(error.code)) return error.message;
      // Anything else is no fault of the constraint: the request itself will meet it.
      return null;
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

const PROBE: GenerationRequest = { ...PLAIN_REQUEST, promptIds: [0], maxTokens: 1 };
