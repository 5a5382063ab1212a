import { isJsonObject } from '@hone/client';

import type { SentMessage } from '../../../shared/chat/chat.js';

/** What a line says of an answer. */
export type AnswerLabel = 'chosen' | 'rejected' | 'liked' | 'disliked';

export interface JudgedAnswer {
  readonly label: AnswerLabel;
  readonly messages: readonly SentMessage[];
}

/** A line of training data: what was asked, and one or two answers. */
export interface PreferenceLine {
  readonly asked: readonly SentMessage[];
  readonly answers: readonly JudgedAnswer[];
}

const text = (role: string, content: string): SentMessage => ({ role, content });

/** Lines that can be shown; others, and a last one that was cut, are left out. @param file JSON lines */
export function preferenceLines(file: string, max: number): PreferenceLine[] {
  const lines: PreferenceLine[] = [];
  for (const line of file.split('\n')) {
    if (lines.length >= max) break;
    const parsed = parse(line);
    if (parsed) lines.push(parsed);
  }
  return lines;
}

function parse(line: string): PreferenceLine | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isJsonObject(value)) return null;
  const asked = toMessages(value['messages'] ?? value['prompt'] ?? memberOf(value['input'], 'messages'), 'user');
  const answers = [
    answerOf('chosen', value['chosen'] ?? value['preferred_output']),
    answerOf('rejected', value['rejected'] ?? value['non_preferred_output']),
    answerOf(value['label'] === true ? 'liked' : 'disliked', value['completion']),
  ].filter((one) => one !== null);
  return asked && answers.length > 0 ? { asked, answers } : null;
}

function answerOf(label: AnswerLabel, value: unknown): JudgedAnswer | null {
  const messages = toMessages(value, 'assistant');
  return messages && { label, messages };
}

/** A text, a message, or a list of messages. */
function toMessages(value: unknown, role: string): readonly SentMessage[] | null {
  if (typeof value === 'string') return [text(role, value)];
  const list = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every(isMessage) ? list : null;
}

const isMessage = (value: unknown): value is SentMessage => isJsonObject(value) && typeof value['role'] === 'string';
const memberOf = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined);
