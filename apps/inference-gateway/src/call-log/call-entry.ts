import { isUtf8 } from 'node:buffer';

import type { LogLevel } from '@hone/contracts';

import type { Endpoint } from '../shared/endpoint.js';
import type { KeptTokens } from '../shared/kept-tokens.js';
import type { LogHeaders } from './log-headers.js';
import type { EntryTexts, RedactedTexts } from './redaction/redact-entry.js';
import { StreamFold } from './stream-fold.js';

/** The first byte of one in UTF-8, which no JSON begins with. */
const BYTE_ORDER_MARK = 0xef;
const BYTE_ORDER_MARK_BYTES = 3;
/** What may be an id in a ref as it stands. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** What a call is known by before it is answered. */
export interface CallFacts {
  /** Id of the usage record. */
  readonly uid: string;
  /** Request id, which the caller or a proxy may have chosen. */
  readonly rid: string;
  /** What was asked for. Absent: a chat completion. */
  readonly endpoint?: Endpoint;
  /** What the call says of the door that it came through, as JSON of an object. Absent: nothing. */
  readonly door?: string | undefined;
  /** What the call says of the split of the alias that it names, as JSON of an object. Absent: it names none with a split. */
  readonly split?: string | undefined;
  /** The prompt object that it names. Absent: none. */
  readonly prompt?: NamedPrompt | undefined;
  /** Project that pays, `<entity>/<project>`. */
  readonly projectId: string;
  /** Text of the request's `user`; null: it has none. */
  readonly user: string | null;
  readonly level: LogLevel;
  readonly headers: LogHeaders;
  /** JSON object: `metadata` of the body, with that of the header. Absent or null: that of the header alone. */
  readonly metadata?: string | null;
  /** The caller's JSON. */
  readonly body: Buffer;
  readonly isStream: boolean;
  /** The trained model that was asked, at its step; null: it is none. */
  readonly checkpoint: AskedCheckpoint | null;
  /** Trained models that may answer in its place. Absent: none. */
  readonly fallbacks?: readonly AskedCheckpoint[];
  /** Removes what the project does not keep; null: it keeps all. */
  readonly redaction: Redaction | null;
}

/** A version of a prompt object, and what was filled into it. */
export interface NamedPrompt {
  readonly id: string;
  /** `v<N>`. */
  readonly version: string;
  readonly digest: string;
  /** Alias by which the request named the version. Absent: it named it otherwise. */
  readonly label?: string;
  /** Not kept where content is not, or where something is removed from it. */
  readonly variables?: Readonly<Record<string, string>>;
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

/** JSON text, or its UTF-8. */
export type JsonContent = string | Buffer;

/** What is kept of a call beside its usage record. */
export interface CallContent {
  /** Null: not kept. */
  readonly inputs: JsonContent | null;
  /** Null: not kept, or there is none. */
  readonly output: JsonContent | null;
  /** Exact text of a JSON object; null: none. */
  readonly metadata: string | null;
  readonly thread: string | null;
  /** The project or the request wanted less, or redaction failed. */
  readonly isWithoutContent: boolean;
  readonly tokens: KeptTokens | null;
  /** What the answer leaves out of what was asked for. Absent: nothing. */
  readonly warnings?: readonly string[];
  /** The prompt object. Absent: none. */
  readonly prompt?: NamedPrompt | undefined;
}

/**
 * A request on its way to become a call. The answer's id is `chatcmpl-` and the call's id, so that a caller who has one
 * knows the other. Where the request's id cannot be that of a call, or another call has it, the call has the usage record's id.
 */
export class CallEntry {
  readonly id: string;
  readonly projectId: string;
  private readonly fold: StreamFold | null;
  private answer: Buffer | null = null;
  private tokens: KeptTokens | null = null;
  private warnings: readonly string[] = [];
  private readonly asked: Promise<RedactedTexts | null> | null;

