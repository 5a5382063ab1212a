import { isJsonObject, stringifyJson } from '@hone/client';
import { parseArtifactRef } from '@hone/contracts/artifact-ref';

import { exactHone } from '../data/hone.js';
import type { Project } from '../data/project.js';

/** A version of a dataset. */
export interface DatasetRef {
  readonly objectId: string;
  readonly version: number;
}

const PREFIX = 'dataset-';
const DATASET_ARTIFACT = /^dataset-(.+)-v(\d+)$/u;

/** Name of the artifact that a version of a dataset is made into: jobs name their artifact, and so the dataset. */
export const toArtifactName = ({ objectId, version }: DatasetRef): string => {
  const end = `-v${version}`;
  return `${PREFIX}${objectId.slice(0, 128 - PREFIX.length - end.length)}${end}`;
};

/** The version of a dataset that an artifact was made of; null: of none. @param url `<scheme>-artifact:///…` */
export function datasetOf(url: string | null): (DatasetRef & { readonly projectId: string }) | null {
  const ref = parseArtifactRef(url ?? '');
  const [, objectId, version] = DATASET_ARTIFACT.exec(ref?.name ?? '') ?? [];
  if (ref === undefined || objectId === undefined) return null;
  return { projectId: `${ref.entity}/${ref.project}`, objectId, version: Number(version) };
}

/** What lines of training data hold: groups of rewarded answers, examples, pairs, or liked and disliked answers. */
export type TrainingKind = 'rl' | 'sft' | 'pairs' | 'thumbs';

/** Lines of training data, and how many rows they were made of. */
export interface TrainingLines {
  readonly lines: readonly string[];
  readonly rows: number;
}

/** The rows of a table that training can take, each as a line. @param table digest */
export async function readTrainingLines(project: Project, table: string, kind: TrainingKind): Promise<TrainingLines> {
  const lines: string[] = [];
  let rows = 0;
  for await (const { val } of exactHone.trace.streamTable({ project_id: project.id, digest: table })) {
    rows += 1;
    const line = toTrainingLine(val, kind);
    if (line !== null) lines.push(`${stringifyJson(line)}\n`);
  }
  return { lines, rows };
}

/**
 * What training takes of a row: for examples `messages`, or `inputs.messages` and the `output` that answers them, as rows
 * of calls have them; for rewards `trajectories`; for preferences the answers that are judged, and what they answer. Null: it
 * has none of them.
 */
export function toTrainingLine(row: unknown, kind: TrainingKind): Readonly<Record<string, unknown>> | null {
  if (!isJsonObject(row)) return null;
  if (kind === 'rl') return isFilled(row['trajectories']) ? { trajectories: row['trajectories'] } : null;
  if (kind !== 'sft') return toPreferenceLine(row, kind);
  if (isFilled(row['messages'])) return withTools(row['messages'], row['tools']);
  const inputs = isJsonObject(row['inputs']) ? row['inputs'] : {};
  const answer = toAnswer(row['output']);
  if (!isFilled(inputs['messages']) || answer === null) return null;
  return withTools([...inputs['messages'], answer], inputs['tools']);
}

/** The question as the row has it, with the answers that are judged. */
function toPreferenceLine(
  row: Readonly<Record<string, unknown>>,
  kind: 'pairs' | 'thumbs',
): Readonly<Record<string, unknown>> | null {
  const inputs = isJsonObject(row['inputs']) ? row['inputs'] : row;
  const { messages, prompt, tools } = inputs;
  const isAsked = isFilled(messages) || typeof prompt === 'string';
  const { chosen, rejected, completion, label, weight } = row;
  const answers = kind === 'pairs' ? { chosen, rejected } : { completion, label };
  if (!isAsked || Object.values(answers).some((value) => value === undefined || value === null)) return null;
  const question = isFilled(messages) ? withTools(messages, tools) : { prompt };
  return { ...question, ...answers, ...(weight !== undefined && { weight }) };
}

const isFilled = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;

const withTools = (messages: readonly unknown[], tools: unknown) => ({
  messages,
  ...(isFilled(tools) && { tools }),
});

/** The assistant's message of a text, a message or a chat completion. */
function toAnswer(output: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof output === 'string') return output === '' ? null : { role: 'assistant', content: output };
  if (!isJsonObject(output)) return null;
  const choice: unknown = Array.isArray(output['choices']) ? output['choices'][0] : undefined;
  const message = isJsonObject(choice) ? choice['message'] : output;
  return isJsonObject(message) && message['role'] === 'assistant' ? message : null;
}
