import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import { endOfFrame, readFrame } from '../wire/sse/sse-frame.js';
import type { TokenUsage } from './target.js';
import { toUsageJson } from './usage-json.js';

type Json = Record<string, unknown>;
type Usage = Record<string, number>;

/** Members that are equal in all frames of a stream. */
const HEAD = ['id', 'object', 'created', 'model', 'system_fingerprint'] as const;
const COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;
const DONE = 'data: [DONE]\n\n';
const NOTHING = Buffer.alloc(0);

/** Makes one stream of several, each of one choice: their frames as they come, with the index of their choice. */
export class JoinedFrames {
  private head: Json | null = null;
  /** As each stream reported it last, in frames that have choices, too. */
  private readonly usages: (Usage | undefined)[] = [];

  /** @param bytes complete frames of the stream of a choice */
  push(choice: number, bytes: Buffer): Buffer {
    let frames = '';
    for (let at = 0; at < bytes.length;) {
      const end = endOfFrame(bytes, at);
      if (end < 0) break;
      const { data } = readFrame(bytes.subarray(at, end));
      const json = data === null ? undefined : parsePlainJson(data);
      if (isJsonObject(json)) frames += this.frame(choice, json as Json);
      at = end;
    }
    return frames === '' ? NOTHING : Buffer.from(frames);
  }

  /** What ends the stream once each choice has ended. @param usage null: the caller asked for none */
  end(usage: TokenUsage | null): Buffer {
    const frame = usage === null ? '' : write({ ...this.head, choices: [], usage: toUsageJson(usage) });
    return Buffer.from(frame + DONE);
  }

  private frame(choice: number, chunk: Json): string {
    this.head ??= Object.fromEntries(HEAD.flatMap((name) => (name in chunk ? [[name, chunk[name]]] : []))) as Json;
    const { choices } = chunk;
    // The usage of one choice alone; that of all is in the last frame.
    if (!Array.isArray(choices) || choices.length === 0) return '';
    const shown = choices.map((one) => (isJsonObject(one) ? { ...one, index: choice } : one)) as unknown[];
    return write({ ...chunk, ...this.head, choices: shown, ...this.usageSoFar(choice, chunk['usage']) });
  }

  /** Of all choices, where frames have it. */
  private usageSoFar(choice: number, usage: unknown): { readonly usage?: Usage } {
    if (!isJsonObject(usage)) return {};
    this.usages[choice] = usage as Usage;
    const sum = (name: string) => this.usages.reduce((total, one) => total + (Number(one?.[name]) || 0), 0);
    return { usage: { ...(usage as Usage), ...Object.fromEntries(COUNTS.map((name) => [name, sum(name)])) } };
  }
}

const write = (json: Json): string => `data: ${JSON.stringify(json)}\n\n`;
