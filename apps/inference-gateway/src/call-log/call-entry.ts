import type { LogLevel } from '@hone/contracts';

import type { KeptTokens } from '../shared/kept-tokens.js';
import type { LogHeaders } from './log-headers.js';
import type { EntryTexts, RedactedTexts } from './redaction/redact-entry.js';
import { StreamFold } from './stream-fold.js';

/** Between the parts of an entry. JSON has it only escaped. */
export const SEPARATOR = '\x1e';
/** What may be an id in a ref as it stands. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** What a call is known by before it is answered. */
export interface CallFacts {
  /** Id of the usage record. */
  readonly uid: string;
  /** Request id, which the caller or a proxy may have chosen. */
  readonly rid: string;
  /** Project that pays, `<entity>/<project>`. */
  readonly projectId: string;
  /** Text of the request's `user`; null: it has none. */
  readonly user: string | null;
  readonly level: LogLevel;
  readonly headers: LogHeaders;
  /** The caller's JSON. */
  readonly body: Buffer;
  readonly isStream: boolean;
  /** The trained model that was asked, at its step; null: it is none. */
  readonly checkpoint: AskedCheckpoint | null;
  /** Removes what the project does not keep; null: it keeps all. */
  readonly redaction: Redaction | null;
}

/** @returns null: it could not be done */
type Redaction = (texts: EntryTexts, isChanged?: boolean) => Promise<RedactedTexts | null>;

/** A trained model at one step. */
export interface AskedCheckpoint {
  /** What its answers name as `model`. */
  readonly name: string;
  readonly modelId: string;
  readonly step: number;
}

/** Facts of a call beside its usage record and its content, as they are journalled. */
export interface JournalledCall {
  readonly id: string;
  readonly projectId: string;
  readonly traceId?: string;
  readonly parentId?: string;
  readonly threadId?: string;
  /** Exact text of a JSON object. */
  readonly metadata?: string;
  readonly isWithoutContent?: true;
  readonly checkpoint?: AskedCheckpoint;
  readonly tokens?: KeptTokens;
}

/**
 * A request on its way to become a call. The answer's id is `chatcmpl-` and the call's id, so that who has the one
 * knows the other; only ids that are none of a call, or that another call has, give way to that of the usage record.
 */
export class CallEntry {
  readonly id: string;
  readonly projectId: string;
  private readonly fold: StreamFold | null;
  private answer: Buffer | null = null;
  private tokens: KeptTokens | null = null;
  private readonly asked: Promise<RedactedTexts | null> | null;

  constructor(private readonly facts: CallFacts) {
    this.projectId = facts.projectId;
    this.id = PLAIN_ID.test(facts.rid) ? facts.rid : facts.uid;
    const { level, isStream, redaction } = facts;
    this.fold = level === 'full' && isStream ? new StreamFold() : null;
    // What was asked is redacted while it is answered.
    this.asked = redaction && redaction(this.askedTexts());
  }

  /** The tokens of an answer are a part of the call. */
  get keepsTokens(): boolean {
    return this.facts.level === 'full' && this.facts.checkpoint !== null;
  }

  /** @param tokens of a whole answer; null: its target returns none */
  keep(tokens: KeptTokens | null): void {
    if (this.keepsTokens) this.tokens = tokens;
  }

  /** @param bytes of an answer, as the caller gets them: frames of a stream, or the whole body */
  answered(bytes: Buffer): void {
    if (this.fold !== null) this.fold.push(bytes);
    else if (this.facts.level === 'full') this.answer = bytes;
  }

  /** For the journal: request, answer and facts, each as JSON text, with {@link SEPARATOR} between them. */
  text(): string | Promise<string> {
    const texts = { ...this.askedTexts(), output: this.facts.level === 'full' ? this.output() : null };
    return this.asked === null ? this.write(texts) : this.redacted(this.asked, texts.output);
  }

  private async redacted(asking: Promise<RedactedTexts | null>, output: string | null): Promise<string> {
    const asked = await asking;
    const answered = asked && (await this.facts.redaction?.({ ...NO_TEXTS, output }, asked.hasChanged));
    if (!asked || !answered) return this.write(NO_TEXTS, true);
    if (answered.hasChanged) this.tokens = null;
    return this.write({ ...asked, output: answered.output });
  }

  private askedTexts(): EntryTexts {
    const { level, body, headers, user } = this.facts;
    const inputs = level === 'full' ? body.toString() : null;
    const thread = headers.threadId ?? user;
    return { inputs, output: null, metadata: headers.metadata, thread, isThreadOfUser: headers.threadId === null };
  }

  private write(texts: EntryTexts, isWithoutContent = this.facts.level !== 'full'): string {
    const { inputs, output } = texts;
    return `${inputs ?? '{}'}${SEPARATOR}${output ?? 'null'}${SEPARATOR}${this.factsText(texts, isWithoutContent)}`;
  }

  private output(): string {
    if (this.fold !== null) return JSON.stringify(this.fold.answer());
    return this.answer === null ? 'null' : this.answer.toString();
  }

  private factsText({ metadata, thread }: EntryTexts, isWithoutContent: boolean): string {
    const { projectId, headers, checkpoint } = this.facts;
    const { traceId, parentId } = headers;
    const call: JournalledCall = {
      id: this.id,
      projectId,
      ...(traceId !== null && { traceId }),
      ...(parentId !== null && { parentId }),
      ...(thread !== null && { threadId: thread }),
      ...(metadata !== null && { metadata }),
      ...(isWithoutContent && { isWithoutContent: true }),
      ...(checkpoint !== null && { checkpoint: checkpointOf(checkpoint) }),
      ...(this.tokens !== null && !isWithoutContent && { tokens: this.tokens }),
    };
    return JSON.stringify(call);
  }
}

const NO_TEXTS: EntryTexts = { inputs: null, output: null, metadata: null, thread: null };

const checkpointOf = ({ name, modelId, step }: AskedCheckpoint): AskedCheckpoint => ({ name, modelId, step });
