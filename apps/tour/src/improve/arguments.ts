import { parseArgs } from 'node:util';

import type { ImproveDto, ImprovementEvaluationDto } from '@hone/client';

/** What is asked for on the command line. */
export interface ImproveArguments {
  /** Name or id of a trainable model, or name of a base model. */
  readonly model: string;
  /** `<entity>/<project>`. Null: that of the model's id, else the default one of the key. */
  readonly project: string | null;
  /** None: the project's only scorer. */
  readonly scorers: readonly string[];
  /** Members of the request that are taken as they are. */
  readonly asked: Partial<ImproveDto>;
  readonly evaluate: Omit<ImprovementEvaluationDto, 'scorers'>;
  readonly isDry: boolean;
}

/** The command line is not understood. */
export class UsageError extends Error {}

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'string', multiple: true } as const;
const OPTIONS = {
  ...{ model: TEXT, project: TEXT, alias: TEXT, dataset: TEXT, teacher: TEXT, prompt: TEXT },
  ...{ scorer: TEXTS, thread: TEXTS },
  ...{ trials: TEXT, 'max-tokens': TEXT, temperature: TEXT, minutes: TEXT },
  'dry-run': { type: 'boolean' },
} as const;

/** @throws UsageError */
export function readArguments(args: readonly string[]): ImproveArguments {
  const values = parse(args);
  const { model, project = null, alias, dataset, teacher, prompt, scorer = [], thread = [] } = values;
  if (!model) throw new UsageError('Name the model: --model <name or id>.');
  if (project !== null && !/^[^/]+\/[^/]+$/.test(project))
    throw new UsageError(`--project takes <entity>/<project>, not ${project}.`);
  const max_tokens = toNumber('max-tokens', values['max-tokens']);
  const temperature = toNumber('temperature', values.temperature);
  const trials = toNumber('trials', values.trials);
  const max_minutes = toNumber('minutes', values.minutes);
  return {
    ...{ model, project, scorers: scorer, isDry: values['dry-run'] ?? false },
    asked: {
      ...(alias !== undefined && { alias }),
      ...(teacher !== undefined && { teacher }),
      ...(prompt !== undefined && { prompt }),
      ...(max_minutes !== null && { max_minutes }),
      ...(thread.length > 0 && { data: { source: { filter: { thread_ids: thread } } } }),
    },
    evaluate: {
      ...(dataset !== undefined && { dataset }),
      ...(trials !== null && { trials }),
      parameters: { ...(max_tokens !== null && { max_tokens }), ...(temperature !== null && { temperature }) },
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Null: it is not given. What is no number would reach the server as null, which means the default. */
function toNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new UsageError(`--${name} takes a number, not '${text}'.`);
  return value;
}