  constructor(readonly facts: CallFacts) {
    this.projectId = facts.projectId;
    this.id = PLAIN_ID.test(facts.rid) ? facts.rid : facts.uid;
    const { level, isStream, redaction } = facts;
    this.fold = level === 'full' && isStream ? new StreamFold() : null;
    // What was asked is redacted while it is answered.
    this.asked = redaction && redaction(this.askedTexts());
  }

  /** The call has the request and its answer; false: only that they were. */
  get keepsContent(): boolean {
    return this.facts.level === 'full';
  }

  /** The tokens of an answer are a part of the call. */
  get keepsTokens(): boolean {
    const { level, checkpoint, fallbacks = [] } = this.facts;
    return level === 'full' && (checkpoint !== null || fallbacks.length > 0);
  }

  /**
   * @param tokens of a whole answer; null: its target returns none
   * @param warnings what it leaves out of what was asked for
   */
  keep(tokens: KeptTokens | null, warnings: readonly string[] = []): void {
    if (this.keepsTokens) this.tokens = tokens;
    if (this.keepsContent) this.warnings = warnings;
  }

  /** @param bytes of an answer, as the caller gets them: frames of a stream, or the whole body */
  answered(bytes: Buffer): void {
    if (this.fold !== null) this.fold.push(bytes);
    else if (this.facts.level === 'full') this.answer = bytes;
  }

  /** What is kept, when the request has ended. */
  content(): CallContent | Promise<CallContent> {
    if (this.asked !== null) return this.redacted(this.asked);
    const { level, body } = this.facts;
    const isWithoutContent = level !== 'full';
    return {
      inputs: isWithoutContent ? null : withoutMark(body),
      output: this.output(),
      metadata: this.metadata,
      thread: this.thread,
      isWithoutContent,
      tokens: this.tokens,
      warnings: this.warnings,
      prompt: this.prompt(!isWithoutContent),
    };
  }

  private async redacted(asking: Promise<RedactedTexts | null>): Promise<CallContent> {
    const output = this.output()?.toString() ?? null;
    const asked = await asking;
    const answered = asked && (await this.facts.redaction?.({ ...NO_TEXTS, output }, asked.hasChanged));
    if (!asked || !answered) {
      return { ...NO_TEXTS, isWithoutContent: true, tokens: null, prompt: this.prompt(false) };
    }
    const { inputs, metadata, thread } = asked;
    const isWithoutContent = this.facts.level !== 'full';
    const tokens = answered.hasChanged ? null : this.tokens;
    // What was removed from the messages may have come from a variable.
    const prompt = this.prompt(!isWithoutContent && !asked.hasChanged);
    const { warnings } = this;
    return { inputs, output: answered.output, metadata, thread, isWithoutContent, tokens, warnings, prompt };
  }

  private prompt(withVariables: boolean): NamedPrompt | undefined {
    const { prompt } = this.facts;
    if (prompt === undefined || withVariables) return prompt;
    const { variables: _variables, ...named } = prompt;
    return named;
  }

  private get metadata(): string | null {
    return this.facts.metadata ?? this.facts.headers.metadata;
  }

  private get thread(): string | null {
    return this.facts.headers.threadId ?? this.facts.user;
  }

  private askedTexts(): EntryTexts {
    const { metadata } = this;
    const { level, body, headers } = this.facts;
    const inputs = level === 'full' ? withoutMark(body).toString() : null;
    const isThreadOfUser = headers.threadId === null;
    const isMetadataOfBody = metadata !== headers.metadata;
    return { inputs, output: null, metadata, thread: this.thread, isThreadOfUser, isMetadataOfBody };
  }

  /** Null: it is not kept, or there is none. */
  private output(): JsonContent | null {
    if (this.fold !== null) return JSON.stringify(this.fold.answer());
    const { answer } = this;
    return answer === null || isUtf8(answer) ? answer : answer.toString();
  }
}

const NO_TEXTS: EntryTexts = { inputs: null, output: null, metadata: null, thread: null };

/** A byte order mark is no JSON. */
const withoutMark = (body: Buffer): Buffer =>
  body[0] === BYTE_ORDER_MARK ? body.subarray(BYTE_ORDER_MARK_BYTES) : body;
