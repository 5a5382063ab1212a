import { useEffect, useRef, useState } from 'react';

import type { SentMessage } from '../../../shared/chat/chat.js';
import type { Row } from '../../../shared/datasets/write-dataset.js';
import { fillMessages, type Variables } from '../../../shared/prompts/prompt.js';
import { type Answering, type Door, NOT_ANSWERED } from '../doors/door.js';
import { type Mapping, variablesOfRow } from './mapping.js';
import { runLimited } from './run-limited.js';

/** Requests at a time. */
const CONCURRENCY = 4;

/** What every row is asked, but for its variables. */
export interface RowsRequest {
  readonly projectId: string;
  readonly models: readonly string[];
  readonly messages: readonly SentMessage[];
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Of all rows; those of the mapping come before them. */
  readonly variables: Variables;
  readonly door: Door;
}

export interface RowAnswer {
  readonly text: string;
  /** null: it is none. */
  readonly error: string | null;
  /** `chatcmpl-…`; null: there is no call. */
  readonly completionId: string | null;
}

/** Answers of each row by the place of its model; undefined: it waits, or was cancelled. */
export type RowAnswers = readonly (readonly (RowAnswer | undefined)[])[];

/** Asks models row by row. The requests end with the page. */
export function useRowsRun() {
  const [answers, setAnswers] = useState<RowAnswers>([]);
  const [isRunning, setIsRunning] = useState(false);
  const cancelling = useRef<AbortController | null>(null);
  useEffect(() => () => cancelling.current?.abort(), []);

  const run = (rows: readonly Row[], mapping: Mapping, request: RowsRequest) => {
    const cancelled = new AbortController();
    cancelling.current = cancelled;
    setAnswers(rows.map(() => []));
    setIsRunning(true);
    const set = (row: number, at: number, answer: RowAnswer) =>
      setAnswers((before) => before.with(row, Object.assign([...(before[row] ?? [])], { [at]: answer })));
    const tasks = rows.flatMap((row, index) =>
      request.models.map((model, at) => async () => {
        const answer = await answerTo(row, model, mapping, request, cancelled.signal);
        if (answer !== null) set(index, at, answer);
      }),
    );
    void runLimited(tasks, CONCURRENCY, cancelled.signal).finally(() => setIsRunning(false));
  };
  return { answers, isRunning, run, cancel: () => cancelling.current?.abort() };
}

/** @returns null: it was cancelled */
async function answerTo(
  row: Row,
  model: string,
  mapping: Mapping,
  { projectId, messages, parameters, variables, door }: RowsRequest,
  signal: AbortSignal,
): Promise<RowAnswer | null> {
  const { values, missing } = variablesOfRow(row, mapping);
  if (missing !== null) return { text: '', error: `The row has no ${missing}: it was not asked.`, completionId: null };
  let answer: Answering = NOT_ANSWERED;
  try {
    const filled = fillMessages(messages, { ...variables, ...values });
    const { fields } = door.toBody({ model, messages: filled, parameters });
    for await (const next of door.answer(fields, { signal, headers: { 'hone-project': projectId } })) answer = next;
  } catch (error) {
    if (signal.aborted) return null;
    return { text: '', error: (error as Error).message, completionId: answer.completionId };
  }
  const text = [answer.turn.text, ...answer.turn.tools].filter(Boolean).join('\n');
  return { text, error: null, completionId: answer.completionId };
}
