import { parentPort } from 'node:worker_threads';

import type { FromRedaction, RedactionAnswer, RedactionJob } from './redaction-messages.js';
import { redactEntry, withoutTokens } from './redact-entry.js';

/** One job at a time, in order. What fails is answered as null: nobody may see why, it could quote the text. */
parentPort?.on('message', ({ id, rules, texts, isChanged }: RedactionJob) => {
  parentPort?.postMessage({ id, texts: redacted() } satisfies RedactionAnswer);

  function redacted(): RedactionAnswer['texts'] {
    try {
      const done = redactEntry(rules, texts);
      const hasChanged = isChanged || done.hasChanged;
      const { output } = done;
      return { ...done, hasChanged, output: hasChanged && output !== null ? withoutTokens(output) : output };
    } catch {
      return null;
    }
  }
});

parentPort?.postMessage('ready' satisfies FromRedaction);
